/* Choosing how a text is read that has no mark of a format: what people and the parser should know of the reading, and
 * the messages about a text that may be several graphs, or none. */
#include "io/readings.h"

#include "graphs/builder.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- Asking ---------------------------------------------------------------------------------- */

enum {
    OPTION_BYTES = 96,
    MOST_ASKED = 8,
    USE_FORMAT = 1,
    USE_HEADER = 2,
    USE_COLUMNS = 4,
    USE_SEPARATOR = 8
};

/* Adds to asked what tells of a reading, and writes the same as options of the command. */
static void ask_for(const pci_reading *r, unsigned uses, pci_asked *asked, char text[OPTION_BYTES])
{
    char columns[40] = "", separator[24] = "";
    if (uses & USE_FORMAT) {
        asked->format = pci_readings[r->kind].format;
        asked->is_named = false;
    }
    if (uses & USE_HEADER)
        asked->header = r->first_row > 0 ? PC_HEADER_FIRST_LINE : PC_HEADER_NONE;
    for (int e = 0; e < 2 && (uses & USE_COLUMNS); e++) {
        asked->n_columns = 2;
        asked->number[e] = r->at[e];
    }
    if (uses & USE_COLUMNS)
        snprintf(columns, sizeof columns, " --columns %" PRIu32 ",%" PRIu32, r->at[PCI_FROM] + 1,
                 r->at[PCI_TO] + 1);
    if (uses & USE_SEPARATOR) {
        asked->separator = r->separator;
        snprintf(separator, sizeof separator,
                 r->separator == '\t'                 ? " --separator tab"
                 : r->separator == ' '                ? " --separator space"
                 : strchr("|;", r->separator) != NULL ? " --separator '%c'"
                                                      : " --separator %c",
                 r->separator);
    }
    snprintf(text, OPTION_BYTES, "%s%s%s%s%s", uses & USE_FORMAT ? " --format " : "",
             uses & USE_FORMAT ? pci_readings[r->kind].option : "",
             !(uses & USE_HEADER) ? ""
             : r->first_row > 0   ? " --header"
                                  : " --no-header",
             columns, separator);
}

/* Finds options that choose a reading, and puts them into text; "" when none do. */
static pc_status find_options(const pci_reading_question *q, const pci_asked *asked,
                              const pci_reading *wanted, uint64_t hash, char text[OPTION_BYTES])
{
    static const unsigned ways[] = {USE_HEADER,
                                    USE_COLUMNS,
                                    USE_FORMAT,
                                    USE_SEPARATOR,
                                    USE_HEADER | USE_COLUMNS,
                                    USE_FORMAT | USE_HEADER,
                                    USE_HEADER | USE_SEPARATOR,
                                    USE_COLUMNS | USE_SEPARATOR,
                                    USE_HEADER | USE_COLUMNS | USE_SEPARATOR};
    pci_decision *d = pci_alloc(q->input->context, sizeof *d);
    bool is_edges = pci_is_of(wanted, PCI_EDGE_KINDS), is_found = false;
    pc_status status = d ? PC_OK : pci_fail_memory(q->input->context, "readings", sizeof *d);
    text[0] = 0;
    for (size_t i = 0; status == PC_OK && !is_found && i < sizeof ways / sizeof *ways; i++) {
        unsigned uses = wanted->table && wanted->table->is_rare ? ways[i] | USE_SEPARATOR : ways[i];
        pci_asked more = *asked;
        if ((!is_edges && uses != USE_FORMAT) || !pci_readings[wanted->kind].option ||
            (!wanted->table && (uses & (USE_COLUMNS | USE_SEPARATOR))) ||
            ((uses & USE_COLUMNS) && asked->n_columns > 0))
            continue;
        ask_for(wanted, uses, &more, text);
        if (wanted->kind == PCI_METIS)
            break; /* a parser of its own takes it */
        status = pci_decide(q, &more, d);
        if (status)
            break;
        is_found = d->found.n > 0 && !d->asks;
        if (is_found)
            status = pci_decision_hash(q, d, 0);
        is_found = is_found && d->hash[0] == hash;
        pci_sample_free(&d->sample);
        if (!is_found)
            text[0] = 0;
    }
    pci_free(q->input->context, d);
    return status;
}

