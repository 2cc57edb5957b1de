/* Choosing how a text is read that has no mark of a format: what people and the parser should know of the reading, and
 * the messages about a text that may be several graphs, or none. */
#include "io/readings.h"

#include "graphs/builder.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- Asking ---------------------------------------------------------------------------------- */

enum { OPTION_BYTES = 96, USE_FORMAT = 1, USE_HEADER = 2, USE_COLUMNS = 4, USE_SEPARATOR = 8 };

/* Adds to asked what tells of a reading, and writes the same as options of the command. */
static void ask_for(const pci_reading *r, unsigned uses, pci_asked *asked, char text[OPTION_BYTES])
{
    size_t n = 0;
    if (uses & USE_FORMAT) {
        asked->format = pci_readings[r->kind].format;
        asked->is_named = false;
        n += (size_t)snprintf(text, OPTION_BYTES, " --format %s", pci_readings[r->kind].option);
    }
    if (uses & USE_HEADER) {
        asked->header = r->first_row > 0 ? PC_HEADER_FIRST_LINE : PC_HEADER_NONE;
        n += (size_t)snprintf(text + n, OPTION_BYTES - n,
                              r->first_row > 0 ? " --header" : " --no-header");
    }
    if (uses & USE_COLUMNS) {
        asked->n_columns = 2;
        memcpy(asked->number, r->at, 2 * sizeof *r->at);
        n += (size_t)snprintf(text + n, OPTION_BYTES - n, " --columns %" PRIu32 ",%" PRIu32,
                              r->at[PCI_FROM] + 1, r->at[PCI_TO] + 1);
    }
    if (uses & USE_SEPARATOR) {
        asked->separator = r->separator;
        snprintf(text + n, OPTION_BYTES - n,
                 r->separator == '\t'         ? " --separator tab"
                 : r->separator == ' '        ? " --separator space"
                 : strchr("|;", r->separator) ? " --separator '%c'"
                                              : " --separator %c",
                 r->separator);
    }
}

/* Finds options that choose a reading, and puts them into text; "" when none do. */
static pc_status find_options(const pci_asked *asked, const pci_reading *wanted, uint64_t hash,
                              char text[OPTION_BYTES])
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
    pc_context *context = asked->input->context;
    pci_found *f = pci_alloc(context, sizeof *f);
    bool is_edges = pci_is_of(wanted, PCI_EDGE_KINDS), is_found = false;
    pc_status status = f ? PC_OK : pci_fail_memory(context, "readings", sizeof *f);
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
        status = pci_decide(&more, f);
        if (status)
            break;
        is_found = f->n > 0 && !f->asks;
        if (is_found)
            status = pci_found_hash(f, 0);
        is_found = is_found && f->hash[0] == hash;
        pci_sample_free(&f->sample);
        if (!is_found)
            text[0] = 0;
    }
    pci_free(context, f);
    return status;
}

static void describe(const pci_reading *r, char *text, size_t n_bytes)
{
    bool is_edges = pci_is_of(r, PCI_EDGE_KINDS);
    if (pci_is_of(r, PCI_MATRIX_KINDS))
        snprintf(text, n_bytes, "a %" PRIu32 " x %" PRIu32 " matrix%s", r->n_columns, r->n_columns,
                 r->names_across || r->names_down ? " with names" : "");
    else if ((is_edges && r->table && (r->at[PCI_FROM] != 0 || r->at[PCI_TO] != 1)) ||
             (r->kind == PCI_EDGES && (r->facts & PCI_LOOSE)))
        snprintf(text, n_bytes, "edges with columns %" PRIu32 " and %" PRIu32 "%s",
                 r->at[PCI_FROM] + 1, r->at[PCI_TO] + 1, r->first_row > 0 ? " below a header" : "");
    else
        snprintf(text, n_bytes, "%s", pci_readings[r->kind].title);
}

/* The first line, which messages about the whole text name. */
static const char *first_line(const pci_found *f)
{
    return f->sample.n_lines > 0 ? f->sample.line[0].begin : f->asked->begin;
}

