/* What the scans share, and those of the plain lists NCOL and LGL. */
#include "graphs/igraph_scan.h"

#include "src/core/letters.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
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
    text->some_weights = text->some_weights || (lines->any_with && lines->any_without);
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
