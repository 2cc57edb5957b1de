/* What the scans share, and those of the plain lists NCOL and LGL. */
#define _GNU_SOURCE /* qsort_r */
#include "graphs/igraph_scan.h"

#include "src/core/number.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t line_of(const pci_igraph_text *text, const char *at)
{
    uint64_t line = 0;
    pci_igraph_span span;
    for (const char *next = text->bytes;
         next <= at && pci_igraph_next_line(&next, text->bytes + text->n_bytes, &span);)
        line++;
    return line;
}

pc_status pci_igraph_text_fail(const pci_igraph_text *text, const char *at, const char *format, ...)
{
    char fault[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault, sizeof fault, format, arguments);
    va_end(arguments);
    return pci_igraph_fail(text->context, PC_ERR_DATA, "%s:%" PRIu64 ": %s", text->path,
                           line_of(text, at), fault);
}

bool pci_igraph_next_line(const char **at, const char *end, pci_igraph_span *line)
{
    if (*at == end)
        return false;
    line->at = line->end = *at;
    while (line->end < end && *line->end != '\n' && *line->end != '\r')
        line->end++;
    *at = line->end;
    if (*at < end)
        *at += *at + 1 < end && (*at)[0] == '\r' && (*at)[1] == '\n' ? 2 : 1;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

bool pci_igraph_next_word(pci_igraph_span *line, pci_igraph_span *word)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
    word->at = line->at;
    while (line->at < line->end && !is_blank(*line->at))
        line->at++;
    word->end = line->at;
    return word->at < word->end;
}

uint64_t pci_igraph_count_words(pci_igraph_span line)
{
    uint64_t n_words = 0;
    for (pci_igraph_span word; pci_igraph_next_word(&line, &word);)
        n_words++;
    return n_words;
}

