/* Walks in time, counted by passes over the events (src/series/events.c). Walks to a vertex are counted by events backwards in
 * time. When a pass changes nothing, no later one does. Each row is certified (src/certify/certify.h): passes the other way
 * through time, modulo a prime, begin with the random vector and make what the row must make of it. */
#include "pathcount_time.h"

#include "src/certify/certify.h"
#include "src/core/number.h"
#include "src/plan/question.h"
#include "src/rows/counts.h"
#include "src/series/events.h"

#include <string.h>

/* ---- Lengths --------------------------------------------------------------------------------- */

/* Passes from one start, length by length. */
typedef struct run {
    pci_pass pass;
    const pc_query *query;
    pci_numbers *now, *before; /* sums: of the length, and of the one before */
    uint64_t length;
    bool is_settled; /* longer walks change nothing */
} run;

/* Makes the sums of the next length that is asked for. */
static pc_status go_on(run *r)
{
    const pc_query *query = r->query;
    uint64_t next = query->each ? r->length + 1 : query->length;
    pc_status status = PC_OK;
    if (next == 0)
        memset(r->now->words, 0, r->now->n * r->now->n_words * sizeof *r->now->words);
    if (query->up_to && next >= r->pass.timeline->events->n) {
        r->length = next;
        return pci_pass_make(&r->pass, r->now, true, r->now);
    }
    for (; r->length < next && status == PC_OK && !r->is_settled; r->length++) {
        pci_numbers *in = r->now, *out = r->before;
        status =
            pci_pass_make(&r->pass, r->length ? in : NULL, r->length == 0 || query->up_to, out);
        r->is_settled = r->length && in->n_words == out->n_words &&
                        memcmp(in->words, out->words, in->n * in->n_words * 8) == 0;
        r->before = in;
        r->now = out;
    }
    r->length = next;
    return status;
}

/* The number of walks that end at a vertex, of now->n_words words but at length 0: there it is one word. A walk of no event
 * ends where it begins. */
static const uint64_t *number_at(const run *r, uint64_t v)
{
    if (r->length == 0 && !r->query->up_to)
        return &r->pass.start[v];
    return r->now->words + (size_t)(r->pass.timeline->first[v + 1] - 1) * r->now->n_words;
}

/* ---- Answers --------------------------------------------------------------------------------- */

#define EVERY_VERTEX UINT64_MAX

/* The answer is read off rows, which are made one by one: row i has the walks from its source to each vertex; backwards in
 * time where walks to vertices are asked for. */
typedef struct job {
    pc_context *context;
    pci_question question;
    pci_events events;
    pci_timeline along, against; /* of the rows, and of what certifies them */
    uint64_t n, n_rows, n_lengths;
    uint64_t *start; /* [n] */
    pci_numbers sums[2], residues[2], row;
    pci_numbers answers[2]; /* gathered twice */
    pci_certificate
        *certificate; /* of the rows of each length, one length after the other; NULL: none */
} job;

static uint64_t source_of(const job *j, uint64_t i)
{
    const pci_question_kind *kind = j->question.kind;
    return pci_kind_is_of_all(kind) ? EVERY_VERTEX
           : kind->has_from         ? j->question.query.from[i]
           : kind->has_to           ? j->question.query.to[i]
                                    : i;
}

/* y = C x, as pci_operator has it. */
static pc_status apply(void *user, uint64_t prime, const uint64_t *x, uint64_t *y)
{
    job *j = user;
    run r = {.pass = {&j->against, x, NULL, prime, "certify", 0},
             .query = &j->question.query,
             .now = &j->residues[0],
             .before = &j->residues[1]};
    pc_status status = PC_OK;
    for (uint64_t l = 0; l < j->n_lengths && status == PC_OK; l++) {
        uint64_t all = 0;
        r.pass.progress = (double)l / (double)j->n_lengths;
        status = go_on(&r);
        for (uint64_t v = 0; v < j->n; v++)
            all = (all + *number_at(&r, v)) % prime;
        for (uint64_t i = 0; i < j->n_rows; i++) {
            uint64_t source = source_of(j, i);
            y[l * j->n_rows + i] = source == EVERY_VERTEX ? all : *number_at(&r, source);
        }
    }
    return status;
}