static void describe(const pci_reading *r, char *text, size_t n_bytes)
{
    if (pci_is_of(r, PCI_MATRIX_KINDS))
        snprintf(text, n_bytes, "a %" PRIu32 " x %" PRIu32 " matrix%s", r->n_columns, r->n_columns,
                 r->names_across || r->names_down ? " with names" : "");
    else if (pci_is_of(r, PCI_EDGE_KINDS) && r->table &&
             (r->at[PCI_FROM] != 0 || r->at[PCI_TO] != 1))
        snprintf(text, n_bytes, "edges with columns %" PRIu32 " and %" PRIu32 "%s",
                 r->at[PCI_FROM] + 1, r->at[PCI_TO] + 1, r->first_row > 0 ? " below a header" : "");
    else if (r->kind == PCI_EDGES && (r->facts & PCI_LOOSE))
        snprintf(text, n_bytes, "edges with columns 1 and 2");
    else
        snprintf(text, n_bytes, "%s", pci_readings[r->kind].title);
}

/* Lists the readings that give different graphs, each with its options. */
static pc_status ask(const pci_reading_question *q, const pci_asked *asked, pci_decision *d)
{
    char list[1024] = "";
    size_t n = 0;
    uint32_t n_listed = 0;
    const pci_found *f = &d->found;
    for (uint32_t i = 0; i < f->n && n_listed < MOST_ASKED; i++) {
        char title[120], options[OPTION_BYTES], item[sizeof title + OPTION_BYTES + 4];
        bool is_again = false;
        for (uint32_t j = 0; j < i; j++)
            is_again = is_again || (f->n > 1 && d->hash[j] == d->hash[i]);
        if (is_again)
            continue;
        pc_status status = PC_OK;
        if (f->n == 1)
            status = pci_decision_hash(q, d, i);
        if (status == PC_OK)
            status = find_options(q, asked, &f->reading[i], d->hash[i], options);
        if (status)
            return status;
        describe(&f->reading[i], title, sizeof title);
        snprintf(item, sizeof item, "%s%s%s%s", title, *options ? " (" : "",
                 *options ? options + 1 : "", *options ? ")" : "");
        if (strstr(list, item)) /* it differs by its separator, which no option chooses */
            continue;
        n +=
            (size_t)snprintf(list + n, sizeof list - n, "%s%s", n_listed++ > 0 ? " or " : "", item);
        if (n >= sizeof list)
            break;
    }
    const char *at = d->sample.n_lines > 0 ? d->sample.line[0].begin : q->begin;
    if (n_listed == 1)
        return pci_input_fail(
            q->input, at,
            "this may be %s, which is not certain: if so, add the options in brackets", list);
    return pci_input_fail(q->input, at, "%s?", list);
}

/* ---- Refusing -------------------------------------------------------------------------------- */

/* No column has a name that is asked for. */
static pc_status fail_name(const pci_reading_question *q, const pci_asked *asked,
                           const pci_sample *s)
{
    for (uint32_t i = 0; i < PCI_MOST_ASKED; i++) {
        bool is_there = !asked->text[i] || asked->number[i] != PCI_NO_COLUMN;
        for (uint32_t t = 0; t < s->n_tables && !is_there; t++)
            is_there =
                pci_column_find(&s->table[t], asked->text[i], asked->length[i]) != PCI_NO_COLUMN;
        if (!is_there)
            return pci_input_fail(
                q->input, s->line[0].begin,
                "no column is named '%.*s': names are those of the first line, and numbers "
                "from 1 on choose columns, too",
                (int)(asked->length[i] < 40 ? asked->length[i] : 40), asked->text[i]);
    }
    return PC_OK;
}

