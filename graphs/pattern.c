/* Patterns of labels. A pattern is a term, and the words that may follow a label are those of a set of terms: partial
 * derivatives (Antimirov 1996). Equal terms have one number, so there are few, about one for each label that the pattern
 * has when its repetitions are written out. Their sets are the states of the automaton. It is deterministic, so a walk
 * is counted once, however many ways its labels match. */
#include "graphs/labels.h"

#include "graphs/sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_DEPTH = 100,
    MOST_BYTES = 1 << 15,
    MOST_TERMS = 40000,
    MOST_PAIRS = 1 << 18,
    MOST_TIMES = 10000,
    LISTED = 5
};

#define ENDLESS UINT32_MAX
#define ANY     UINT32_MAX /* in place of the class of a label */

typedef enum kind { EMPTY = 0, LABEL, THEN, OR, REPEAT } kind;

/* Terms are compared as bytes. */
typedef struct term {
    uint32_t kind, may_be_empty;
    uint32_t a, b; /* its terms; of a label, its class */
    uint32_t least, most;
} term;

typedef struct compiler {
    pc_context *context;
    pc_status status; /* the first failure */
    const char *text, *at;
    const pci_names *labels;
    pci_names terms, sets; /* as bytes; a set has ascending numbers of terms */
    uint64_t *pairs;       /* [MOST_PAIRS] of the class of a label and a term that may follow it */
    uint64_t *stack, *set; /* [MOST_TERMS] */
    uint64_t *seen;        /* [MOST_TERMS] the round in which a term came into the set */
    uint32_t depth, n_stack, n_set, n_pairs, round;
    pci_automaton made;
} compiler;

static void fail_size(compiler *c)
{
    c->status =
        pci_fail(c->context, PC_ERR_ARGUMENT,
                 "the pattern is too large when its repetitions are written out: repeat less");
}

static term term_of(const compiler *c, uint32_t number)
{
    term t;
    size_t length;
    memcpy(&t, pci_names_text(&c->terms, number, &length), sizeof t);
    return t;
}

/* The number of a term. The empty word has number 0, which is also returned after a failure. */
static uint32_t make_term(compiler *c, kind kind, uint32_t a, uint32_t b, uint32_t least,
                          uint32_t most)
{
    uint32_t number = 0;
    if (kind == THEN && (a == 0 || b == 0))
        return a == 0 ? b : a;
    if (c->status || (kind == REPEAT && (a == 0 || most == 0)))
        return 0;
    bool first = kind > LABEL && term_of(c, a).may_be_empty;
    bool second = (kind == THEN || kind == OR) && term_of(c, b).may_be_empty;
    bool may_be_empty = kind == EMPTY || (kind == THEN ? first && second : first || second) ||
                        (kind == REPEAT && least == 0);
    const term t = {(uint32_t)kind, may_be_empty, a, b, least, most};
    if (c->terms.n == MOST_TERMS)
        fail_size(c);
    else if (pci_names_add(c->context, &c->terms, (const char *)&t, sizeof t, &number))
        c->status = pci_fail_memory(c->context, "the pattern", c->terms.n * sizeof t);
    return number;
}

/* ---- Parsing --------------------------------------------------------------------------------- */

static uint32_t fail_at(compiler *c, const char *at, const char *what)
{
    size_t position = 1;
    for (const char *before = c->text; before < at; before++)
        position += (*before & 0xc0) != 0x80; /* a character of UTF-8 is one position */
    if (c->status == PC_OK)
        c->status =
            pci_fail(c->context, PC_ERR_ARGUMENT, "pattern, position %zu: %s", position, what);
    return 0;
}

static bool is_of_name(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '-' || byte == ':' ||
           (unsigned char)byte >= 0x80;
}

