/* Which columns of an edge list are read: those that options name, those whose names a header has, else
 * the first two or three. */
#include "io/column_names.h"
#include "io/edge_list.h"

#include "graphs/labels.h"
#include "graphs/multiplicity.h"
#include "io/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

enum { MOST_ASKED = 3 };

/* ---- Options --------------------------------------------------------------------------------- */

/* What options say of columns. */
typedef struct asked {
    size_t n; /* columns; 0: none are named */
    const char *text[MOST_ASKED];
    size_t length[MOST_ASKED];
    uint32_t number[MOST_ASKED]; /* from 0 on; PCI_NO_COLUMN: it is a name */
    bool has_names;
    char separator; /* 0: none is asked for */
    pc_header header;
} asked;

bool pci_edge_list_asks_columns(const pc_graph_options *options)
{
    return options && (options->columns || options->separator || options->header);
}

/* Nothing is asked for. */
static bool is_free(const asked *a)
{
    return a->n == 0 && !a->separator && a->header == PC_HEADER_FOUND;
}

static pc_status parse_column(const pci_input *input, asked *a, size_t i)
{
    uint64_t number;
    pci_integer kind = pci_integer_parse(a->text[i], a->length[i], &number);
    a->number[i] = PCI_NO_COLUMN;
    a->has_names = a->has_names || kind == PCI_NOT_INTEGER;
    if (kind == PCI_NOT_INTEGER)
        return PC_OK;
    if (kind == PCI_INTEGER_TOO_BIG || number == 0 || number >= PCI_NO_COLUMN)
        return pci_fail(input->context, PC_ERR_ARGUMENT,
                        "--columns: '%.*s' is no column: they are numbered from 1 on",
                        (int)a->length[i], a->text[i]);
    a->number[i] = (uint32_t)(number - 1);
    return PC_OK;
}

static pc_status parse_columns(const pci_input *input, const char *text, asked *a)
{
    for (const char *at = text; at; a->n++) {
        const char *comma = strchr(at, ',');
        size_t length = comma ? (size_t)(comma - at) : strlen(at);
        if (a->n == MOST_ASKED || length == 0) {
            a->n = 0;
            break;
        }
        a->text[a->n] = at;
        a->length[a->n] = length;
        pc_status status = parse_column(input, a, a->n);
        if (status)
            return status;
        at = comma ? comma + 1 : NULL;
    }
    if (a->n >= 2)
        return PC_OK;
    return pci_fail(
        input->context, PC_ERR_ARGUMENT,
        "--columns '%s' must be FROM,TO or FROM,TO,WEIGHT, each the number or the name of "
        "a column",
        text);
}

static pc_status parse_separator(const pci_input *input, const char *text, char *separator)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0)
        *separator = '\t';
    else if (strcmp(text, "space") == 0)
        *separator = ' ';
    else if (strlen(text) == 1 && (unsigned char)*text >= ' ' && *text != '"' && *text != 0x7f)
        *separator = *text;
    else
        return pci_fail(input->context, PC_ERR_ARGUMENT,
                        "--separator '%s' must be tab, space, or one character other than a quote",
                        text);
    return PC_OK;
}

static pc_status parse_options(const pci_input *input, const pc_graph_options *options, asked *a)
{
    pc_status status = PC_OK;
    if (!options)
        return PC_OK;
    a->header = options->header;
    if ((unsigned)options->header > PC_HEADER_NONE)
        return pci_fail(input->context, PC_ERR_ARGUMENT, "unknown header %d", (int)options->header);
    if (options->columns)
        status = parse_columns(input, options->columns, a);
    if (status == PC_OK && options->separator)
        status = parse_separator(input, options->separator, &a->separator);
    if (status == PC_OK && a->has_names && a->header == PC_HEADER_NONE)
        return pci_fail(input->context, PC_ERR_ARGUMENT,
                        "--columns has names, which need a header: give numbers with --no-header");
    return status;
}