/* Finds a row without a cell, or with an empty one, where an end of an edge or its text is to be. */
static pc_status fail_cell(const pci_reading_question *q, const pci_asked *asked,
                           const pci_sample *s)
{
    const pci_table *t = &s->table[0];
    uint32_t text = asked->text[PCI_ASKED_TEXT] ? asked->number[PCI_ASKED_TEXT] : PCI_NO_COLUMN;
    uint32_t n_cells = s->n_tables > 0 ? 3 * t->n_rows : 0;
    for (uint32_t i = 0; i < n_cells; i++) {
        uint32_t r = i / 3, end = i % 3;
        uint32_t column = end == 2 ? text : asked->n_columns > 0 ? asked->number[end] : end;
        const char *at = s->line[t->n_skipped + r].begin;
        bool is_there = column < pci_row_length(t, r);
        if (column == PCI_NO_COLUMN || (!is_there && asked->n_columns == 0))
            continue;
        if (!is_there)
            return pci_input_fail(q->input, at, "the line has fewer columns than that of %s",
                                  end == 2 ? "the label or time of the edge"
                                           : "an end of the edge");
        if (end == 2)
            continue;
        const pci_cell *cell = &t->row[r][column];
        if (cell->length == 0)
            return pci_input_fail(
                q->input, at, "%s",
                r == 0 && column == 0 && t->n_rows > 1
                    ? "this looks like a table with labels across and down, which is no list of "
                      "edges"
                    : "a column is empty that is to have an end of the edge");
        if (pci_kind_of(cell) == PCI_NOTHING ||
            (cell->length == 2 && memcmp(cell->text, "-1", 2) == 0))
            return pci_input_fail(q->input, at,
                                  "'%.*s' stands for a missing value where an end of an edge is to "
                                  "be: remove the line, or --format edges takes it for a vertex",
                                  (int)cell->length, cell->text);
    }
    return PC_OK;
}

/* Tells what keeps lines from being an adjacency matrix: a row of another length, or the number of rows. */
static pc_status fail_matrix(const pci_reading_question *q, const pci_sample *s)
{
    static const char separators[] = "\t;,|";
    const pci_table *t = s->n_tables > 0 ? &s->table[0] : NULL;
    char separator = ' ';
    uint64_t n_first = 0;
    if (t)
        return pci_input_fail(q->input, s->line[s->n_lines - 1].begin,
                              "%" PRIu32 " rows and %" PRIu32
                              " columns, with names or without, are no "
                              "square of numbers: an adjacency matrix is square",
                              t->n_rows, t->n_columns);
    for (size_t i = sizeof separators - 1; i > 0; i--)
        if (memchr(s->line[0].begin, separators[i - 1],
                   (size_t)(s->line[0].end - s->line[0].begin)))
            separator = separators[i - 1];
    for (uint32_t r = 0; r < s->n_lines; r++) {
        pci_column_cursor cursor = pci_columns_of(s->line[r].begin, s->line[r].end, separator);
        pci_column column;
        uint64_t n = 0;
        while (pci_column_next(&cursor, &column))
            n++;
        n_first = r == 0 ? n : n_first;
        if (n != n_first)
            return pci_input_fail(
                q->input, s->line[r].begin,
                "the row has %s entries than the one before: an adjacency matrix is "
                "square",
                n < n_first ? "fewer" : "more");
    }
    return pci_input_fail(q->input, s->line[0].begin, "this is no row of an adjacency matrix");
}

