/* Taking the first lines of a text apart: comments, the facts that they state, and data. */
#include "io/sample.h"

#include "io/text.h"

#include <inttypes.h>
#include <stdio.h>

enum { HEAD_BYTES = 1 << 16, LEAST_LINES = 4, MOST_SIZES = 3 };

/* ---- Lines ----------------------------------------------------------------------------------- */

pci_head pci_head_of(const pci_input *input, const char *begin)
{
    const char *end = input->text + input->n_bytes, *at = begin;
    pci_head head = {begin, end, input->is_whole};
    if (end - begin <= HEAD_BYTES && input->is_whole)
        return head;
    head.end = end - begin <= HEAD_BYTES ? end : begin + HEAD_BYTES;
    while (head.end > begin && head.end[-1] != '\n')
        head.end--;
    for (int n = 0; n < LEAST_LINES && at < end; n++)
        at = pci_line_end(at, end) < end ? pci_line_end(at, end) + 1 : end;
    head.end = at > head.end && (input->is_whole || at[-1] == '\n') ? at : head.end;
    head.is_whole = input->is_whole && head.end == end;
    return head;
}

bool pci_head_line(const pci_head *head, const char **at, const char **begin, const char **end)
{
    if (!pci_next_line(at, head->end, begin, end))
        return false;
    while (*begin < *end && pci_is_space(**begin))
        (*begin)++;
    while (*end > *begin && pci_is_space((*end)[-1]))
        (*end)--;
    return true;
}

bool pci_head_data_line(const pci_head *head, const char **at, const char **begin, const char **end)
{
    while (pci_head_line(head, at, begin, end))
        if (*begin < *end && **begin != '#' && **begin != '%')
            return true;
    return false;
}

/* ---- Comments -------------------------------------------------------------------------------- */

/* Notes the directions that a comment states: "directed", "un-directed: false", "% asym" of KONECT. */
static void note_directions(const char *line, const char *end, bool stated[2])
{
    static const char word[] = "directed";
    const size_t length = sizeof word - 1;
    if (pci_begins_with(line, end, "% sym ") || pci_begins_with(line, end, "% asym "))
        stated[line[2] == 'a'] = true;
    for (const char *at = line; at + length <= end; at++) {
        const char *before = at, *next = pci_skip_blanks(at + length, end);
        if (!pci_equal_any_case(at, word, length) ||
            (at + length < end && pci_is_letter_or_digit(at[length])))
            continue;
        before -= before > line && (before[-1] == '-' || before[-1] == ' ') && before - 2 >= line &&
                  pci_lower(before[-2]) != 'd';
        if (before - 2 >= line && pci_equal_any_case(before - 2, " a", 2))
            before -= 2; /* "not a directed graph" */
        bool is_negated = (before - 2 >= line && pci_equal_any_case(before - 2, "un", 2)) ||
                          (before - 3 >= line && (pci_equal_any_case(before - 3, "non", 3) ||
                                                  pci_equal_any_case(before - 3, "not", 3)));
        if (!is_negated && at > line && pci_is_letter_or_digit(at[-1]))
            continue;
        if (next < end && (*next == ':' || *next == '=')) {
            next = pci_skip_blanks(next + 1, end);
            is_negated ^= pci_begins_with_any_case(next, end, "false") ||
                          pci_begins_with_any_case(next, end, "no") ||
                          pci_begins_with(next, end, "0");
        }
        stated[!is_negated] = true;
    }
}

/* Returns whether a text is one number alone. */
static bool is_number(const char *at, const char *end)
{
    at = pci_skip_blanks(at, end);
    const char *behind = pci_skip_digits(at, end);
    return behind > at && pci_skip_blanks(behind, end) == end;
}

/* "nodes: 5" */
static bool is_named_number(const char *at, const char *end)
{
    const char *word = at;
    while (at < end && (pci_is_letter_or_digit(*at) || *at == '_'))
        at++;
    at = pci_skip_blanks(at, end);
    if (at == word || *word <= '9' || at == end || (*at != ':' && *at != '='))
        return false;
    return is_number(at + 1, end);
}

/* Returns whether some programs begin comments so; in other files it is a label. "c" is one where the last line has
 * another number of words. */
static bool has_odd_mark(const pci_sample *s, const pci_span *line)
{
    static const char *const marks[] = {"//", ";", "!", "--", "*", "/*"};
    const char *at = pci_skip_blanks(line->begin, line->end);
    size_t n_words[2] = {0, 0};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (pci_begins_with(at, line->end, marks[i]))
            return true;
    if (is_named_number(at, line->end))
        return true;
    if (line != s->line || line->end - at < 2 || *at != 'c' || !pci_is_blank(at[1]))
        return false;
    for (int i = 0; i < 2; i++) {
        const pci_span *counted = i == 0 ? line : &s->line[s->n_lines - 1];
        for (at = counted->begin; at < counted->end; at++)
            n_words[i] += !pci_is_blank(*at) && (at == counted->begin || pci_is_blank(at[-1]));
    }
    return n_words[0] != n_words[1];
}