/* Lists the readings that give different graphs, each with its options. */
static pc_status ask(pci_found *f)
{
    enum { MOST_LISTED = 8 };
    char list[1024] = "";
    size_t n = 0;
    uint32_t n_listed = 0;
    pc_status status = f->n == 1 ? pci_found_hash(f, 0) : PC_OK;
    for (uint32_t i = 0; status == PC_OK && i < f->n && n_listed < MOST_LISTED; i++) {
        char title[120], options[OPTION_BYTES], item[sizeof title + OPTION_BYTES + 4];
        bool is_again = false;
        for (uint32_t j = 0; j < i; j++)
            is_again = is_again || f->hash[j] == f->hash[i];
        if (is_again)
            continue;
        status = find_options(f->asked, &f->reading[i], f->hash[i], options);
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
    return status ? status
                  : pci_input_fail(f->asked->input, first_line(f),
                                   n_listed == 1 ? "this may be %s, which is not certain: if so, "
                                                   "add the options in brackets"
                                                 : "%s?",
                                   list);
}

/* ---- Refusing -------------------------------------------------------------------------------- */

/* No column has a name that is asked for. */
static pc_status fail_name(const pci_found *f)
{
    const pci_asked *asked = f->asked;
    for (uint32_t i = 0; i < PCI_MOST_ASKED; i++) {
        bool is_there = !asked->text[i] || asked->number[i] != PCI_NO_COLUMN;
        for (uint32_t t = 0; t < f->sample.n_tables && !is_there; t++)
            is_there = pci_column_find(&f->sample.table[t], asked->text[i], asked->length[i]) !=
                       PCI_NO_COLUMN;
        if (!is_there)
            return pci_input_fail(
                asked->input, first_line(f),
                "no column is named '%.*s': names are those of the first line, and numbers "
                "from 1 on choose columns, too",
                (int)(asked->length[i] < 40 ? asked->length[i] : 40), asked->text[i]);
    }
    return PC_OK;
}

/* Finds a row without a cell, or with an empty one, where an end of an edge or its text is to be. */
static pc_status fail_cell(const pci_found *f)
{
    const pci_asked *asked = f->asked;
    const pci_table *t = &f->sample.table[0];
    bool are_asked = asked->n_columns > 0;
    uint32_t column[] = {
        are_asked ? asked->number[PCI_FROM] : 0, are_asked ? asked->number[PCI_TO] : 1,
        asked->text[PCI_ASKED_TEXT] ? asked->number[PCI_ASKED_TEXT] : PCI_NO_COLUMN};
    for (uint32_t i = 0; f->sample.n_tables > 0 && i < 3 * t->n_rows; i++) {
        uint32_t r = i / 3, role = i % 3;
        const char *what = NULL;
        bool is_there = column[role] < pci_row_length(t, r);
        const pci_cell *cell = is_there ? &t->row[r][column[role]] : NULL;
        if (column[role] == PCI_NO_COLUMN || (is_there ? role == 2 : !are_asked))
            continue;
        if (!is_there)
            what = role == 2
                       ? "the line has fewer columns than that of the label or time of the edge"
                       : "the line has fewer columns than that of an end of the edge";
        else if (cell->length == 0)
            what = r == 0 && column[role] == 0 && t->n_rows > 1
                       ? "this looks like a table with labels across and down, which is no list of "
                         "edges"
                       : "a column is empty that is to have an end of the edge";
        else if (cell->kind != PCI_NOTHING && !pci_is_minus_one(cell->text, cell->length))
            continue;
        const char *at = f->sample.line[t->n_skipped + r].begin;
        return what ? pci_input_fail(asked->input, at, "%s", what)
                    : pci_input_fail(asked->input, at, "'%.*s' %s", (int)cell->length, cell->text,
                                     pci_missing_end);
    }
    return PC_OK;
}

/* Names what the lines look like that is not read. */
static pc_status fail_shape(const pci_found *f)
{
    const pci_sample *s = &f->sample;
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
    return pci_input_fail(f->asked->input, first_line(f), "%s",
                          semicolons ? "the lines end with semicolons: remove these"
                          : braces
                              ? "the lines have brackets, as a program prints them: remove these"
                              : "this looks like a matrix without separators: put blanks between "
                                "the digits");
}

/* Lines that are split each by itself. */
typedef struct shape {
    size_t n_first, n_second;             /* columns of a line; 0: it cannot be split */
    uint32_t n_like_first, n_like_second; /* the lines before them do not count */
    uint32_t first_other; /* the first line that is not like the first one; 0: there is none */
    bool are_weighted;    /* all have a third column, of which one is a number */
    pci_flaw flaw,
        weight_flaw; /* the first ones that keep a line from being an edge, or a weight */
} shape;

static shape look_at_lines(const pci_found *f)
{
    shape found = {0};
    bool have_third = true;
    for (uint32_t i = 0; i < f->sample.n_lines; i++) {
        const char *begin = f->sample.line[i].begin;
        pci_line line;
        pci_flaw flaw;
        uint64_t weight;
        bool good = pci_line_split(&pci_any_columns, begin, f->sample.line[i].end, &line, &flaw);
        size_t n = good ? line.n_columns : 0;
        found.n_first = i == 0 ? n : found.n_first;
        found.n_second = i == 1 ? n : found.n_second;
        found.n_like_first += n == found.n_first;
        found.n_like_second += i > 0 && n == found.n_second;
        found.first_other = found.first_other == 0 && n != found.n_first ? i : found.first_other;
        have_third = have_third && n == 3;
        if (n == 1)
            good = pci_column_flaw(&line, 0, "",
                                   "stands alone: an edge has two ends; --format adjlist reads "
                                   "lists of neighbours, and --separator says what is between two "
                                   "ends",
                                   &flaw);
        for (size_t c = 0; good && c < n; c++)
            if (pci_is_torn(line.column[c], line.length[c]) &&
                (line.column[c] == begin || line.column[c][-1] != '"'))
                good = pci_column_flaw(&line, c, "",
                                       "has a bracket or quote without its other half: --separator "
                                       "says that it is a label",
                                       &flaw);
        if (good && n == 3 && f->asked->options->weights)
            good = pci_line_weight(f->asked->input, &line, PCI_WEIGHT, true, &weight, &flaw);
        if (!good && !found.flaw.what)
            found.flaw = flaw;
        if (n == 3 && pci_line_weight(f->asked->input, &line, PCI_WEIGHT, false, &weight, &flaw))
            found.are_weighted = true;
        else if (n == 3 && !found.weight_flaw.what)
            found.weight_flaw = flaw;
    }
    found.are_weighted = found.are_weighted && have_third;
    return found;
}

/* Says that a table is no matrix. Other lines are read as the first line looks: the reader names the fault, or finds a
 * single entry. */
static pc_status fail_matrix(pci_found *f)
{
    const pci_sample *s = &f->sample;
    const pci_span *line = &s->line[0];
    if (s->n_tables > 0)
        return pci_input_fail(f->asked->input, s->line[s->n_lines - 1].begin,
                              "%" PRIu32 " rows and %" PRIu32
                              " columns, with names or without, are no square of numbers: an "
                              "adjacency matrix is square",
                              s->table[0].n_rows, s->table[0].n_columns);
    pci_reading reading = {.kind = PCI_MATRIX, .separator = ' '};
    pci_column column;
    for (const char *separator = "|,;\t"; *separator; separator++)
        if (memchr(line->begin, *separator, (size_t)(line->end - line->begin)))
            reading.separator = *separator;
    pci_column_cursor cursor = pci_columns_of(line->begin, line->end, reading.separator);
    while (pci_column_next(&cursor, &column))
        reading.n_columns++;
    pci_found_add(f, &reading);
    return PC_OK;
}

/* Fails where no reading is left, or where a line is the cause that none is certain: the message names its fault.
 * PC_OK where the question is to be asked. */
static pc_status refuse_unfit(pci_found *f)
{
    const pci_sample *s = &f->sample;
    const pci_asked *asked = f->asked;
    bool is_none = f->n == 0, may_be_matrix = is_none && asked->format == PC_FORMAT_MATRIX;
    bool may_be_edges =
        is_none && (asked->format == PC_FORMAT_AUTO || asked->format == PC_FORMAT_EDGE_LIST);
    bool lacks_weights = asked->options->weights && asked->n_columns == 0;
    shape shape = look_at_lines(f);
    for (uint32_t i = 0; i < f->n; i++) /* no reading has weights */
        lacks_weights = lacks_weights && pci_is_of(&f->reading[i], PCI_EDGE_KINDS) &&
                        f->reading[i].at[PCI_WEIGHT] == PCI_NO_COLUMN;
    bool is_list = f->n == 1 && f->reading[0].kind == PCI_LISTS && shape.n_first > 1 &&
                   shape.n_like_first >= (s->n_lines + 1) / 2;
    pc_status status = lacks_weights && shape.are_weighted && shape.weight_flaw.what
                           ? pci_flaw_report(asked->input, &shape.weight_flaw)
                           : PC_OK;
    if (status == PC_OK && may_be_edges)
        status = fail_name(f);
    if (status == PC_OK && may_be_edges)
        status = fail_cell(f);
    if (status == PC_OK && (may_be_edges || may_be_matrix))
        status = fail_shape(f);
    if (status == PC_OK && shape.flaw.what && (may_be_edges || is_list))
        status = pci_flaw_report(asked->input, &shape.flaw);
    if (status == PC_OK && may_be_matrix)
        status = fail_matrix(f);
    if (status || f->n > 0)
        return status;
    if (may_be_edges && s->n_lines > 2 && shape.n_like_second + 1 == s->n_lines &&
        shape.n_second > 0 && shape.n_first != shape.n_second)
        return pci_input_fail(asked->input, first_line(f),
                              "the line has another number of columns than all others: remove it, "
                              "or put # before a comment");
    if (may_be_edges && asked->n_columns == 0 && shape.first_other > 0)
        return pci_input_fail(asked->input, s->line[shape.first_other].begin,
                              "the line has another number of columns than those before: "
                              "--columns 1,2 takes the first two of any line");
    return pci_input_fail(
        asked->input, first_line(f), "%s",
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
static void note_columns(pci_reading *r)
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
        pci_column_kind(r->table, 0, 2) == PCI_DATES)
        add_note(r, "%s", "column 3 is one of dates", 24);
}

/* Fills in what the parser needs when the first lines are gone. */
static pci_reading settle(const pci_found *f)
{
    const pci_sample *s = &f->sample;
    const pci_asked *asked = f->asked;
    pci_reading made = f->reading[0], *r = &made;
    uint32_t n_passed = r->n_skipped + (r->names_across ? 0 : r->first_row);
    bool is_edges = pci_is_of(r, PCI_EDGE_KINDS);
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
        if (i < r->n_skipped ? i == 0 : is_edges)
            add_note(r, format, begin, (size_t)(pci_trim_end(begin, s->line[i].end) - begin));
    }
    if (is_edges)
        note_columns(r);
    for (int e = 0; e < 2 && r->kind == PCI_EDGES_HEADER && !(r->facts & PCI_NO_LABELS) &&
                    !asked->has_names && asked->header != PC_HEADER_FIRST_LINE;
         e++) {
        uint32_t column = r->at[e == 0 ? PCI_FROM : PCI_TO];
        if (column < r->shift)
            continue;
        const pci_cell *cell = &r->table->row[0][column - r->shift];
        r->name_at[e] = (uint32_t)(cell->text - asked->input->text);
        r->name_length[e] = cell->length;
    }
    if (s->stated != PC_DIRECTION_OF_FORMAT && r->stated == s->stated &&
        pci_is_of(r, PCI_EDGE_KINDS | PCI_LIST_KINDS))
        add_note(r, "a comment says %s", r->stated == PC_DIRECTED ? "directed" : "undirected",
                 r->stated == PC_DIRECTED ? 8 : 10);
    r->table = NULL;
    return made;
}