/* ---- The first line of data ------------------------------------------------------------------ */

typedef struct first_line {
    const char *begin;      /* with the blanks before it */
    const char *text, *end; /* without those around it */
    const char *next;       /* the line behind it */
} first_line;

static bool find_first_line(const pci_head *head, first_line *first)
{
    const char *at = head->begin;
    do
        first->begin = at;
    while (pci_head_line(head, &at, &first->text, &first->end) &&
           (first->text == first->end || *first->text == '#' || *first->text == '%'));
    first->next = at;
    return first->begin < head->end && first->text < first->end && *first->text != '#' &&
           *first->text != '%';
}

/* Where a line is split: a tab or a comma before it, as an empty corner has them, counts. */
static const char *split_from(const first_line *first, char separator)
{
    return separator == '\t' ? first->begin : first->text;
}

/* ---- The separator --------------------------------------------------------------------------- */

/* How the lines of the head use a character as a separator. */
typedef struct usage {
    bool is_regular; /* every line has the same number of them, at least one */
    bool is_clean;   /* and no other separator is left within a column */
} usage;

static usage find_usage(const pci_head *head, char separator)
{
    const char *at = head->begin, *line, *end;
    usage found = {true, true};
    uint32_t n_columns = 0;
    while (found.is_regular && pci_head_data_line(head, &at, &line, &end)) {
        pci_column_cursor cursor = pci_columns_of(line, end, separator);
        pci_column column;
        uint32_t n = 0;
        for (; pci_column_next(&cursor, &column); n++)
            for (size_t i = 0; i < column.length && !column.is_quoted; i++)
                found.is_clean = found.is_clean && !memchr(" \t,", column.text[i], 3);
        found.is_regular = n > 1 && !cursor.fault && (n_columns == 0 || n == n_columns);
        n_columns = n;
    }
    found.is_regular = found.is_regular && n_columns > 0;
    return found;
}

static pc_status find_separator(const pci_input *input, const pci_head *head,
                                const first_line *first, char *separator)
{
    static const char rare[] = {';', '|'};
    size_t n_bytes = (size_t)(first->end - first->text);
    *separator = ' ';
    if (memchr(first->begin, '\t', (size_t)(first->end - first->begin))) {
        *separator = '\t';
        return PC_OK;
    }
    if (memchr(first->text, ',', n_bytes))
        *separator = ',';
    for (size_t i = 0; i < sizeof rare; i++) {
        uint32_t at[PCI_N_ROLES];
        usage found = find_usage(head, rare[i]);
        pci_column_names all = pci_column_names_read(first->text, first->end, rare[i]);
        if (!found.is_regular)
            continue;
        *separator = rare[i];
        if (found.is_clean || pci_column_names_find_known(&all, at))
            return PC_OK;
        return pci_input_fail(input, first->text,
                              "%c or blanks and commas may separate the columns: say which, as in "
                              "--separator '%c', --separator space or --separator ,",
                              rare[i], rare[i]);
    }
    return PC_OK;
}

/* ---- Headers --------------------------------------------------------------------------------- */

static bool is_number(const pci_line *line, size_t column)
{
    uint64_t value;
    return pci_multiplicity_parse(line->column[column], line->length[column], &value) !=
           PCI_NO_NUMBER;
}

static bool is_integer(const pci_line *line, size_t column)
{
    uint64_t value;
    return pci_integer_parse(line->column[column], line->length[column], &value) != PCI_NOT_INTEGER;
}

static size_t stem_length(const pci_line *line, size_t column)
{
    size_t length = line->length[column];
    while (length > 0 && isdigit((unsigned char)line->column[column][length - 1]))
        length--;
    return length;
}

/* Whether two labels are equal but for a number at their end: when there is a vertex v3, v1 is also
 * one. */
static bool are_alike(const pci_line *a, size_t i, const pci_line *b, size_t j)
{
    size_t length = stem_length(a, i);
    return length > 0 && length == stem_length(b, j) &&
           (length < a->length[i]) == (length < b->length[j]) &&
           memcmp(a->column[i], b->column[j], length) == 0;
}