/* Adds what rows first .. end - 1, which are the same, say of length number l to answers. */
static pc_status read_off(const job *j, uint64_t l, uint64_t first, uint64_t end,
                          pci_numbers *answers)
{
    const pci_question *question = &j->question;
    pci_reads reads = question->kind->reads;
    bool is_added = reads == PCI_READS_TOTAL || question->kind->is_summed;
    uint64_t n = pci_kind_has_entries(question->kind) ? 1 : j->n;
    pc_status status = PC_OK;
    for (uint64_t i = first; i < end; i++)
        for (uint64_t c = 0; c < n && status == PC_OK; c++) {
            uint64_t v = reads == PCI_READS_ENTRIES    ? question->query.to[i]
                         : reads == PCI_READS_DIAGONAL ? i
                                                       : c;
            status = pci_numbers_add(
                answers, l * (answers->n / j->n_lengths) + (is_added ? 0 : i * n + c),
                j->row.words + v * j->row.n_words, j->row.n_words, question->options.modulus);
        }
    return status;
}

/* Makes row i of each length, certified, for it and the rows up to end, which are the same. */
static pc_status make_row(job *j, uint64_t i, uint64_t end)
{
    uint64_t source = source_of(j, i);
    run r = {.pass = {&j->along, j->start, NULL, j->question.options.modulus, "sweep", 0},
             .query = &j->question.query,
             .now = &j->sums[0],
             .before = &j->sums[1]};
    pc_status status = PC_OK;
    for (uint64_t v = 0; v < j->n; v++)
        j->start[v] = source == EVERY_VERTEX || v == source;
    for (uint64_t l = 0; l < j->n_lengths && status == PC_OK; l++) {
        r.pass.progress = ((double)i + (double)l / (double)j->n_lengths) / (double)j->n_rows;
        status = go_on(&r);
        size_t n_words = r.now->n_words;
        if (status == PC_OK && j->row.n_words != n_words)
            status = pci_numbers_make(j->context, j->n, n_words, &j->row);
        for (uint64_t v = 0; v < j->n && status == PC_OK; v++)
            memcpy(j->row.words + v * n_words, number_at(&r, v), 8 * (r.length ? n_words : 1));
        pc_rows rows = {l * j->n_rows + i, 1, j->n, (uint32_t)n_words, .limbs = j->row.words};
        for (int copy = 0; copy < 2 && status == PC_OK; copy++)
            status = read_off(j, l, i, end, &j->answers[copy]);
        if (status == PC_OK && j->certificate)
            status = pci_certificate_check(j->certificate, &rows);
    }
    return status;
}

/* All that is needed before the first row. */
static pc_status prepare(job *j, const pc_graph *edges, const char *wait)
{
    const pci_question *question = &j->question;
    const pci_question_kind *kind = question->kind;
    pci_shape shape = pci_question_shape(question);
    int n_rounds = question->options.n_certify_rounds;
    uint64_t n_places = j->n + pci_graph_n_arcs(edges), n_answers;
    pc_status status = pci_events_take(j->context, edges, wait, &j->events);
    j->n_lengths = question->query.each ? question->query.length : 1;
    j->n_rows = pci_kind_is_of_all(kind) ? 1 : shape.n_rows;
    bool is_backward =
        !kind->reversed && (kind->reads == PCI_READS_ROWS || kind->reads == PCI_READS_SUMS);
    if (status == PC_OK)
        status = pci_timeline_make(&j->events, is_backward, &j->along);
    if (status == PC_OK)
        status = pci_timeline_make(&j->events, !is_backward, &j->against);
    n_answers = kind->is_summed ? 1 : shape.n_rows * shape.n_columns;
    if (__builtin_mul_overflow(n_answers, j->n_lengths, &n_answers))
        n_answers = UINT64_MAX;
    for (int i = 0; i < 2 && status == PC_OK; i++) {
        status = pci_numbers_make(j->context, n_answers, 1, &j->answers[i]);
        if (status == PC_OK)
            status = pci_numbers_make(j->context, n_places, 1, &j->sums[i]);
        if (status == PC_OK && n_rounds)
            status = pci_numbers_make(j->context, n_places, 1, &j->residues[i]);
    }
    if (status == PC_OK && !(j->start = pci_alloc(j->context, (j->n + 1) * sizeof *j->start)))
        status = pci_fail_memory(j->context, "sources of walks", j->n * sizeof *j->start);
    pci_operator map = {j->n_lengths * j->n_rows, j->n, j, apply, NULL};
    if (status == PC_OK && n_rounds && map.n_rows && j->n)
        status = pci_certificate_create(j->context, &map, question->options.modulus, n_rounds,
                                        &j->certificate);
    return status;
}

