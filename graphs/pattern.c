/* Patterns of labels. The text becomes a tree. The tree becomes states of a nondeterministic automaton, from the end of
 * the pattern to its begin, so that each state knows the one behind it. Sets of these are the states of the deterministic
 * automaton: a word leads to one of them, and a walk is counted once, however many ways its labels match. */
#include "graphs/pattern.h"

#include "graphs/sort.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 100, MOST_BYTES = 1 << 16, LISTED = 5 };

#define NONE     UINT32_MAX
#define ENDLESS  UINT32_MAX
#define IS_ANY   UINT32_MAX /* classes of states that are no single label */
#define IS_SPLIT (UINT32_MAX - 1)
#define IS_END   (UINT32_MAX - 2)

typedef enum kind { LABEL, THEN, OR, REPEAT } kind;

/* THEN without a child is the empty word. */
typedef struct node {
    kind kind;
    uint32_t label_class;
    uint32_t child, before; /* the last child, and the one before this among those of its parent */
    uint32_t least, most;   /* times */
} node;

typedef struct state {
    uint32_t label_class;
    uint32_t out, other; /* a split leads to both, without a label */
} state;

typedef struct compiler {
    pc_context *context;
    pc_status status; /* the first failure */
    const char *text, *at;
    const pci_names *labels;
    uint32_t depth, n_nodes, n_states, n_steps;
    node *nodes;
    state *states;
    uint64_t node_capacity, state_capacity;
    pci_names sets; /* of states, as bits: their numbers are those of deterministic states */
    uint64_t *bits;
    uint32_t *members, *seen; /* [n_states] */
    uint32_t *stack;          /* [2 * n_states + 1] */
    size_t n_words;
    pci_automaton made;
} compiler;

/* ---- The tree -------------------------------------------------------------------------------- */

static uint32_t fail_at(compiler *c, const char *at, const char *what)
{
    size_t position = 1;
    for (const char *before = c->text; before < at; before++)
        position += (*before & 0xc0) != 0x80; /* a character of UTF-8 is one position */
    if (c->status == PC_OK)
        c->status =
            pci_fail(c->context, PC_ERR_ARGUMENT, "pattern, position %zu: %s", position, what);
    return NONE;
}

static uint32_t add_node(compiler *c, node added)
{
    node *grown = pci_grow(c->context, c->nodes, &c->node_capacity, c->n_nodes,
                           c->n_nodes + UINT64_C(1), sizeof *grown);
    if (!grown) {
        c->status = pci_fail_memory(c->context, "the pattern", c->n_nodes * sizeof *grown);
        return NONE;
    }
    c->nodes = grown;
    grown[c->n_nodes] = added;
    return c->n_nodes++;
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
        return add_node(c, (node){LABEL, *number, NONE, NONE, 0, 0});
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
        return add_node(c, (node){LABEL, IS_ANY, NONE, NONE, 0, 0});
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
        uint32_t inner =
            *c->at == ')' ? add_node(c, (node){THEN, 0, NONE, NONE, 0, 0}) : parse_choice(c);
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
    for (size_t i = 0; i < n_digits && times <= PCI_MOST_POSITIONS; i++)
        times = 10 * times + (uint32_t)(c->at[i] - '0');
    if (times > PCI_MOST_POSITIONS)
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
        least = most = take_times(c, NONE);
        if (*c->at == ',') {
            c->at++;
            most = take_times(c, ENDLESS);
        }
        if (*c->at != '}' || least == NONE || least > most)
            return fail_at(c, begin, "this is none of {2}, {2,5} and {2,}");
        c->at++;
    }
    if (*c->at && strchr("*+?{", *c->at))
        return fail_at(c, c->at, "what is repeated already is repeated again: put it in brackets");
    return add_node(c, (node){REPEAT, 0, inner, NONE, least, most});
}

/* Makes a node of all children, or takes the only one. */
static uint32_t join(compiler *c, kind kind, uint32_t last)
{
    return c->status || c->nodes[last].before == NONE
               ? last
               : add_node(c, (node){kind, 0, last, NONE, 0, 0});
}

static uint32_t parse_items(compiler *c)
{
    uint32_t last = NONE;
    for (bool goes_on = true; goes_on && c->status == PC_OK;) {
        uint32_t item = parse_item(c);
        if (c->status)
            return NONE;
        c->nodes[item].before = last;
        last = item;
        c->at += strspn(c->at, " \t");
        goes_on = *c->at && *c->at != '|' && *c->at != ')';
        if (*c->at == '/')
            c->at += 1 + strspn(c->at + 1, " \t");
    }
    return join(c, THEN, last);
}