/* A label that no edge has is an error, as it is most likely misspelled. */
static uint32_t take_label(compiler *c, const char *name, size_t length)
{
    uint32_t label;
    char what[400];
    if (pci_names_find(c->labels, name, length, &label)) {
        uint32_t *number = &c->made.class_of[label];
        *number = *number ? *number : c->made.n_classes++;
        return make_term(c, LABEL, *number, 0, 0, 0);
    }
    size_t n = (size_t)snprintf(what, sizeof what, "no edge has the label '%.*s'; there are",
                                length < 40 ? (int)length : 40, name);
    for (uint64_t l = 0; l < c->labels->n && l < LISTED; l++) {
        const char *text = pci_names_text(c->labels, l, &length);
        n += (size_t)snprintf(what + n, sizeof what - n, "%s '%.*s'", l > 0 ? "," : "",
                              length < 40 ? (int)length : 40, text);
    }
    if (c->labels->n == 0 || c->labels->n > LISTED)
        snprintf(what + n, sizeof what - n, c->labels->n ? " and others" : " none");
    return fail_at(c, name, what);
}

static uint32_t parse_choice(compiler *c);

static uint32_t parse_atom(compiler *c)
{
    const char *begin = c->at++, *close;
    switch (*begin) {
    case '.':
        return make_term(c, LABEL, ANY, 0, 0, 0);
    case '"':
    case '\'':
        close = strchr(c->at, *begin);
        if (!close || close == c->at)
            return fail_at(c, begin,
                           close ? "a label in quotes is empty" : "this quote is not closed");
        c->at = close + 1;
        return take_label(c, begin + 1, (size_t)(close - begin - 1));
    case '(':
        c->at += strspn(c->at, " \t");
        uint32_t inner = *c->at == ')' ? 0 : parse_choice(c);
        if (*c->at != ')')
            return fail_at(c, begin, "this bracket is not closed");
        c->at++;
        return inner;
    default:
        c->at = begin; /* which may be the end of the text */
        while (is_of_name(*c->at))
            c->at++;
        return is_of_name(*begin)
                   ? take_label(c, begin, (size_t)(c->at - begin))
                   : fail_at(c, begin,
                             "a label, . or ( is expected here; other labels than names "
                             "stand in quotes, and () is the walk without edges");
    }
}

/* The number of times at c->at; `otherwise` where there is none. */
static uint32_t take_times(compiler *c, uint32_t otherwise)
{
    uint32_t times = 0;
    size_t n_digits = strspn(c->at, "0123456789");
    for (size_t i = 0; i < n_digits && times <= MOST_TIMES; i++)
        times = 10 * times + (uint32_t)(c->at[i] - '0');
    if (times > MOST_TIMES)
        fail_at(c, c->at, "at most 10000 times");
    c->at += n_digits;
    return n_digits ? times : otherwise;
}

static uint32_t parse_item(compiler *c)
{
    uint32_t inner = parse_atom(c), least = *c->at == '+', most = *c->at == '?' ? 1 : ENDLESS;
    const char *begin = c->at;
    if (c->status || !*begin || !strchr("*+?{", *begin))
        return inner;
    c->at++;
    if (*begin == '{') {
        least = most = take_times(c, ENDLESS);
        if (*c->at == ',') {
            c->at++;
            most = take_times(c, ENDLESS);
        }
        if (*c->at != '}' || least == ENDLESS || least > most)
            return fail_at(c, begin, "this is none of {2}, {2,5} and {2,}");
        c->at++;
    }
    if (*c->at && strchr("*+?{", *c->at))
        return fail_at(c, c->at, "what is repeated already is repeated again: put it in brackets");
    return make_term(c, REPEAT, inner, 0, least, most);
}

/* Joins the terms on the stack from `base` on, of which there is one at least. */
static uint32_t join(compiler *c, kind kind, uint32_t base)
{
    uint32_t joined = (uint32_t)c->stack[--c->n_stack];
    while (c->n_stack > base)
        joined = make_term(c, kind, (uint32_t)c->stack[--c->n_stack], joined, 0, 0);
    return joined;
}