/* Names what the lines look like that is not read. */
static pc_status fail_shape(const pci_reading_question *q, const pci_sample *s)
{
    bool braces = s->n_lines > 0, semicolons = braces, digits = s->n_lines > 2;
    for (uint32_t i = 0; i < s->n_lines; i++) {
        const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end);
        const char *end = pci_trim_end(begin, s->line[i].end);
        bool has_bracket = memchr("{[(", *begin, 3);
        for (const char *at = begin + 2; at < end; at++)
            has_bracket = has_bracket || (memchr("{[(", *at, 3) && at[-1] == ' ' && at[-2] == ':');
        braces = braces && has_bracket;
        semicolons = semicolons && (end[-1] == ';' || (i > 0 && i + 1 == s->n_lines));
        digits = digits && (size_t)(end - begin) == s->n_lines;
        for (const char *at = begin; at < end && digits; at++)
            digits = *at == '0' || *at == '1';
    }
    if (!semicolons && !braces && !digits)
        return PC_OK;
    return pci_input_fail(q->input, s->line[0].begin, "%s",
                          semicolons ? "the lines end with semicolons: remove these"
                          : braces
                              ? "the lines have brackets, as a program prints them: remove these"
                              : "this looks like a matrix without separators: put blanks between "
                                "the digits");
}

/* Tells what keeps a line from being an edge by itself. */
static pc_status fail_line(const pci_reading_question *q, const pci_span *span)
{
    pci_line line;
    pci_flaw flaw;
    uint64_t weight;
    bool good = pci_line_split(&pci_any_columns, span->begin, span->end, &line, &flaw);
    if (good && line.n_columns == 1)
        good =
            pci_column_flaw(&line, 0, "",
                            "stands alone: an edge has two ends; --format adjlist reads lists of "
                            "neighbours, and --separator says what is between two ends",
                            &flaw);
    for (size_t c = 0; good && c < line.n_columns; c++)
        if (pci_is_torn(line.column[c], line.length[c]) &&
            (line.column[c] == span->begin || line.column[c][-1] != '"'))
            good =
                pci_column_flaw(&line, c, "",
                                "has a bracket or quote without its other half: --separator says "
                                "that it is a label",
                                &flaw);
    if (good && line.n_columns == 3 && q->options && q->options->weights)
        good = pci_line_weight(q->input, &line, PCI_WEIGHT, true, &weight, &flaw);
    return good ? PC_OK : pci_flaw_report(q->input, &flaw);
}

/* Tells how many columns the lines have, each split by itself. */
typedef struct shape {
    size_t n_first, n_second; /* of the first two lines; 0: a line cannot be split */
    uint32_t n_like_first;    /* lines that have as many as the first one */
    uint32_t first_other;     /* the first line that has not; 0: there is none */
    bool is_second_usual;     /* all lines but the first one have as many as the second one */
} shape;

static shape look_at_shape(const pci_sample *s)
{
    shape found = {.is_second_usual = s->n_lines > 2};
    for (uint32_t i = 0; i < s->n_lines; i++) {
        pci_line line;
        pci_flaw flaw;
        bool good =
            pci_line_split(&pci_any_columns, s->line[i].begin, s->line[i].end, &line, &flaw);
        size_t n = good ? line.n_columns : 0;
        found.n_first = i == 0 ? n : found.n_first;
        found.n_second = i == 1 ? n : found.n_second;
        found.n_like_first += n == found.n_first;
        found.first_other = found.first_other == 0 && n != found.n_first ? i : found.first_other;
        found.is_second_usual = found.is_second_usual && (i == 0 || n == found.n_second);
    }
    return found;
}

/* Options ask for weights, and no reading has some. Finds a line whose third column is no number where that of another
 * line is one. */
static pc_status fail_weight(const pci_reading_question *q, const pci_asked *asked,
                             const pci_decision *d)
{
    bool has_weight = false;
    pci_flaw first = {0};
    if (!q->options || !q->options->weights || asked->n_columns > 0)
        return PC_OK;
    for (uint32_t i = 0; i < d->found.n; i++)
        if (!pci_is_of(&d->found.reading[i], PCI_EDGE_KINDS) ||
            d->found.reading[i].at[PCI_WEIGHT] != PCI_NO_COLUMN)
            return PC_OK;
    for (uint32_t i = 0; i < d->sample.n_lines; i++) {
        const pci_span *span = &d->sample.line[i];
        pci_line line;
        pci_flaw flaw;
        uint64_t weight;
        if (!pci_line_split(&pci_any_columns, span->begin, span->end, &line, &flaw) ||
            line.n_columns < 3)
            return PC_OK;
        if (pci_line_weight(q->input, &line, PCI_WEIGHT, false, &weight, &flaw))
            has_weight = true;
        else if (!first.what)
            first = flaw;
    }
    return has_weight && first.what ? pci_flaw_report(q->input, &first) : PC_OK;
}