uint64_t pci_igraph_word_number(pci_igraph_span word)
{
    uint64_t number = 0;
    for (; word.at < word.end && *word.at >= '0' && *word.at <= '9'; word.at++) {
        uint64_t digit = (uint64_t)(*word.at - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return UINT64_MAX;
        number = 10 * number + digit;
    }
    return number;
}

bool pci_igraph_span_is(pci_igraph_span span, const char *text)
{
    size_t length = strlen(text);
    return pci_igraph_span_bytes(span) == length && memcmp(span.at, text, length) == 0;
}

bool pci_igraph_word_is(pci_igraph_span word, const char *lower_case)
{
    size_t length = strlen(lower_case);
    return pci_igraph_span_bytes(word) == length && pci_equal_any_case(word.at, lower_case, length);
}

pc_status pci_igraph_note_weight(pci_igraph_text *text, pci_igraph_weight_lines *lines,
                                 const char *at, bool has_weight)
{
    *(has_weight ? &lines->any_with : &lines->any_without) = true;
    if (text->uses_weights && lines->any_with && lines->any_without) {
        return pci_igraph_text_fail(text, at,
                                    "%s, unlike the lines before: give every edge a "
                                    "weight or none",
                                    has_weight ? "an edge with a weight"
                                               : "an edge without a weight");
    }
    return PC_OK;
}

pc_status pci_igraph_check_ids(const pci_igraph_text *text, pci_igraph_span line, uint64_t n_words,
                               uint64_t n_vertices)
{
    pci_igraph_span word;
    for (; n_words > 0 && pci_igraph_next_word(&line, &word); n_words--) {
        uint64_t id = pci_igraph_word_number(word);
        if (*word.at >= '0' && *word.at <= '9' && (id < 1 || id > n_vertices)) {
            return pci_igraph_text_fail(
                text, word.at, "there is no vertex %.*s, they are numbered 1 to %" PRIu64,
                (int)(word.end - word.at < 40 ? word.end - word.at : 40), word.at, n_vertices);
        }
    }
    return PC_OK;
}

/* ---- The text of igraph ---------------------------------------------------------------------- */

void pci_igraph_put(pci_igraph_text *text, const char *bytes, size_t n_bytes)
{
    if (text->n_made + n_bytes > text->made_capacity) {
        size_t capacity = text->n_made + n_bytes +
                          (text->made_capacity > 0 ? text->made_capacity : text->n_bytes);
        char *made = realloc(text->made, capacity);
        text->lacks_memory = text->lacks_memory || !made;
        if (!made)
            return;
        text->made = made;
        text->made_capacity = capacity;
    }
    memcpy(text->made + text->n_made, bytes, n_bytes);
    text->n_made += n_bytes;
}

void pci_igraph_put_format(pci_igraph_text *text, const char *format, ...)
{
    char words[128];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    pci_igraph_put(text, words, (size_t)length < sizeof words ? (size_t)length : sizeof words - 1);
}

void pci_igraph_replace(pci_igraph_text *text, const char *at, size_t n_bytes, const char *words)
{
    const char *from = text->copied_to ? text->copied_to : text->bytes;
    pci_igraph_put(text, from, (size_t)(at - from));
    pci_igraph_put(text, words, strlen(words));
    text->copied_to = at + n_bytes;
}

void pci_igraph_copy_rest(pci_igraph_text *text)
{
    const char *end = text->bytes + text->n_bytes;
    if (!text->copied_to || text->copied_to > end)
        return;
    pci_igraph_put(text, text->copied_to, (size_t)(end - text->copied_to));
    text->copied_to = end;
}

pc_status pci_igraph_take_made(pci_igraph_text *text)
{
    pci_igraph_copy_rest(text);
    if (text->lacks_memory)
        return pci_igraph_fail(text->context, PC_ERR_MEMORY, "%s: out of memory", text->path);
    if (text->made) {
        text->bytes = text->made;
        text->n_bytes = text->n_made;
    }
    return PC_OK;
}

void pci_igraph_text_destroy(pci_igraph_text *text)
{
    pci_igraph_names_free(&text->ids);
    free(text->made);
}

/* ---- Names ----------------------------------------------------------------------------------- */

bool pci_igraph_names_add(pci_igraph_names *names, pci_igraph_span name)
{
    if (names->n == names->capacity) {
        uint64_t capacity = names->capacity > 0 ? 2 * names->capacity : 64;
        pci_igraph_span *grown = realloc(names->name, capacity * sizeof *grown);
        if (!grown)
            return false;
        names->name = grown;
        names->capacity = capacity;
    }
    names->name[names->n++] = name;
    return true;
}

static int compare_spans(pci_igraph_span a, pci_igraph_span b)
{
    size_t n_a = pci_igraph_span_bytes(a), n_b = pci_igraph_span_bytes(b);
    int order = memcmp(a.at, b.at, n_a < n_b ? n_a : n_b);
    return order != 0 ? order : (n_a > n_b) - (n_a < n_b);
}

static int compare_numbers(const void *a, const void *b, void *names)
{
    uint64_t i = *(const uint64_t *)a, j = *(const uint64_t *)b;
    const pci_igraph_span *name = ((const pci_igraph_names *)names)->name;
    int order = compare_spans(name[i], name[j]);
    return order != 0 ? order : (i > j) - (i < j);
}

bool pci_igraph_names_sort(pci_igraph_names *names)
{
    names->sorted = malloc((names->n + 1) * sizeof *names->sorted);
    if (!names->sorted)
        return false;
    for (uint64_t i = 0; i < names->n; i++)
        names->sorted[i] = i;
    qsort_r(names->sorted, names->n, sizeof *names->sorted, compare_numbers, names);
    return true;
}

uint64_t pci_igraph_names_find(const pci_igraph_names *names, pci_igraph_span name)
{
    uint64_t low = 0, high = names->n;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (compare_spans(names->name[names->sorted[middle]], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < names->n && compare_spans(names->name[names->sorted[low]], name) == 0;
    return found ? names->sorted[low] : names->n;
}

void pci_igraph_names_free(pci_igraph_names *names)
{
    free(names->name);
    free(names->sorted);
    *names = (pci_igraph_names){0};
}

/* ---- Every format ---------------------------------------------------------------------------- */

static bool starts_with(const pci_igraph_text *text, const char *bytes, size_t n_bytes)
{
    return text->n_bytes >= n_bytes && memcmp(text->bytes, bytes, n_bytes) == 0;
}

pc_status pci_igraph_scan_bytes(pci_igraph_text *text)
{
    if (starts_with(text, "\xff\xfe", 2) || starts_with(text, "\xfe\xff", 2)) {
        return pci_igraph_text_fail(text, text->bytes,
                                    "the file is UTF-16: convert it to UTF-8, for example with "
                                    "iconv -f UTF-16 -t UTF-8");
    }
    if (starts_with(text, "\xef\xbb\xbf", 3)) {
        text->bytes += 3;
        text->n_bytes -= 3;
    }
    if (text->n_bytes == 0)
        return pci_igraph_fail(text->context, PC_ERR_DATA, "%s:1: the file is empty", text->path);
    const char *nul = memchr(text->bytes, '\0', text->n_bytes);
    if (nul)
        return pci_igraph_text_fail(text, nul, "a NUL byte: this is not a text file");
    return PC_OK;
}

typedef struct list_format {
    const char *name;
    const char *edge; /* what an edge line is */
    uint64_t n_ends;  /* names of an edge line; a weight may follow */
    char heading;     /* starts a line with the name of a vertex; '\0': there are none */
} list_format;

static bool looks_like_number(pci_igraph_span word)
{
    while (word.at < word.end && strchr("0123456789+-.eE", *word.at) != NULL)
        word.at++;
    return word.at == word.end;
}

static pc_status check_edge_line(pci_igraph_text *text, const list_format *list,
                                 pci_igraph_weight_lines *weights, pci_igraph_span line)
{
    uint64_t n_words = pci_igraph_count_words(line);
    if (n_words < list->n_ends || n_words > list->n_ends + 1) {
        return pci_igraph_text_fail(text, line.at,
                                    "a line of %s is %s, and this one has %" PRIu64 " words",
                                    list->name, list->edge, n_words);
    }
    pci_igraph_span rest = line, word = line;
    for (uint64_t i = 0; i < n_words; i++)
        pci_igraph_next_word(&rest, &word);
    if (n_words > list->n_ends && !looks_like_number(word))
        return pci_igraph_text_fail(text, line.at, "the weight is not a number");
    return pci_igraph_note_weight(text, weights, line.at, n_words > list->n_ends);
}

static pc_status scan_list(pci_igraph_text *text, const list_format *list)
{
    pci_igraph_weight_lines weights = {false, false};
    pci_igraph_span line, rest, word;
    const char *end = text->bytes + text->n_bytes;
    pc_status status = PC_OK;
    for (const char *at = text->bytes; status == PC_OK && pci_igraph_next_line(&at, end, &line);) {
        rest = line;
        if (!pci_igraph_next_word(&rest, &word))
            continue;
        char first = *word.at;
        if ((first == '#' || first == '%') && first != list->heading) {
            return pci_igraph_text_fail(text, line.at,
                                        "a line that starts with %c would be read as an edge, "
                                        "because %s has no comments: remove it, or read the file "
                                        "as an edge list if it is one",
                                        first, list->name);
        }
        if (first != list->heading)
            status = check_edge_line(text, list, &weights, line);
    }
    return status;
}

pc_status pci_igraph_scan_ncol(pci_igraph_text *text)
{
    static const list_format ncol = {"NCOL", "two names and perhaps a weight", 2, '\0'};
    return scan_list(text, &ncol);
}

pc_status pci_igraph_scan_lgl(pci_igraph_text *text)
{
    static const list_format lgl = {"LGL", "# and a name, or a name and perhaps a weight", 1, '#'};
    return scan_list(text, &lgl);
}
