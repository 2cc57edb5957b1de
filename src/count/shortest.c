/* Shortest paths: how many there are, or how long they are, by rows of breadth-first searches (src/simple/simple.h).
 *
 * No vector certifies such rows. The plan makes them to know how wide numbers become, and keeps hashes of them; the run
 * makes them again. */
#include "src/certify/certify.h"
#include "src/core/checksum.h"
#include "src/count/methods.h"
#include "src/simple/simple.h"

#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 26 };

typedef struct shortest_plan {
    uint32_t n_words; /* of an entry */
    uint64_t n_block; /* rows that are made together */
    bool is_certified;
    uint64_t hashes[]; /* of rows, where they are certified */
} shortest_plan;

/* The rows that answer a question. */
typedef struct job {
    const pci_question *question;
    pc_graph *reverse; /* where columns of a directed graph are asked for; NULL */
    pci_shortest_work work;
    uint64_t *memory;
    size_t memory_bytes;
    uint64_t checksum; /* of the memory, where vertices and pairs are listed */
    uint64_t *first;   /* [n_rows + 1]: the first pair of each row; NULL */
    uint64_t *rows;    /* [n_block][n][n_words] */
    uint64_t *entries; /* [n_asked][n_words], of pairs */
} job;

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Pairs that follow each other and begin at one vertex have one row. */
static void list_rows(job *j, uint64_t n_asked, const uint64_t *asked, uint64_t *from)
{
    for (uint64_t i = 0; i < n_asked; i++) {
        if (j->first && i && asked[i] == asked[i - 1])
            continue;
        if (j->first)
            j->first[j->work.n_rows] = i;
        from[j->work.n_rows++] = asked ? asked[i] : i;
    }
    if (j->first)
        j->first[j->work.n_rows] = n_asked;
}

/* Makes the job ready: the graph, and the vertices to search from. The caller ends the job, whatever the status. */
static pc_status begin(const pci_question *question, job *j)
{
    const pci_question_kind *kind = question->kind;
    const pc_query *query = &question->query;
    pc_context *context = question->context;
    uint64_t n_asked = kind->is_matrix ? question->graph->n : query->n_asked;
    bool is_of_ends = !kind->is_matrix && !kind->has_from;
    size_t bytes = 2 * (n_asked + 1) * sizeof *j->memory;
    *j = (job){.question = question, .memory_bytes = bytes};
    if (!(j->memory = pci_alloc(context, bytes)))
        return pci_fail_memory(context, "vertices", bytes);
    pc_status status = PC_OK;
    if (is_of_ends && !question->graph->symmetric)
        status = pci_graph_reverse(context, question->graph, &j->reverse);
    j->first = kind->reads == PCI_READS_ENTRIES ? j->memory + n_asked : NULL;
    j->work = (pci_shortest_work){
        .context = context, .graph = j->reverse ? j->reverse : question->graph, .from = j->memory};
    memset(j->memory, 0, bytes);
    list_rows(j, n_asked, kind->is_matrix ? NULL : is_of_ends ? query->to : query->from, j->memory);
    j->checksum = pci_checksum(j->memory, bytes, 0);
    return status;
}