static uint32_t parse_choice(compiler *c)
{
    uint32_t last = NONE;
    if (c->depth++ > MOST_DEPTH)
        return fail_at(c, c->at, "more than 100 brackets stand within each other");
    for (bool goes_on = true; goes_on && c->status == PC_OK;) {
        c->at += strspn(c->at, " \t");
        uint32_t items = parse_items(c);
        if (c->status)
            return NONE;
        c->nodes[items].before = last;
        last = items;
        goes_on = *c->at == '|';
        c->at += goes_on;
    }
    c->depth--;
    return join(c, OR, last);
}

/* ---- The nondeterministic automaton ---------------------------------------------------------- */

static uint32_t add_state(compiler *c, uint32_t label_class, uint32_t out, uint32_t other)
{
    state *grown = NULL;
    if (c->status == PC_OK && c->n_states == PCI_MOST_POSITIONS)
        c->status = pci_fail(c->context, PC_ERR_ARGUMENT,
                             "the pattern has more than %d positions when its repetitions are "
                             "written out: repeat less",
                             PCI_MOST_POSITIONS);
    if (c->status == PC_OK &&
        !(grown = pci_grow(c->context, c->states, &c->state_capacity, c->n_states,
                           c->n_states + UINT64_C(1), sizeof *grown)))
        c->status = pci_fail_memory(c->context, "the pattern", c->n_states * sizeof *grown);
    if (c->status)
        return 0;
    c->states = grown;
    grown[c->n_states] = (state){label_class, out, other};
    return c->n_states++;
}

/* Makes the states of a node in front of the state `next`; returns the first one. */
static uint32_t build(compiler *c, uint32_t number, uint32_t next)
{
    const node n = c->nodes[number];
    uint32_t first = NONE;
    if (c->status == PC_OK && ++c->n_steps > 100 * PCI_MOST_POSITIONS)
        c->status = pci_fail(c->context, PC_ERR_ARGUMENT,
                             "the pattern repeats empty walks too often: repeat less");
    if (n.kind == LABEL)
        return add_state(c, n.label_class, next, NONE);
    if (n.kind == REPEAT && n.most == ENDLESS) {
        first = add_state(c, IS_SPLIT, NONE, next);
        uint32_t body = build(c, n.child, first);
        if (c->status == PC_OK)
            c->states[first].out = body;
    } else if (n.kind == REPEAT) {
        first = next;
        for (uint32_t i = n.least; i < n.most && c->status == PC_OK; i++)
            first = add_state(c, IS_SPLIT, build(c, n.child, first), next);
    }
    for (uint32_t i = 0; n.kind == REPEAT && i < n.least && c->status == PC_OK; i++)
        first = build(c, n.child, first);
    if (n.kind == REPEAT)
        return first;
    for (uint32_t child = n.child; child != NONE; child = c->nodes[child].before) {
        uint32_t begin = build(c, child, next);
        if (n.kind == THEN)
            next = begin;
        else
            first = first == NONE ? begin : add_state(c, IS_SPLIT, begin, first);
    }
    return n.kind == THEN ? next : first;
}

/* ---- The deterministic automaton ------------------------------------------------------------- */

/* Adds a state, and those that splits lead to without a label, to the bits. */
static void reach(compiler *c, uint32_t number, uint32_t round)
{
    uint32_t n = 0;
    c->stack[n++] = number;
    while (n > 0) {
        uint32_t at = c->stack[--n];
        const state *s = &c->states[at];
        if (c->seen[at] == round)
            continue;
        c->seen[at] = round;
        if (s->label_class != IS_SPLIT) {
            c->bits[at / 64] |= UINT64_C(1) << at % 64;
            continue;
        }
        c->stack[n++] = s->out; /* each state is there twice at most */
        c->stack[n++] = s->other;
    }
}

/* The number of the set of the bits, which are cleared. */
static uint32_t add_set(compiler *c)
{
    uint32_t number = PCI_NO_STATE, any = 0;
    for (size_t w = 0; w < c->n_words; w++)
        any |= c->bits[w] != 0;
    if (any && pci_names_add(c->context, &c->sets, (const char *)c->bits,
                             c->n_words * sizeof *c->bits, &number))
        c->status = pci_fail_memory(c->context, "the pattern", c->sets.n * c->n_words * 8);
    memset(c->bits, 0, c->n_words * sizeof *c->bits);
    return number;
}