/* What the lines behind the first one show. */
typedef struct rows {
    size_t n_columns; /* of the first of them; 0: there is none, or it cannot be split */
    bool are_integers;
    bool has_names_again;  /* a label of the first line, or one like it, is a label here */
    bool has_row_numbers;  /* "1", "2", ... in quotes, as R writes them, begin the lines */
    bool goes_on_counting; /* the first columns, of three, count on from that of the first line */
    uint64_t n;
} rows;

static bool split(const pci_columns *columns, const char *begin, const char *end, pci_line *line)
{
    pci_flaw flaw;
    return columns->separator ? pci_columns_split(columns, begin, end, line, &flaw)
                              : pci_line_split(begin, end, PCI_EDGE_LIST_LINES, line, &flaw);
}

/* Whether the line begins with this number in quotes. */
static bool has_row_number(const char *begin, const char *end, uint64_t wanted)
{
    uint64_t number;
    const char *closing = *begin == '"' ? pci_closing_quote(begin, end) : begin;
    return closing < end && closing > begin &&
           pci_integer_parse(begin + 1, (size_t)(closing - begin - 1), &number) == PCI_INTEGER &&
           number == wanted;
}

static uint32_t count_columns(const char *begin, const char *end, char separator)
{
    pci_column_cursor cursor = pci_columns_of(begin, end, separator);
    pci_column column;
    uint32_t n = 0;
    while (pci_column_next(&cursor, &column))
        n++;
    return n;
}

/* Whether the first column of a line of three is this number. */
static bool has_number(const pci_line *line, uint64_t wanted)
{
    uint64_t number;
    return line->n_columns == 3 &&
           pci_integer_parse(line->column[0], line->length[0], &number) == PCI_INTEGER &&
           number == wanted;
}

static void look_at(const pci_line *line, const pci_line *first, rows *found)
{
    uint64_t number = 0;
    if (first->n_columns == 3)
        pci_integer_parse(first->column[0], first->length[0], &number);
    found->goes_on_counting =
        found->goes_on_counting && number <= 1 && has_number(line, number + found->n);
    for (size_t c = 0; c < 2; c++) {
        found->are_integers = found->are_integers && is_integer(line, c);
        for (size_t f = 0; f < 2 && first->n_columns >= 2; f++)
            found->has_names_again = found->has_names_again || are_alike(first, f, line, c);
    }
}

static rows read_rows(const pci_head *head, const char *at, const pci_columns *columns,
                      char separator, const pci_line *first)
{
    rows found = {.are_integers = true, .has_row_numbers = true, .goes_on_counting = true};
    const char *begin, *end;
    while (pci_head_data_line(head, &at, &begin, &end)) {
        pci_line line;
        found.n++;
        found.has_row_numbers = found.has_row_numbers && has_row_number(begin, end, found.n);
        bool splits = split(columns, begin, end, &line);
        if (found.n == 1)
            found.n_columns = splits && !columns->separator ? line.n_columns
                                                            : count_columns(begin, end, separator);
        if (splits && line.n_columns >= 2)
            look_at(&line, first, &found);
    }
    return found;
}

/* Whether the first line has no number and all labels behind it are integers. */
static bool is_text_over_integers(const pci_line *first, const rows *behind)
{
    if (first->n_columns < 2 || behind->n_columns == 0 || !behind->are_integers)
        return false;
    for (size_t c = 0; c < first->n_columns; c++)
        if (is_number(first, c) || is_integer(first, c))
            return false;
    return true;
}

static void keep_header(const char *line, const char *end, pci_edge_list_head *found)
{
    size_t length = (size_t)(end - line);
    size_t n = length < PCI_HEADER_BYTES - 4 ? length : PCI_HEADER_BYTES - 4;
    for (size_t i = 0; i < n; i++) /* control characters could confuse a terminal */
        found->header[i] = (unsigned char)line[i] < ' ' || line[i] == 0x7f ? ' ' : line[i];
    memcpy(found->header + n, n < length ? "..." : "", n < length ? 4 : 1);
}

