/* Takes texts, labels and counts, one after the other. */
#include "src/cli/verify/scan.h"

#include "src/cli/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 40 };

bool cli_scan_fail(cli_scan *scan, const char *format, ...)
{
    char clause[512], sentence[1024];
    uint64_t line = 1;
    va_list values;
    va_start(values, format);
    vsnprintf(clause, sizeof clause, format, values);
    va_end(values);
    for (const char *at = scan->begin; (at = memchr(at, '\n', (size_t)(scan->at - at))); at++)
        line++;
    snprintf(sentence, sizeof sentence, "%.400s:%" PRIu64 ": %s", scan->name, line, clause);
    scan->status = pc_context_fail(scan->question->context, PC_ERR_DATA, sentence);
    return false;
}

bool cli_scan_refuse(cli_scan *scan, const char *kind)
{
    return cli_scan_fail(
        scan,
        "%s cannot be verified: matrices (-o FILE), vectors, pairs, totals, streams "
        "and the files of --certificate can",
        kind);
}

bool cli_scan_take(cli_scan *scan, const char *text)
{
    size_t length = strlen(text);
    if (!cli_scan_begins(scan, text, length))
        return false;
    scan->at += length;
    return true;
}

bool cli_scan_take_character(cli_scan *scan, char c)
{
    if (scan->at == scan->end || *scan->at != c)
        return false;
    scan->at++;
    return true;
}

bool cli_scan_take_word(cli_scan *scan, char stop, uint64_t *word)
{
    const char *end = memchr(scan->at, stop, (size_t)(scan->end - scan->at));
    if (end == NULL || !cli_decimal_word(scan->at, (size_t)(end - scan->at), word))
        return false;
    scan->at = end + 1;
    return true;
}

bool cli_scan_skip_line(cli_scan *scan)
{
    const char *end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    scan->at = end != NULL ? end : scan->end;
    return end != NULL || cli_scan_fail(scan, "this line has no end");
}

bool cli_scan_end_line(cli_scan *scan)
{
    return cli_scan_take_character(scan, '\n') ||
           cli_scan_fail(scan, "this line is too long, or has no end");
}

bool cli_scan_end(cli_scan *scan)
{
    return scan->at == scan->end || cli_scan_fail(scan, "more than the result that was asked for");
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* Takes one byte of a label, escaped as the form has it. */
static bool take_byte(cli_scan *scan, cli_label_form form, char wanted)
{
    static const char *const escaped[] = {[CLI_LABEL_TSV] = "\tt\nn\rr\\\\",
                                          [CLI_LABEL_CSV] = "\"\"",
                                          [CLI_LABEL_JSON] = "\"\"\\\\",
                                          [CLI_LABEL_SHOWN] = ""};
    char text[8] = {form == CLI_LABEL_CSV ? '"' : '\\'};
    bool is_control = (unsigned char)wanted < ' ';
    for (const char *pairs = escaped[form]; *pairs != '\0'; pairs += 2)
        if (*pairs == wanted) {
            text[1] = pairs[1];
            return cli_scan_take(scan, text);
        }
    if (form == CLI_LABEL_SHOWN && (is_control || wanted == 0x7f))
        snprintf(text, sizeof text, "\\x%02x", (unsigned char)wanted);
    else if (form == CLI_LABEL_JSON && is_control)
        snprintf(text, sizeof text, "\\u%04x", (unsigned char)wanted);
    else
        return cli_scan_take_character(scan, wanted);
    return cli_scan_take(scan, text);
}

bool cli_scan_take_label(cli_scan *scan, cli_label_form form, const pc_labels *labels,
                         uint64_t index)
{
    char *label = cli_label_raw(labels, index);
    bool may_be_quoted = form == CLI_LABEL_CSV || form == CLI_LABEL_JSON;
    bool is_quoted = may_be_quoted && cli_scan_take_character(scan, '"');
    bool is_taken = form != CLI_LABEL_JSON || is_quoted;
    bool is_plain = form == CLI_LABEL_CSV && !is_quoted;
    for (const char *c = label; *c != '\0' && is_taken; c++)
        is_taken = is_plain ? cli_scan_take_character(scan, *c) : take_byte(scan, form, *c);
    free(label);
    return is_taken && (!is_quoted || cli_scan_take_character(scan, '"'));
}

bool cli_scan_take_labels(cli_scan *scan, cli_label_form form, const pc_labels *labels,
                          const char *first, const char *next, const char *after)
{
    bool is_taken = true;
    for (uint64_t i = 0; i < pc_labels_count(labels) && is_taken; i++)
        is_taken = cli_scan_take(scan, i == 0 ? first : next) &&
                   cli_scan_take_label(scan, form, labels, i) && cli_scan_take(scan, after);
    return is_taken;
}

bool cli_labels_count_from(const pc_labels *labels, uint64_t first)
{
    char label[32], number[32];
    for (uint64_t i = 0; i < pc_labels_count(labels); i++) {
        pc_labels_text(labels, i, label, sizeof label);
        snprintf(number, sizeof number, "%" PRIu64, first + i);
        if (strcmp(label, number) != 0)
            return false;
    }
    return true;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

bool cli_scan_fail_entry(cli_scan *scan, uint64_t row, uint64_t column, cli_entry entry,
                         const char *wrong)
{
    int n_shown = (int)(entry.n_bytes < SHOWN_BYTES ? entry.n_bytes : SHOWN_BYTES);
    if (entry.text == NULL)
        return cli_scan_fail(scan, "entry [%" PRIu64 ", %" PRIu64 "] %s", row, column, wrong);
    return cli_scan_fail(scan, "'%.*s' %s", n_shown, entry.text, wrong);
}

bool cli_scan_take_count(cli_scan *scan, uint64_t row, uint64_t column, const char *stops)
{
    const char *at = scan->at;
    while (at < scan->end && *at != stops[0] && *at != stops[1] && *at != '\0')
        at++;
    cli_entry entry = {.text = scan->at, .n_bytes = (size_t)(at - scan->at)};
    if (!cli_scan_take_entry(scan, row, column, entry))
        return false;
    scan->at = at;
    return true;
}

void cli_scan_begin_length(cli_scan *scan, uint64_t length_index)
{
    scan->n_ended = 0;
    cli_compare_begin(scan->comparer, length_index);
}

bool cli_scan_end_rows(cli_scan *scan, uint64_t end)
{
    const cli_verify_question *q = scan->question;
    for (uint64_t row = scan->n_ended; row < end; row = ++scan->n_ended) {
        const char *wrong = cli_scan_wants(scan, row) ? cli_compare_row(scan->comparer, row) : NULL;
        if (wrong == NULL)
            continue;
        char *label = q->has_names ? cli_label_shown(q->labels, row) : NULL;
        if (label != NULL)
            cli_scan_fail(scan, "the counts of row '%.100s' %s", label, wrong);
        else
            cli_scan_fail(scan, "the count%s here %s", q->n_columns == 1 ? "" : "s", wrong);
        free(label);
        return false;
    }
    return true;
}