/* Fails where no reading is left, or where a line is the cause that none is certain: the message names its fault.
 * PC_OK where the question is to be asked. */
static pc_status refuse_unfit(const pci_reading_question *q, const pci_asked *asked,
                              const pci_decision *d)
{
    const pci_sample *s = &d->sample;
    const pci_found *f = &d->found;
    const char *at = s->n_lines > 0 ? s->line[0].begin : q->begin;
    bool may_be_edges = asked->format == PC_FORMAT_AUTO || asked->format == PC_FORMAT_EDGE_LIST;
    bool may_be_matrix = asked->format == PC_FORMAT_MATRIX, is_none = f->n == 0;
    shape shape = look_at_shape(s);
    bool is_list = f->n == 1 && f->reading[0].kind == PCI_LISTS && shape.n_first > 1 &&
                   shape.n_like_first >= (s->n_lines + 1) / 2;
    pc_status status = fail_weight(q, asked, d);
    if (status == PC_OK && is_none && may_be_edges)
        status = fail_name(q, asked, s);
    if (status == PC_OK && is_none && may_be_edges)
        status = fail_cell(q, asked, s);
    if (status == PC_OK && is_none && (may_be_edges || may_be_matrix))
        status = fail_shape(q, s);
    for (uint32_t i = 0; status == PC_OK && i < s->n_lines && (is_none ? may_be_edges : is_list);
         i++)
        status = fail_line(q, &s->line[i]);
    if (status == PC_OK && is_none && may_be_matrix)
        status = fail_matrix(q, s);
    if (status || !is_none)
        return status;
    if (may_be_edges && shape.is_second_usual && shape.n_second > 0 &&
        shape.n_first != shape.n_second)
        return pci_input_fail(
            q->input, at,
            "the line has another number of columns than all others: remove it, or "
            "put # before a comment");
    if (may_be_edges && asked->n_columns == 0 && shape.first_other > 0)
        return pci_input_fail(q->input, s->line[shape.first_other].begin,
                              "the line has another number of columns than those before: "
                              "--columns 1,2 takes the first two of any line");
    return pci_input_fail(
        q->input, at, "%s",
        may_be_edges || asked->is_named
            ? "no reading fits every line: --columns 1,2 (numbers, or names of a header) says "
              "which columns have the ends of an edge, --separator what is between them, --format "
              "adjlist, matrix or another what the file is"
            : "the lines do not fit the format that is asked for: without --format they are read "
              "as they look");
}

/* ---- Choosing -------------------------------------------------------------------------------- */

static void add_note(pci_reading *r, const char *format, const char *text, size_t length)
{
    enum { SHOWN = 44 };
    char shown[SHOWN + 4];
    size_t n = strlen(r->note), n_shown = length < SHOWN ? length : SHOWN;
    for (size_t i = 0; i < n_shown; i++) /* control characters could confuse a terminal */
        shown[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i];
    memcpy(shown + n_shown, n_shown < length ? "..." : "", n_shown < length ? 4 : 1);
    n += (size_t)snprintf(r->note + n, sizeof r->note - n, "%s", n > 0 ? ", " : "");
    if (n < sizeof r->note)
        snprintf(r->note + n, sizeof r->note - n, format, shown);
}