/* The answers as they are passed on. PC_ERR_CERTIFY when the two copies differ. */
static pc_status hand_over(const job *j, pc_counts **answers)
{
    const pci_numbers *from = &j->answers[0], *again = &j->answers[1];
    uint64_t n_columns = pci_question_shape(&j->question).n_columns;
    size_t n_words = 1, width = from->n_words;
    for (uint64_t i = 0; i < from->n; i++)
        while (pci_number_trim(from->words + i * width, width) > n_words)
            n_words++;
    pc_status status = pci_counts_create(j->context, n_columns ? from->n / n_columns : 0, n_columns,
                                         (uint32_t)n_words, answers);
    if (status == PC_OK &&
        (again->n_words != width || memcmp(from->words, again->words, 8 * from->n * width) != 0))
        return pci_fail_check(j->context, "the numbers of walks");
    for (uint64_t i = 0; i < from->n && status == PC_OK; i++)
        memcpy((*answers)->limbs + i * n_words, from->words + i * width, 8 * n_words);
    return status;
}

pc_status pc_time_walks(pc_context *context, const pc_labelled_edges *events, const pc_query *query,
                        const char *wait, const pc_count_options *options, pc_counts **answers)
{
    if (!context || !events || !query || !answers)
        return pci_fail_null(context, "pc_time_walks: context, events, query or answers");
    uint64_t n_events = pci_graph_n_arcs(&events->graph); /* no walk has more */
    pc_query asked = *query;
    if (!query->each && query->length > n_events)
        asked.length = n_events + 1;
    job j = {.context = context, .events.context = context, .n = events->graph.n};
    pc_counts *made = NULL;
    pc_status status = pci_question_make(context, &events->graph, &asked, options, &j.question);
    const pci_question *question = &j.question;
    if (status == PC_OK &&
        (query->paths != PC_PATHS_ALL || query->partition ||
         question->options.arithmetic == PC_FLOAT || question->options.method != PC_METHOD_AUTO))
        status =
            pci_fail(context, PC_ERR_ARGUMENT,
                     "walks in time are all walks, counted between vertices, exactly or modulo "
                     "a number: leave other paths, blocks, doubles and the method out");
    if (status == PC_OK)
        status = prepare(&j, &events->graph, wait);
    for (uint64_t i = 0, end; i < j.n_rows && status == PC_OK; i = end) {
        for (end = i + 1; end < j.n_rows && question->kind->reads == PCI_READS_ENTRIES &&
                          query->from[end] == query->from[i];)
            end++;
        status = make_row(&j, i, end);
    }
    if (status == PC_OK)
        status = pci_events_check(&j.events);
    if (status == PC_OK)
        status = hand_over(&j, &made);
    pci_certificate_free(j.certificate);
    for (int i = 0; i < 2; i++) {
        pci_free(context, j.sums[i].words);
        pci_free(context, j.residues[i].words);
        pci_free(context, j.answers[i].words);
    }
    pci_free(context, j.row.words);
    pci_free(context, j.start);
    pci_free(context, j.along.first);
    pci_free(context, j.against.first);
    pci_events_free(&j.events);
    if (status == PC_OK)
        *answers = made;
    else
        pc_counts_free(made);
    return status;
}
