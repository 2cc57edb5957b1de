/* Choosing how a text is read that has no mark of a format, and what people and the parser should know of the reading. */
#include "io/decide.h"

#include "graphs/builder.h"
#include "io/column_names.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdio.h>

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

static pc_status check_contradiction(const pci_reading_question *q, const pci_sample *s,
                                     const pci_reading *r)
{
    if (!s->is_contradictory || !pci_is_of(r, PCI_EDGE_KINDS | PCI_LIST_KINDS) ||
        (q->options && q->options->direction != PC_DIRECTION_OF_FORMAT))
        return PC_OK;
    return pci_input_fail(q->input, q->begin,
                          "comments say directed and undirected: which it is, --directed or "
                          "--undirected tells");
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

/* The first kind of reading of a format. */
static pci_reading_kind kind_of(pc_format format)
{
    pci_reading reading = {.kind = PCI_EDGES};
    for (unsigned kind = PCI_EDGES; kind < PCI_N_READINGS; kind++) {
        reading.kind = (pci_reading_kind)kind;
        if (format == PC_FORMAT_AUTO || pci_reading_format(&reading) == format)
            break;
    }
    return reading.kind;
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
        status = pci_asked_parse(input->context, options, &asked);
    if (status == PC_OK)
        status = pci_decide(&q, &asked, d);
    if (status) {
        pci_free(input->context, d);
        return status;
    }
    status = check_vertices(&q, &asked, &d->sample);
    if (d->sample.n_lines == 0)
        d->found.reading[d->found.n++] = (pci_reading){.kind = kind_of(format)};
    if (status == PC_OK && (d->found.n == 0 || d->asks))
        status = pci_refuse(&q, &asked, d);
    if (status == PC_OK && d->asks)
        status = pci_ask(&q, &asked, d);
    else if (status == PC_OK)
        status = check_contradiction(&q, &d->sample, &d->found.reading[0]);
    if (status == PC_OK)
        status = check_times(&q, &asked, &d->sample, &d->found.reading[0]);
    if (status == PC_OK) {
        *reading = d->found.reading[0];
        settle(&d->sample, &asked, reading);
    }
    pci_sample_free(&d->sample);
    pci_free(input->context, d);
    return status;
}