static uint32_t parse_items(compiler *c)
{
    uint32_t base = c->n_stack;
    while (c->status == PC_OK) {
        uint32_t item = parse_item(c);
        c->stack[c->n_stack++] = item; /* no more than the text has bytes */
        c->at += strspn(c->at, " \t");
        if (*c->at == '/')
            c->at += 1 + strspn(c->at + 1, " \t");
        else if (*c->at == '\0' || *c->at == '|' || *c->at == ')')
            break;
    }
    return join(c, THEN, base);
}

static uint32_t parse_choice(compiler *c)
{
    uint32_t base = c->n_stack;
    if (c->depth++ > MOST_DEPTH)
        return fail_at(c, c->at, "more than 100 brackets stand within each other");
    do {
        c->at += strspn(c->at, " \t");
        uint32_t items = parse_items(c);
        c->stack[c->n_stack++] = items;
    } while (c->status == PC_OK && *c->at == '|' && c->at++);
    c->depth--;
    return join(c, OR, base);
}

/* ---- The automaton --------------------------------------------------------------------------- */

/* Adds what may follow each label in the words of a term, each with those of `rest` behind it. */
static void derive(compiler *c, uint32_t number, uint32_t rest)
{
    for (term t = term_of(c, number); c->status == PC_OK; t = term_of(c, t.b)) {
        uint32_t behind = rest;
        if (t.kind == EMPTY)
            return;
        if (t.kind == LABEL) {
            if (c->n_pairs == MOST_PAIRS)
                fail_size(c);
            else
                c->pairs[c->n_pairs++] = (uint64_t)t.a << 32 | rest;
            return;
        }
        if (t.kind == REPEAT)
            t.b =
                make_term(c, REPEAT, t.a, 0, t.least - (t.least > 0), t.most - (t.most != ENDLESS));
        if (t.kind != OR)
            behind = make_term(c, THEN, t.b, rest, 0, 0);
        derive(c, t.a, behind);
        if (t.kind == REPEAT || (t.kind == THEN && !term_of(c, t.a).may_be_empty))
            return;
    }
}

