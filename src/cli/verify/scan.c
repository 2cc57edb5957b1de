/* Texts, labels and counts as they come. */
#include "src/cli/verify/scan.h"

#include "src/cli/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 40 };

static uint64_t line_of(const cli_scan *scan)
{
    uint64_t line = 1;
    for (const char *at = scan->begin; (at = memchr(at, '\n', (size_t)(scan->at - at))); at++)
        line++;
    return line;
}

pc_status cli_scan_fail(const cli_scan *scan, const char *format, ...)
{
    char clause[512], sentence[1024];
    va_list values;
    if (scan->has_no_memory)
        return pc_context_fail(scan->question->context, PC_ERR_MEMORY, "no memory for a label");
    va_start(values, format);
    vsnprintf(clause, sizeof clause, format, values);
    va_end(values);
    snprintf(sentence, sizeof sentence, "%.400s:%" PRIu64 ": %s", scan->name, line_of(scan),
             clause);
    return pc_context_fail(scan->question->context, PC_ERR_DATA, sentence);
}

bool cli_scan_take(cli_scan *scan, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, text, length) != 0)
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

/* ---- Labels ---------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "\x1b" or, of JSON, "\u001b": the byte in *byte, the length of the escape; 0: there is none. */
static size_t escape_of_code(const cli_scan *scan, const char *prefix, unsigned char *byte)
{
    size_t n = strlen(prefix);
    if ((size_t)(scan->end - scan->at) < n + 2 || memcmp(scan->at, prefix, n) != 0)
        return 0;
    int high = hex_digit(scan->at[n]), low = hex_digit(scan->at[n + 1]);
    *byte = (unsigned char)(16 * high + low);
    return high >= 0 && low >= 0 ? n + 2 : 0;
}

/* Takes one byte of a label, escaped as the form has it. */
static bool take_byte(cli_scan *scan, cli_label_form form, char wanted)
{
    static const char tsv[] = "\tt\nn\rr\\\\", csv[] = "\"\"", json[] = "\"\"\\\\";
    const char *pairs = form == CLI_LABEL_TSV    ? tsv
                        : form == CLI_LABEL_JSON ? json
                        : form == CLI_LABEL_CSV  ? csv
                                                 : "";
    char text[3] = {form == CLI_LABEL_CSV ? '"' : '\\', 0, 0};
    bool is_control = (unsigned char)wanted < ' ' || wanted == 0x7f;
    for (; *pairs != '\0'; pairs += 2)
        if (*pairs == wanted) {
            text[1] = pairs[1];
            return cli_scan_take(scan, text);
        }
    if ((form == CLI_LABEL_SHOWN && is_control) ||
        (form == CLI_LABEL_JSON && (unsigned char)wanted < ' ')) {
        unsigned char byte;
        size_t length = escape_of_code(scan, form == CLI_LABEL_JSON ? "\\u00" : "\\x", &byte);
        scan->at += length;
        return length > 0 && byte == (unsigned char)wanted;
    }
    return cli_scan_take_character(scan, wanted);
}

bool cli_scan_take_label(cli_scan *scan, cli_label_form form, const pc_labels *labels,
                         uint64_t index)
{
    char *label = cli_label_raw(labels, index);
    scan->has_no_memory = label == NULL;
    if (label == NULL)
        return false;
    bool is_quoted = form == CLI_LABEL_CSV || form == CLI_LABEL_JSON
                         ? cli_scan_take_character(scan, '"')
                         : false;
    cli_label_form inside = form == CLI_LABEL_CSV && !is_quoted ? CLI_LABEL_SHOWN : form;
    bool is_taken = form != CLI_LABEL_JSON || is_quoted;
    for (const char *c = label; *c != '\0' && is_taken; c++)
        is_taken = inside == CLI_LABEL_SHOWN && form == CLI_LABEL_CSV
                       ? cli_scan_take_character(scan, *c)
                       : take_byte(scan, inside, *c);
    if (is_taken && is_quoted)
        is_taken = cli_scan_take_character(scan, '"');
    free(label);
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

pc_status cli_scan_take_count(cli_scan *scan, uint64_t row, uint64_t column, const char *stops)
{
    const char *at = scan->at;
    while (at < scan->end && strchr(stops, *at) == NULL)
        at++;
    size_t length = (size_t)(at - scan->at);
    const char *wrong = scan->checker->text(scan->checker, row, column, scan->at, length);
    if (wrong != NULL)
        return cli_scan_fail(scan, "'%.*s' %s", (int)(length < SHOWN_BYTES ? length : SHOWN_BYTES),
                             scan->at, wrong);
    scan->at = at;
    scan->n_counts++;
    return PC_OK;
}

pc_status cli_scan_skip_line(cli_scan *scan)
{
    const char *end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    scan->at = end != NULL ? end : scan->end;
    return end != NULL ? PC_OK : cli_scan_fail(scan, "this line has no end");
}

pc_status cli_scan_end_line(cli_scan *scan)
{
    return cli_scan_take_character(scan, '\n')
               ? PC_OK
               : cli_scan_fail(scan, "this line is too long, or has no end");
}

pc_status cli_scan_end_row(cli_scan *scan, uint64_t row)
{
    const cli_verify_question *q = scan->question;
    const char *wrong = scan->checker->row(scan->checker, row);
    cli_question asked = q->options->query.question;
    bool has_name = asked == CLI_ASK_MATRIX || asked == CLI_ASK_CLOSED || asked == CLI_ASK_SUMS ||
                    cli_verify_is_series(q);
    if (wrong == NULL)
        return PC_OK;
    char *label = has_name ? cli_label_shown(q->labels, row) : NULL;
    pc_status status =
        label != NULL
            ? cli_scan_fail(scan, "the counts of row '%.100s' %s", label, wrong)
            : cli_scan_fail(scan, "the count%s here %s", q->n_columns == 1 ? "" : "s", wrong);
    free(label);
    return status;
}

pc_status cli_scan_end(const cli_scan *scan)
{
    return scan->at == scan->end ? PC_OK
                                 : cli_scan_fail(scan, "more than the result that was asked for");
}