/* Takes the lines apart: comments, blank lines, data. */
pc_status pci_sample_take(const pci_input *input, const char *text, pci_sample *s)
{
    *s = (pci_sample){.input = input, .head = pci_head_of(input, text)};
    const char *nul = memchr(text, 0, (size_t)(s->head.end - text));
    if (nul)
        return pci_input_fail(input, nul, "a NUL byte: this is not a text file");
    const char *at = s->head.begin, *begin, *end;
    bool stated[2] = {false, false};
    size_t n_most = 1;
    while (pci_next_line(&at, s->head.end, &begin, &end))
        n_most++;
    s->line = pci_alloc(input->context, n_most * sizeof *s->line);
    if (!s->line)
        return pci_fail_memory(input->context, "lines", n_most * sizeof *s->line);
    for (at = s->head.begin; pci_next_line(&at, s->head.end, &begin, &end);) {
        end -= end > begin && end[-1] == '\r';
        const char *first = pci_skip_blanks(begin, end);
        if (first < end && (*first == '#' || *first == '%'))
            note_directions(first, end, stated);
        else if (memchr(first, '\r', (size_t)(end - first)))
            return pci_input_fail(input, first, "a carriage return within the line");
        else if (first < end)
            s->line[s->n_lines++] = (pci_span){begin, end};
    }
    while (s->n_odd < s->n_lines && has_odd_mark(s, &s->line[s->n_odd])) {
        const pci_span *odd = &s->line[s->n_odd++];
        bool is_stated[2] = {false, false};
        note_directions(odd->begin, odd->end, is_stated);
        for (int d = 0; d < 2; d++)
            stated[d] = stated[d] || is_stated[d];
        s->is_odd_comment = s->is_odd_comment || is_stated[0] || is_stated[1];
    }
    while (s->n_sizes < s->n_lines && s->n_sizes < MOST_SIZES &&
           is_number(s->line[s->n_sizes].begin, s->line[s->n_sizes].end))
        s->n_sizes++;
    s->is_contradictory = stated[0] && stated[1];
    s->stated = stated[0] == stated[1] ? PC_DIRECTION_OF_FORMAT
                : stated[1]            ? PC_DIRECTED
                                       : PC_UNDIRECTED;
    return PC_OK;
}

void pci_sample_free(pci_sample *s)
{
    pc_context *context = s->input->context;
    for (uint32_t i = 0; i < s->n_tables; i++) {
        pci_free(context, s->table[i].cell);
        pci_free(context, s->table[i].row);
    }
    pci_names_free(context, &s->names);
    pci_free(context, s->mark);
    pci_free(context, s->line);
    *s = (pci_sample){.input = s->input};
}

/* ---- The head comment of files that we write ------------------------------------------------- */

void pci_head_comment_text(const pci_head_comment *comment, char text[PCI_HEAD_COMMENT_BYTES])
{
    static const char *const directions[] = {
        [PC_DIRECTION_OF_FORMAT] = "", [PC_DIRECTED] = "directed", [PC_UNDIRECTED] = "undirected"};
    const char *direction = directions[comment->direction];
    size_t n = (size_t)snprintf(text, PCI_HEAD_COMMENT_BYTES, "pathcount graph: %s%s%s%s",
                                direction, *direction && comment->weights ? ", " : "",
                                comment->weights ? "weights" : "",
                                comment->loops_twice ? ", loops twice" : "");
    if (comment->has_n_vertices)
        snprintf(text + n, PCI_HEAD_COMMENT_BYTES - n, ", %" PRIu64 " vertices",
                 comment->n_vertices);
}

/* Moves *at behind the word when the text there begins with it, and tells whether it does. */
static bool take(const char **at, const char *end, const char *word)
{
    bool begins = pci_begins_with(*at, end, word);
    *at += begins ? strlen(word) : 0;
    return begins;
}

bool pci_head_comment_parse(const char *at, const char *end, pci_head_comment *comment,
                            bool *is_good)
{
    pci_head_comment made = {0};
    bool good = true;
    while (at < end && *at == ' ')
        at++;
    while (end > at && (end[-1] == '\r' || end[-1] == ' '))
        end--;
    if (!take(&at, end, "pathcount graph: "))
        return false;
    do {
        const char *digits = at;
        if (take(&at, end, "directed")) {
            made.direction = PC_DIRECTED;
        } else if (take(&at, end, "undirected")) {
            made.direction = PC_UNDIRECTED;
        } else if (take(&at, end, "weights")) {
            made.weights = true;
        } else if (take(&at, end, "loops twice")) {
            made.loops_twice = true;
        } else { /* "10 vertices" */
            at = pci_skip_digits(at, end);
            made.has_n_vertices = true;
            good =
                pci_integer_parse(digits, (size_t)(at - digits), &made.n_vertices) == PCI_INTEGER &&
                take(&at, end, " vertices");
        }
    } while (good && take(&at, end, ", "));
    if (made.loops_twice && (made.direction != PC_UNDIRECTED || !made.weights))
        good = false;
    *is_good = good && (at == end || *at == ';');
    if (*is_good)
        *comment = made;
    return true;
}

const char *pci_head_comment_find(const pci_head *head, pci_head_comment *comment, bool *is_good)
{
    const char *at = head->begin, *line, *end;
    while (pci_head_line(head, &at, &line, &end) && (line == end || *line == '#' || *line == '%'))
        if (line < end && pci_head_comment_parse(line + 1, end, comment, is_good))
            return line;
    return NULL;
}