/* A column of times is hardly one of weights: numbers of seconds since 1970, up to the year 2106, or the same in
 * milliseconds. */
static pc_status check_times(const pci_found *f)
{
    enum { LEAST = 100000000, SECOND = 1000 };
    const pci_reading *r = &f->reading[0];
    const pc_graph_options *options = f->asked->options;
    uint32_t weight = r->at[PCI_WEIGHT];
    if (!options->weights || !pci_is_of(r, PCI_EDGE_KINDS) || !r->table ||
        weight == PCI_NO_COLUMN || f->asked->n_columns == 3)
        return PC_OK;
    for (uint32_t row = r->first_row; row < r->table->n_rows; row++) {
        uint64_t number;
        if (!pci_cell_number(&r->table->row[row][weight], &number))
            return PC_OK;
        uint64_t seconds = number > UINT32_MAX ? number / SECOND : number;
        if (seconds < LEAST || seconds > UINT32_MAX)
            return PC_OK;
    }
    const pci_cell *cell = &r->table->row[r->first_row][weight];
    uint32_t from = r->at[PCI_FROM] + 1, to = r->at[PCI_TO] + 1;
    char without[48] = "without --weights it is not used";
    if (!pci_draft_needs_weights(options))
        snprintf(without, sizeof without, "--columns %" PRIu32 ",%" PRIu32 " leaves it out", from,
                 to);
    return pci_input_fail(f->asked->input, f->sample.line[r->n_skipped + r->first_row].begin,
                          "column %" PRIu32 " looks like times ('%.*s'): --columns %" PRIu32
                          ",%" PRIu32 ",%" PRIu32 " takes it as weights; %s",
                          weight + 1, (int)cell->length, cell->text, from, to, weight + 1, without);
}