/* A table has its labels in the first line behind an empty corner, and in the first column. */
static bool is_table(const pci_head *head, const first_line *first, const pci_column_names *all,
                     char separator)
{
    const char *begin, *end, *at = first->next;
    if (all->n < 2 || all->column[0].length > 0 || !pci_head_data_line(head, &at, &begin, &end))
        return false;
    pci_column_names second = pci_column_names_read(
        first->next <= begin && separator == '\t' ? first->next : begin, end, separator);
    return second.n == all->n && second.column[0].length > 0;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

typedef struct choice {
    const pci_input *input;
    const pci_head *head;
    asked asked;
    first_line first;
    pci_column_names names;
    char separator;
    bool is_known; /* the first line has names of the ends */
} choice;

static pc_status fail_name(const choice *c, size_t i)
{
    return pci_input_fail(
        c->input, c->first.text,
        "no column is named '%.*s': names are those of the first line, and numbers "
        "from 1 on choose columns, too",
        (int)(c->asked.length[i] < 40 ? c->asked.length[i] : 40), c->asked.text[i]);
}

/* The columns that are asked for. */
static pc_status choose_asked(const choice *c, pci_columns *columns)
{
    columns->separator = c->separator;
    columns->ignores_others = true;
    for (size_t i = 0; i < c->asked.n; i++) {
        columns->at[i] = c->asked.number[i];
        if (columns->at[i] == PCI_NO_COLUMN)
            columns->at[i] = pci_column_names_find(&c->names, c->asked.text[i], c->asked.length[i]);
        if (columns->at[i] == PCI_NO_COLUMN)
            return fail_name(c, i);
    }
    if (columns->at[PCI_FROM] != columns->at[PCI_TO] &&
        columns->at[PCI_WEIGHT] != columns->at[PCI_FROM] &&
        columns->at[PCI_WEIGHT] != columns->at[PCI_TO])
        return PC_OK;
    return pci_fail(c->input->context, PC_ERR_ARGUMENT, "--columns names a column twice");
}

/* The columns that a header names. Nothing is chosen when they are the first ones, and all there are. */
static void choose_known(const choice *c, const uint32_t known[PCI_N_ROLES], pci_columns *columns)
{
    bool others = c->names.n > PCI_MAX_COLUMNS || known[PCI_FROM] != 0 || known[PCI_TO] != 1 ||
                  known[PCI_TYPE] != PCI_NO_COLUMN;
    memcpy(columns->at, known, sizeof columns->at);
    columns->ignores_others = others;
    if (others || c->asked.separator || !strchr("\t, ", c->separator))
        columns->separator = c->separator;
    if (!others && c->names.n == PCI_MAX_COLUMNS)
        columns->at[PCI_WEIGHT] = 2;
}

/* Only the separator is chosen. */
static void choose_separator(const choice *c, pci_columns *columns)
{
    if (!c->asked.separator && strchr("\t, ", c->separator))
        return;
    columns->separator = c->separator;
    columns->at[PCI_FROM] = 0;
    columns->at[PCI_TO] = 1;
    columns->at[PCI_WEIGHT] = 2;
}

static bool is_number_text(const pci_column *column)
{
    uint64_t value;
    return pci_multiplicity_parse(column->text, column->length, &value) != PCI_NO_NUMBER;
}

/* Whether a text may be the name of a column: neither a number nor a word for a missing value. */
static bool may_be_name(const pci_column *column)
{
    static const char *const missing[] = {"", "-", "?", "na", "nan", "none", "null"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (column->length == strlen(missing[i]) &&
            pci_equal_any_case(column->text, missing[i], column->length))
            return false;
    return !is_number_text(column);
}

/* Whether the lines behind the first one have as many columns as it, and only numbers in a column beside those of
 * the ends, while the first line has none. */
static bool is_text_over_numbers(const choice *c, const pci_columns *columns)
{
    const char *at = c->first.next, *begin, *end;
    bool has_numbers[PCI_MOST_NAMES], chooses = columns->separator != 0;
    uint32_t from = chooses ? columns->at[PCI_FROM] : 0, to = chooses ? columns->at[PCI_TO] : 1;
    uint32_t n_lines = 0, n_found = 0;
    for (uint32_t i = 0; i < c->names.n; i++) {
        has_numbers[i] = i != from && i != to;
        if (!may_be_name(&c->names.column[i]))
            return false;
    }
    for (; pci_head_data_line(c->head, &at, &begin, &end); n_lines++) {
        pci_column_cursor cursor = pci_columns_of(begin, end, c->separator);
        pci_column column;
        uint32_t n = 0;
        for (; pci_column_next(&cursor, &column); n++)
            if (n < c->names.n)
                has_numbers[n] = has_numbers[n] && is_number_text(&column);
        if (cursor.fault || (n != c->names.n && c->names.n < PCI_MOST_NAMES))
            return false;
    }
    for (uint32_t i = 0; i < c->names.n; i++)
        n_found += has_numbers[i];
    return n_lines > 0 && n_found > 0;
}

static bool is_header(const choice *c, const pci_columns *columns, const pci_line *first,
                      bool splits, const rows *behind)
{
    bool is_edge =
        behind->n_columns == 0 && c->is_known && c->names.n < 3 && c->names.name[0][1] == 0;
    if (c->asked.header != PC_HEADER_FOUND || c->asked.has_names)
        return c->asked.header != PC_HEADER_NONE;
    if (c->is_known)
        return !is_edge;
    return (splits && is_text_over_integers(first, behind)) || is_text_over_numbers(c, columns);
}

/* R writes row names, whose column has no name, and numbers in quotes are such names. */
static pc_status take_row_names(const choice *c, const rows *behind, pci_columns *columns)
{
    if (c->asked.n > 0 || behind->n_columns <= c->names.n)
        return PC_OK;
    if (!c->is_known || behind->n_columns != c->names.n + 1 || !behind->has_row_numbers)
        return pci_input_fail(
            c->input, c->first.text,
            "the header has fewer columns than the lines behind it, as R writes row "
            "names: write the file without them (row.names=FALSE), or choose by "
            "number, as in --columns 2,3");
    columns->separator = c->separator;
    columns->ignores_others = true;
    for (int role = 0; role < PCI_N_ROLES; role++)
        columns->at[role] += columns->at[role] != PCI_NO_COLUMN;
    return PC_OK;
}

static void keep_taken(const choice *c, pci_edge_list_head *found)
{
    const pci_columns *columns = &found->columns;
    size_t n = 0, n_columns = found->n_columns > c->names.n ? found->n_columns : c->names.n;
    uint32_t n_taken = columns->at[PCI_WEIGHT] == PCI_NO_COLUMN ? 2 : 3;
    bool in_order = columns->at[PCI_FROM] == 0 && columns->at[PCI_TO] == 1;
    if (!columns->separator || (n_columns <= n_taken && in_order))
        return;
    n = (size_t)snprintf(found->taken, PCI_TAKEN_BYTES, "columns %" PRIu32 "%s%" PRIu32,
                         columns->at[PCI_FROM] + 1, n_taken == 2 ? " and " : ", ",
                         columns->at[PCI_TO] + 1);
    if (n_taken == 3)
        n += (size_t)snprintf(found->taken + n, PCI_TAKEN_BYTES - n, " and %" PRIu32,
                              columns->at[PCI_WEIGHT] + 1);
    snprintf(found->taken + n, PCI_TAKEN_BYTES - n, " read");
}

/* A first column of 0, 1, 2, ... may be an index that somebody wrote without a header. */
static void note_index(const choice *c, const pci_line *first, const rows *behind,
                       pci_edge_list_head *found)
{
    enum { FEWEST_LINES = 3 };
    if (is_free(&c->asked) && behind->goes_on_counting && behind->n >= FEWEST_LINES &&
        (has_number(first, 0) || has_number(first, 1)))
        snprintf(found->taken, PCI_TAKEN_BYTES,
                 "the first column counts the lines (if it is an index: --columns 2,3)");
}

/* Finds names of the ends of an edge. They are none when the lines behind have them, or ones like them,
 * as labels, unless the first line is said to be a header. */
static void look_for_names(choice *c, uint32_t known[PCI_N_ROLES])
{
    const pci_columns plain = {0};
    pci_line first;
    c->names =
        pci_column_names_read(split_from(&c->first, c->separator), c->first.end, c->separator);
    c->is_known =
        pci_column_names_find_known(&c->names, known) && c->asked.header != PC_HEADER_NONE;
    if (!c->is_known || c->asked.n > 0 || c->asked.header == PC_HEADER_FIRST_LINE)
        return;
    split(&plain, c->first.text, c->first.end, &first);
    c->is_known = !read_rows(c->head, c->first.next, &plain, c->separator, &first).has_names_again;
}

static pc_status choose_columns(choice *c, pci_columns *columns)
{
    uint32_t known[PCI_N_ROLES];
    look_for_names(c, known);
    if (c->asked.n > 0)
        return choose_asked(c, columns);
    if (c->is_known)
        choose_known(c, known, columns);
    else
        choose_separator(c, columns);
    return PC_OK;
}

/* Chooses the columns, then whether the first line is a header. */
static pc_status choose_from(choice *c, pci_edge_list_head *found)
{
    pci_columns *columns = &found->columns;
    pci_line first;
    pc_status status = choose_columns(c, columns);
    if (status)
        return status;
    if (!c->is_known && is_free(&c->asked) && is_table(c->head, &c->first, &c->names, c->separator))
        return pci_input_fail(c->input, c->first.text,
                              "this looks like a table with labels in its first line and column: "
                              "--format matrix reads it as an adjacency matrix");
    if (!c->is_known && is_free(&c->asked) && pci_column_names_are_of_vertices(&c->names))
        return pci_input_fail(
            c->input, c->first.text,
            "this looks like a table of vertices: give that of edges (--no-header "
            "reads these words as an edge)");
    bool splits = split(columns, split_from(&c->first, c->separator), c->first.end, &first);
    rows behind = read_rows(c->head, c->first.next, columns, c->separator, &first);
    found->n_columns = splits ? first.n_columns : 0;
    if (!is_header(c, columns, &first, splits, &behind)) {
        note_index(c, &first, &behind, found);
        return PC_OK;
    }
    if ((status = take_row_names(c, &behind, columns)))
        return status;
    keep_header(c->first.text, c->first.end, found);
    found->n_passed_bytes = (size_t)(c->first.next - c->head->begin);
    found->n_columns = behind.n_columns;
    keep_taken(c, found);
    return PC_OK;
}

pc_status pci_edge_list_choose_columns(const pci_input *input, const pci_head *head,
                                       const pc_graph_options *options, pci_edge_list_head *found)
{
    choice c = {.input = input, .head = head};
    pc_status status = parse_options(input, options, &c.asked);
    found->columns =
        (pci_columns){.at = {PCI_NO_COLUMN, PCI_NO_COLUMN, PCI_NO_COLUMN, PCI_NO_COLUMN}};
    if (status)
        return status;
    if (!find_first_line(head, &c.first))
        return is_free(&c.asked) || head->is_whole
                   ? PC_OK
                   : pci_input_fail(input, head->begin,
                                    "columns cannot be chosen: no line of an edge ends within the "
                                    "first 64 kB");
    c.separator = c.asked.separator;
    if (!c.separator && (status = find_separator(input, head, &c.first, &c.separator)))
        return status;
    return choose_from(&c, found);
}