/* Names the columns that are read where there are others. */
static void note_columns(const pci_sample *s, pci_reading *r)
{
    uint32_t from = r->at[PCI_FROM] + 1, to = r->at[PCI_TO] + 1, weight = r->at[PCI_WEIGHT] + 1;
    char text[80];
    bool has_weight = r->at[PCI_WEIGHT] != PCI_NO_COLUMN;
    if (!r->table || (from == 1 && to == 2 && r->n_columns == 2u + has_weight))
        return;
    if (has_weight)
        snprintf(text, sizeof text, "columns %" PRIu32 ", %" PRIu32 " and %" PRIu32 " read", from,
                 to, weight);
    else
        snprintf(text, sizeof text, "columns %" PRIu32 " and %" PRIu32 " read", from, to);
    add_note(r, "%s", text, strlen(text));
    if (r->kind == PCI_EDGES && r->n_columns == 3 && !r->is_asked && !has_weight &&
        pci_column_kind(r->table, 0, s->n_lines - r->n_skipped, 2) == PCI_DATES)
        add_note(r, "%s", "column 3 is one of dates", 24);
}

/* Keeps the places of words of a header that must not be labels. */
static void keep_names(const pci_sample *s, const pci_asked *asked, pci_reading *r)
{
    if (r->kind != PCI_EDGES_HEADER || (r->facts & PCI_NO_LABELS) || asked->has_names ||
        asked->header == PC_HEADER_FIRST_LINE)
        return;
    for (int e = 0; e < 2; e++) {
        uint32_t column = r->at[e == 0 ? PCI_FROM : PCI_TO];
        if (column < r->shift)
            continue;
        const pci_cell *cell = &r->table->row[0][column - r->shift];
        r->name_at[e] = (uint32_t)(cell->text - s->input->text);
        r->name_length[e] = cell->length;
    }
}

/* Fills in what the parser needs when the first lines are gone. */
static void settle(const pci_sample *s, const pci_asked *asked, pci_reading *r)
{
    uint32_t n_passed = r->n_skipped + (r->names_across ? 0 : r->first_row);
    r->is_asked = asked->n_columns > 0;
    r->is_of_arrows = r->stated == PC_DIRECTED;
    if (r->stated == PC_DIRECTION_OF_FORMAT)
        r->stated = s->stated;
    if (n_passed > 0) {
        const char *end = pci_line_end(s->line[n_passed - 1].end, s->head.end);
        r->n_passed_bytes = (size_t)(end + (end < s->head.end) - s->head.begin);
    }
    for (uint32_t i = 0; i < n_passed; i++) {
        const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end);
        const char *format = i < r->n_skipped             ? "comment '%s' skipped"
                             : r->kind == PCI_EDGES_SIZES ? "line of sizes '%s' read"
                                                          : "header '%s' skipped";
        if (i < r->n_skipped ? i == 0 : pci_is_of(r, PCI_EDGE_KINDS))
            add_note(r, format, begin, (size_t)(pci_trim_end(begin, s->line[i].end) - begin));
    }
    if (pci_is_of(r, PCI_EDGE_KINDS))
        note_columns(s, r);
    keep_names(s, asked, r);
    if (s->stated != PC_DIRECTION_OF_FORMAT && r->stated == s->stated &&
        pci_is_of(r, PCI_EDGE_KINDS | PCI_LIST_KINDS))
        add_note(r, "a comment says %s", r->stated == PC_DIRECTED ? "directed" : "undirected",
                 r->stated == PC_DIRECTED ? 8 : 10);
    r->table = NULL;
}

/* Returns whether a number is a time since 1970 in seconds, up to the year 2106, or the same in milliseconds. */
static bool is_time(const pci_cell *cell)
{
    enum { LEAST = 100000000, SECOND = 1000 };
    uint64_t number;
    return pci_cell_number(cell, &number) &&
           ((number >= LEAST && number <= UINT32_MAX) ||
            (number >= (uint64_t)LEAST * SECOND && number <= (uint64_t)UINT32_MAX * SECOND));
}