static void end(job *j)
{
    pc_context *context = j->question->context;
    pci_free(context, j->rows);
    pci_free(context, j->entries);
    pci_free(context, j->memory);
    pc_graph_free(j->reverse);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Reads the pairs of some rows, checks the rows, and compares them with the pairs. *rows becomes those of pairs. */
static pc_status read_pairs(const job *j, const uint64_t *hashes, pc_rows *rows)
{
    uint64_t n_words = rows->n_limbs, row = rows->first_row, n_pairs = 0, n_wrong = 0;
    size_t bytes = n_words * sizeof(uint64_t);
    pc_status status = PC_OK;
    for (int time = 0; time < 2 && status == PC_OK; time++) {
        n_pairs = 0;
        for (uint64_t r = 0; r < rows->n_rows; r++)
            for (uint64_t p = j->first[row + r]; p < j->first[row + r + 1]; p++, n_pairs++) {
                uint64_t *entry = j->entries + n_pairs * n_words;
                const uint64_t *from =
                    j->rows + (r * rows->n_columns + j->question->query.to[p]) * n_words;
                n_wrong += time == 1 && memcmp(entry, from, bytes);
                memcpy(entry, from, time == 0 ? bytes : 0);
            }
        if (time == 0 && hashes)
            status = pci_row_hashes_check(j->work.context, rows, hashes);
    }
    *rows = (pc_rows){.first_row = j->first[row],
                      .n_rows = n_pairs,
                      .n_columns = 1,
                      .n_limbs = (uint32_t)n_words,
                      .limbs = j->entries};
    return n_wrong ? pci_fail_check(j->work.context, "shortest paths between pairs") : status;
}

static pc_status answer_block(const job *j, const shortest_plan *plan, uint64_t row, pci_sink *sink)
{
    pci_shortest_work some = j->work;
    uint64_t left = j->work.n_rows - row;
    const uint64_t *hashes = plan->is_certified ? plan->hashes + row : NULL;
    some.n_rows = left < plan->n_block ? left : plan->n_block;
    some.from += row;
    pc_rows rows = {.first_row = row,
                    .n_rows = some.n_rows,
                    .n_columns = some.graph->n,
                    .n_limbs = plan->n_words,
                    .limbs = j->rows};
    pc_status status = pci_shortest_rows(&some, j->rows);
    /* A list of vertices that has changed gives other hashes, the places of pairs do not. */
    if (status == PC_OK && pci_checksum(j->memory, j->memory_bytes, 0) != j->checksum)
        status = pci_fail_check(some.context, "the list of pairs");
    if (status == PC_OK && j->first)
        status = read_pairs(j, hashes, &rows);
    sink->hashes = j->first ? NULL : hashes;
    if (status == PC_OK)
        status = pci_sink_take(sink, 0, &rows);
    sink->hashes = NULL;
    return status;
}

static pc_status run_shortest(const pci_execution *execution)
{
    const pci_question *question = execution->question;
    const shortest_plan *plan = execution->plan->choice;
    size_t word_bytes = plan->n_words * sizeof(uint64_t);
    size_t bytes = plan->n_block * question->graph->n * word_bytes + 1;
    job j;
    pc_status status = begin(question, &j);
    j.work.n_words = question->query.paths == PC_PATHS_DISTANCE ? 0 : plan->n_words;
    if (status == PC_OK)
        j.rows = pci_alloc(question->context, bytes);
    if (status == PC_OK && j.first)
        j.entries = pci_alloc(question->context, question->query.n_asked * word_bytes + 1);
    if (status == PC_OK && (!j.rows || (j.first && !j.entries)))
        status = pci_fail_memory(question->context, "rows of shortest paths", bytes);
    for (uint64_t i = 0; i < j.work.n_rows && status == PC_OK; i += plan->n_block)
        status = answer_block(&j, plan, i, execution->sink);
    end(&j);
    return status;
}

/* ---- Plans ----------------------------------------------------------------------------------- */

static void note_plan(const job *j, double bits, pci_plan *plan)
{
    const pci_question *question = j->question;
    pc_plan_info *info = &plan->info;
    shortest_plan *chosen = plan->choice;
    bool is_kept = question->kind->is_matrix && question->query.keeps;
    uint32_t n_words = j->work.n_words ? j->work.n_words : 1;
    double n = (double)question->graph->n, n_rows = fmax(1, (double)j->work.n_rows);
    double row_bytes = fmax(1, n) * n_words * sizeof(uint64_t);
    double n_threads = fmin(n_rows, info->n_threads);
    double n_block = fmin(n_rows, fmax(n_threads, BLOCK_BYTES / row_bytes));
    chosen->n_words = n_words;
    chosen->n_block = (uint64_t)n_block;
    info->method = PC_METHOD_SEARCH;
    info->bound_bits = bits;
    info->n_limbs = n_words;
    info->n_vectors = question->kind->is_matrix ? 0 : j->work.n_rows;
    plan->seconds = 1e-5 + pci_shortest_seconds(&j->work) / pci_cost_threads((int)n_threads);
    info->predicted_seconds = plan->seconds;
    double bytes = n_block * row_bytes + n_threads * pci_shortest_bytes(&j->work) + 24 * n_rows +
                   (is_kept ? n * row_bytes : 0) +
                   (j->first ? 8 * (2.0 + n_words) * (double)question->query.n_asked : 0) +
                   (j->reverse ? (double)pci_graph_bytes(question->graph) : 0);
    pci_plan_memory_of_rows(question, bytes, plan);
}

static pc_status plan_shortest(const pci_question *question, const pci_engine *engine,
                               pci_plan *plan)
{
    job j;
    uint64_t bits = 64,
             n_rows = question->kind->is_matrix ? question->graph->n : question->query.n_asked;
    shortest_plan *chosen =
        pci_plan_choice(question, sizeof *chosen + n_rows * sizeof *chosen->hashes, plan);
    (void)engine;
    if (!chosen)
        return PC_ERR_MEMORY;
    chosen->is_certified = question->options.n_certify_rounds > 0;
    pc_status status = begin(question, &j);
    j.work.n_words = question->query.paths == PC_PATHS_SHORTEST;
    if (status == PC_OK && (chosen->is_certified || j.work.n_words))
        status = pci_shortest_width(&j.work, &bits, chosen->hashes);
    if (status == PC_OK)
        note_plan(&j, (double)bits, plan);
    end(&j);
    return pci_plan_settle(question, status, false, plan);
}

static int rank(const pci_question *question)
{
    return question->query.paths >= PC_PATHS_SHORTEST ? PCI_RANK_BEST : PCI_CANNOT;
}

const pci_method pci_by_shortest = {.name = "breadth-first searches",
                                    .told = PC_METHOD_SEARCH,
                                    .cpu_because = "shortest paths are found on the CPU",
                                    .rank = rank,
                                    .plan = plan_shortest,
                                    .run = run_shortest};