/* Makes the row of the table of deterministic state q. */
static void make_row(compiler *c, uint32_t q, uint32_t *round)
{
    uint32_t n_classes = c->made.n_classes, *row = c->made.next + (uint64_t)q * n_classes;
    uint32_t n_members = 0;
    size_t length;
    const char *set = pci_names_text(&c->sets, q, &length);
    memcpy(c->bits, set, length);
    for (uint32_t s = 0; s < c->n_states; s++)
        if (c->bits[s / 64] >> s % 64 & 1)
            c->members[n_members++] = s;
    memset(c->bits, 0, length);
    for (uint32_t k = 0; k < n_classes && c->status == PC_OK; k++) {
        ++*round;
        for (uint32_t i = 0; i < n_members; i++) {
            const state *s = &c->states[c->members[i]];
            c->made.accepts[q] |= s->label_class == IS_END;
            if (s->label_class == k || s->label_class == IS_ANY)
                reach(c, s->out, *round);
        }
        row[k] = add_set(c);
    }
}

static void determine(compiler *c, uint32_t first)
{
    uint32_t round = 1;
    uint64_t next_capacity = 0, accepts_capacity = 0, n_classes = c->made.n_classes;
    c->n_words = c->n_states / 64 + 1;
    c->bits = pci_alloc_zero(c->context, c->n_words, sizeof *c->bits);
    c->members = pci_alloc(c->context, c->n_states * sizeof *c->members);
    c->seen = pci_alloc_zero(c->context, c->n_states, sizeof *c->seen);
    c->stack = pci_alloc(c->context, (2 * c->n_states + UINT64_C(1)) * sizeof *c->stack);
    if (!c->bits || !c->members || !c->seen || !c->stack) {
        c->status = pci_fail_memory(c->context, "the pattern", 24 * (size_t)c->n_states);
        return;
    }
    reach(c, first, round);
    add_set(c);
    for (uint64_t q = 0; q < c->sets.n && c->status == PC_OK; q++) {
        if (c->sets.n > PCI_MOST_STATES) {
            c->status = pci_fail(c->context, PC_ERR_ARGUMENT,
                                 "the pattern needs more than %d states of an automaton: repeat "
                                 "less, or fewer choices that begin alike",
                                 PCI_MOST_STATES);
            return;
        }
        uint32_t *next = pci_grow(c->context, c->made.next, &next_capacity, q * n_classes,
                                  (q + 1) * n_classes, sizeof *next);
        c->made.next = next ? next : c->made.next;
        uint8_t *accepts =
            pci_grow(c->context, c->made.accepts, &accepts_capacity, q, q + 1, sizeof *accepts);
        c->made.accepts = accepts ? accepts : c->made.accepts;
        if (!next || !accepts) {
            c->status = pci_fail_memory(c->context, "the pattern", q * n_classes * sizeof *next);
            return;
        }
        accepts[q] = 0;
        make_row(c, (uint32_t)q, &round);
        if (c->status == PC_OK)
            c->status = pci_progress(c->context, "plan", 0);
    }
    c->made.n_states = (uint32_t)c->sets.n;
}

pc_status pci_pattern_compile(pc_context *context, const char *pattern, const pci_names *labels,
                              pci_automaton *automaton)
{
    compiler c = {.context = context,
                  .text = pattern,
                  .at = pattern,
                  .labels = labels,
                  .made = {.n_classes = 1,
                           .class_of = pci_alloc_zero(context, labels->n + 1, sizeof(uint32_t))}};
    uint32_t tree = NONE;
    if (!c.made.class_of)
        c.status = pci_fail_memory(context, "the pattern", labels->n * sizeof(uint32_t));
    else if (strlen(pattern) > MOST_BYTES)
        c.status = pci_fail(context, PC_ERR_ARGUMENT, "a pattern has at most 65536 bytes");
    else
        tree = parse_choice(&c);
    if (c.status == PC_OK && *c.at)
        fail_at(&c, c.at, "no bracket is open here");
    uint32_t end = add_state(&c, IS_END, NONE, NONE);
    uint32_t first = c.status ? end : build(&c, tree, end);
    if (c.status == PC_OK)
        determine(&c, first);
    if (c.status)
        pci_automaton_free(context, &c.made);
    else
        *automaton = c.made;
    pci_names_free(context, &c.sets);
    pci_free(context, c.nodes);
    pci_free(context, c.states);
    pci_free(context, c.bits);
    pci_free(context, c.members);
    pci_free(context, c.seen);
    pci_free(context, c.stack);
    return c.status;
}

void pci_automaton_free(pc_context *context, pci_automaton *automaton)
{
    pci_free(context, automaton->class_of);
    pci_free(context, automaton->next);
    pci_free(context, automaton->accepts);
    *automaton = (pci_automaton){0};
}