pc_status pci_reading_choose(const pci_input *input, const char *begin, pc_format format,
                             bool is_named, bool is_relation, const pc_graph_options *options,
                             pci_reading *reading)
{
    static const pc_graph_options none = {0};
    pci_asked asked = {.input = input,
                       .begin = begin,
                       .is_relation = is_relation,
                       .options = options ? options : &none,
                       .format = format,
                       .is_named = is_named};
    pci_found *f = pci_alloc(input->context, sizeof *f);
    pc_status status = f ? PC_OK : pci_fail_memory(input->context, "readings", sizeof *f);
    if (status == PC_OK)
        status = pci_asked_parse(&asked);
    if (status == PC_OK)
        status = pci_decide(&asked, f);
    if (status) {
        pci_free(input->context, f);
        return status;
    }
    pci_reading *first = &f->reading[0];
    for (uint32_t i = 0; i < f->sample.n_tables && status == PC_OK; i++)
        if (format == PC_FORMAT_AUTO && asked.n_columns == 0 && !asked.header &&
            pci_is_of_vertices(&f->sample.table[i]))
            status = pci_input_fail(input, first_line(f),
                                    "this looks like a table of vertices: give that of edges "
                                    "(--no-header reads these words as an edge)");
    if (f->sample.n_lines == 0) { /* any reading of the format fits */
        *first = (pci_reading){.kind = PCI_EDGES};
        while (format != PC_FORMAT_AUTO && pci_readings[first->kind].format != format)
            first->kind++;
        f->n++;
    }
    if (status == PC_OK && (f->n == 0 || f->asks))
        status = refuse_unfit(f);
    if (status == PC_OK && f->asks)
        status = ask(f);
    else if (status == PC_OK && f->sample.is_contradictory && !asked.options->direction &&
             pci_is_of(first, PCI_EDGE_KINDS | PCI_LIST_KINDS))
        status = pci_input_fail(input, begin,
                                "comments say directed and undirected: which it is, --directed or "
                                "--undirected tells");
    if (status == PC_OK)
        status = check_times(f);
    if (status == PC_OK)
        *reading = settle(f);
    pci_sample_free(&f->sample);
    pci_free(input->context, f);
    return status;
}