/* A column of times is hardly one of weights. */
static pc_status check_times(const pci_reading_question *q, const pci_asked *asked,
                             const pci_sample *s, const pci_reading *r)
{
    uint32_t weight = r->at[PCI_WEIGHT];
    if (!q->options || !q->options->weights || !pci_is_of(r, PCI_EDGE_KINDS) || !r->table ||
        weight == PCI_NO_COLUMN || asked->n_columns == 3)
        return PC_OK;
    for (uint32_t row = r->first_row; row < r->table->n_rows; row++)
        if (!is_time(&r->table->row[row][weight]))
            return PC_OK;
    const pci_cell *cell = &r->table->row[r->first_row][weight];
    uint32_t from = r->at[PCI_FROM] + 1, to = r->at[PCI_TO] + 1;
    char without[48] = "without --weights it is not used";
    if (!pci_draft_needs_weights(q->options))
        snprintf(without, sizeof without, "--columns %" PRIu32 ",%" PRIu32 " leaves it out", from,
                 to);
    return pci_input_fail(q->input, s->line[r->n_skipped + r->first_row].begin,
                          "column %" PRIu32 " looks like times ('%.*s'): --columns %" PRIu32
                          ",%" PRIu32 ",%" PRIu32 " takes it as weights; %s",
                          weight + 1, (int)cell->length, cell->text, from, to, weight + 1, without);
}

/* Refuses a table of vertices, as Gephi writes it beside that of edges. */
static pc_status check_vertices(const pci_reading_question *q, const pci_asked *asked,
                                const pci_sample *s)
{
    pci_column_names names;
    if (asked->format != PC_FORMAT_AUTO || asked->n_columns > 0 || asked->header != PC_HEADER_FOUND)
        return PC_OK;
    for (uint32_t i = 0; i < s->n_tables; i++) {
        pci_column_names_read(s->table[i].row[0], pci_row_length(&s->table[i], 0), 0, &names);
        if (pci_column_names_are_of_vertices(&names))
            return pci_input_fail(q->input, s->line[0].begin,
                                  "this looks like a table of vertices: give that of edges "
                                  "(--no-header reads these words as an edge)");
    }
    return PC_OK;
}

pc_status pci_reading_choose(const pci_input *input, const char *begin, pc_format format,
                             bool is_named, bool is_relation, const pc_graph_options *options,
                             pci_reading *reading)
{
    const pci_reading_question q = {input, begin, is_relation, options};
    pci_asked asked = {.format = format, .is_named = is_named};
    pci_decision *d = pci_alloc(input->context, sizeof *d);
    pc_status status = d ? PC_OK : pci_fail_memory(input->context, "readings", sizeof *d);
    if (status == PC_OK)
        status = pci_asked_parse(input, options, &asked);
    if (status == PC_OK)
        status = pci_decide(&q, &asked, d);
    if (status) {
        pci_free(input->context, d);
        return status;
    }
    const pci_sample *s = &d->sample;
    pci_reading *first = &d->found.reading[0];
    status = check_vertices(&q, &asked, s);
    if (s->n_lines == 0) { /* any reading of the format fits */
        *first = (pci_reading){.kind = PCI_EDGES};
        while (format != PC_FORMAT_AUTO && pci_readings[first->kind].format != format)
            first->kind++;
        d->found.n++;
    }
    if (status == PC_OK && (d->found.n == 0 || d->asks))
        status = refuse_unfit(&q, &asked, d);
    if (status == PC_OK && d->asks)
        status = ask(&q, &asked, d);
    else if (status == PC_OK && s->is_contradictory &&
             pci_is_of(first, PCI_EDGE_KINDS | PCI_LIST_KINDS) &&
             !(options && options->direction != PC_DIRECTION_OF_FORMAT))
        status = pci_input_fail(input, begin,
                                "comments say directed and undirected: which it is, --directed or "
                                "--undirected tells");
    if (status == PC_OK)
        status = check_times(&q, &asked, s, first);
    if (status == PC_OK) {
        *reading = *first;
        settle(s, &asked, reading);
    }
    pci_sample_free(&d->sample);
    pci_free(input->context, d);
    return status;
}