static int compare(const void *one, const void *other)
{
    const uint64_t *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

/* Moves the terms of pairs of a class, from the first one on, to the set; returns the pair behind them. */
static uint32_t take_class(compiler *c, uint32_t first, uint32_t label_class)
{
    for (; first < c->n_pairs && c->pairs[first] >> 32 == label_class; first++) {
        uint32_t number = (uint32_t)c->pairs[first];
        if (c->seen[number] != c->round)
            c->set[c->n_set++] = number;
        c->seen[number] = c->round;
    }
    return first;
}

/* The number of the set, which is emptied. */
static uint32_t add_set(compiler *c)
{
    uint32_t number = PCI_NO_STATE;
    size_t bytes = c->n_set * sizeof *c->set;
    qsort(c->set, c->n_set, sizeof *c->set, compare);
    if (bytes > 0 && pci_names_add(c->context, &c->sets, (const char *)c->set, bytes, &number))
        c->status = pci_fail_memory(c->context, "the pattern", bytes);
    if (c->status == PC_OK && c->sets.n > PCI_MOST_STATES)
        c->status = pci_fail(c->context, PC_ERR_ARGUMENT,
                             "the pattern needs more than %d states of an automaton: repeat less, "
                             "or have fewer choices that begin alike",
                             PCI_MOST_STATES);
    c->n_set = 0;
    c->round++;
    return number;
}

/* Fills the row of a state, of the terms of its set. Labels that these do not name lead where class 0 does. */
static void make_row(compiler *c, uint64_t q, uint32_t *row, uint8_t *accepts)
{
    size_t bytes;
    const char *set = pci_names_text(&c->sets, q, &bytes);
    memcpy(c->set, set, bytes);
    *accepts = 0;
    c->n_pairs = 0;
    for (size_t i = 0; i < bytes / sizeof *c->set; i++) {
        *accepts |= term_of(c, (uint32_t)c->set[i]).may_be_empty != 0;
        derive(c, (uint32_t)c->set[i], 0);
    }
    qsort(c->pairs, c->n_pairs, sizeof *c->pairs, compare);
    uint32_t any = c->n_pairs, at = 0;
    while (any > 0 && c->pairs[any - 1] >> 32 == ANY)
        any--;
    for (uint32_t k = 0; k < c->made.n_classes && c->status == PC_OK; k++) {
        uint32_t behind = take_class(c, at, k);
        if (behind > at || k == 0)
            take_class(c, any, ANY);
        row[k] = behind > at || k == 0 ? add_set(c) : row[0];
        at = behind;
    }
}

/* Makes the rows of states until there is no new one. */
static void determine(compiler *c, uint32_t pattern)
{
    pci_automaton *made = &c->made;
    uint64_t next_capacity = 0, accepts_capacity = 0, n_classes = made->n_classes;
    c->set[c->n_set++] = pattern;
    add_set(c);
    for (uint64_t q = 0; q < c->sets.n && c->status == PC_OK; q++) {
        uint32_t *next = pci_grow(c->context, made->next, &next_capacity, q * n_classes,
                                  (q + 1) * n_classes, sizeof *next);
        made->next = next ? next : made->next;
        uint8_t *accepts = pci_grow(c->context, made->accepts, &accepts_capacity, q, q + 1, 1);
        made->accepts = accepts ? accepts : made->accepts;
        if (!next || !accepts)
            c->status = pci_fail_memory(c->context, "the pattern", q * n_classes * sizeof *next);
        else if ((c->status = pci_progress(c->context, "plan", 0)) == PC_OK)
            make_row(c, q, next + q * n_classes, &accepts[q]);
    }
    made->n_states = (uint32_t)c->sets.n;
}

pc_status pci_pattern_compile(pc_context *context, const char *pattern, const pci_names *labels,
                              pci_automaton *automaton)
{
    compiler c = {.context = context, .text = pattern, .at = pattern, .labels = labels, .round = 1};
    uint32_t whole = 0;
    uint64_t *memory = pci_alloc_zero(context, 3 * MOST_TERMS, sizeof *memory);
    c.made.n_classes = 1;
    c.made.class_of = pci_alloc_zero(context, labels->n + 1, sizeof *c.made.class_of);
    c.stack = memory;
    c.set = memory + MOST_TERMS;
    c.seen = memory + 2 * MOST_TERMS;
    c.pairs = pci_alloc(context, MOST_PAIRS * sizeof *c.pairs);
    if (!c.made.class_of || !memory || !c.pairs)
        c.status = pci_fail_memory(context, "the pattern", MOST_PAIRS * sizeof *c.pairs);
    else if (strlen(pattern) > MOST_BYTES)
        c.status = pci_fail(context, PC_ERR_ARGUMENT, "a pattern has at most %d bytes", MOST_BYTES);
    make_term(&c, EMPTY, 0, 0, 0, 0);
    if (c.status == PC_OK)
        whole = parse_choice(&c);
    if (c.status == PC_OK && *c.at)
        fail_at(&c, c.at, "no bracket is open here");
    if (c.status == PC_OK)
        determine(&c, whole);
    if (c.status)
        pci_automaton_free(context, &c.made);
    else
        *automaton = c.made;
    pci_names_free(context, &c.terms);
    pci_names_free(context, &c.sets);
    pci_free(context, memory);
    pci_free(context, c.pairs);
    return c.status;
}

void pci_automaton_free(pc_context *context, pci_automaton *automaton)
{
    pci_free(context, automaton->class_of);
    pci_free(context, automaton->next);
    pci_free(context, automaton->accepts);
    *automaton = (pci_automaton){0};
}
