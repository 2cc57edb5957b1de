/* Shortest paths: how many there are, or how long they are, by rows of breadth-first searches (src/simple/shortest.h).
 *
 * No vector certifies such rows. Certified rows are made twice and compared. The plan makes them to know how wide
 * numbers become; where they have one word, it keeps hashes, and the run makes them once more. */
#include "src/count/methods.h"
#include "src/core/checksum.h"
#include "src/simple/shortest.h"

#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 26 };

typedef struct shortest_plan {
    uint32_t n_words; /* of an entry */
    uint64_t n_block; /* rows that are made together */
    int n_copies;     /* of rows */
    bool has_hashes;
    uint64_t hashes[]; /* of rows, which the plan has made */
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
    const shortest_plan *plan;
    uint64_t *copy[2]; /* [n_block][n][n_words] */
    int n_entries;
    uint64_t *entry[2]; /* [n_asked][n_words], of pairs */
    double certify_seconds;
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
    *j = (job){.question = question, .n_entries = pci_question_n_copies(question)};
    if (!(j->memory = pci_alloc(context, bytes)))
        return pci_fail_memory(context, "vertices", bytes);
    pc_status status = PC_OK;
    if (is_of_ends && !question->graph->symmetric)
        status = pci_graph_reverse(context, question->graph, &j->reverse);
    if (j->reverse)
        pci_graph_seal(context, j->reverse);
    j->first = kind->reads == PCI_READS_ENTRIES ? j->memory + n_asked : NULL;
    j->work = (pci_shortest_work){
        .context = context, .graph = j->reverse ? j->reverse : question->graph, .from = j->memory};
    memset(j->memory, 0, bytes);
    list_rows(j, n_asked, kind->is_matrix ? NULL : is_of_ends ? query->to : query->from, j->memory);
    j->memory_bytes = bytes;
    j->checksum = pci_checksum(j->memory, bytes, 0);
    return status;
}

static void end(job *j)
{
    pc_context *context = j->question->context;
    for (int c = 0; c < 2; c++) {
        pci_free(context, j->copy[c]);
        pci_free(context, j->entry[c]);
    }
    pci_free(context, j->memory);
    pc_graph_free(j->reverse);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Makes rows, and compares the copies. */
static pc_status make_rows(job *j, const pci_shortest_work *some)
{
    double start = pci_now_seconds();
    bool is_of_distances = some->n_words == 0;
    size_t row_words = some->graph->n * (is_of_distances ? 1 : some->n_words);
    pc_status status = pci_shortest_rows(some, j->plan->n_copies, j->copy);
    if (status == PC_OK && j->n_entries > 1 &&
        pci_checksum(j->memory, j->memory_bytes, 0) != j->checksum)
        status = pci_fail_check(some->context, "the list of vertices");
    if (status == PC_OK && j->n_entries > 1 && j->reverse)
        status = pc_graph_check(some->context, j->reverse);
    if (status == PC_OK && j->plan->n_copies > 1 &&
        memcmp(j->copy[0], j->copy[1], some->n_rows * row_words * sizeof(uint64_t)))
        status = pci_fail_check(some->context, "the rows of shortest paths");
    j->certify_seconds += j->plan->n_copies > 1 ? (pci_now_seconds() - start) / 2 : 0;
    return status;
}

/* Reads the pairs of some rows twice, and makes *rows of them. */
static pc_status read_pairs(job *j, uint64_t row, uint64_t n_rows, pc_rows *rows)
{
    uint64_t n = j->work.graph->n, n_words = rows->n_limbs, n_pairs = 0;
    const uint64_t *to = j->question->query.to;
    if (j->plan->has_hashes) {
        pc_status status =
            pci_row_hashes_check(j->work.context, rows, j->plan->hashes + rows->first_row);
        if (status != PC_OK)
            return status;
    }
    for (uint64_t r = 0; r < n_rows; r++)
        for (uint64_t p = j->first[row + r]; p < j->first[row + r + 1]; p++, n_pairs++)
            for (int c = 0; c < j->n_entries; c++)
                memcpy(j->entry[c] + n_pairs * n_words,
                       j->copy[c % j->plan->n_copies] + (r * n + to[p]) * n_words,
                       n_words * sizeof(uint64_t));
    *rows = (pc_rows){.first_row = j->first[row],
                      .n_rows = n_pairs,
                      .n_columns = 1,
                      .n_limbs = (uint32_t)n_words,
                      .limbs = j->entry[0]};
    return j->n_entries == 1 ||
                   !memcmp(j->entry[0], j->entry[1], n_pairs * n_words * sizeof(uint64_t))
               ? PC_OK
               : pci_fail_check(j->work.context, "shortest paths between pairs");
}

static pc_status allocate(job *j, const shortest_plan *plan)
{
    pc_context *context = j->work.context;
    size_t bytes = plan->n_block * j->work.graph->n * plan->n_words * sizeof(uint64_t) + 1;
    size_t pairs = j->question->query.n_asked * plan->n_words * sizeof(uint64_t) + 1;
    bool has_all = true;
    for (int c = 0; c < plan->n_copies; c++)
        has_all = (j->copy[c] = pci_alloc(context, bytes)) && has_all;
    for (int c = 0; c < j->n_entries && j->first; c++)
        has_all = (j->entry[c] = pci_alloc(context, pairs)) && has_all;
    return has_all ? PC_OK : pci_fail_memory(context, "rows of shortest paths", bytes);
}

static pc_status run_shortest(const pci_execution *execution)
{
    const pci_question *question = execution->question;
    const shortest_plan *plan = execution->plan->choice;
    bool is_of_distances = question->query.paths == PC_PATHS_DISTANCE;
    job j;
    pc_status status = begin(question, &j);
    j.plan = plan;
    j.work.n_words = is_of_distances ? 0 : plan->n_words;
    if (status == PC_OK)
        status = allocate(&j, plan);
    if (status == PC_OK && question->kind->is_matrix)
        status = pci_sink_open(question->context, execution->info, execution->sink);
    for (uint64_t i = 0; i < j.work.n_rows && status == PC_OK; i += plan->n_block) {
        pci_shortest_work some = j.work;
        uint64_t left = j.work.n_rows - i;
        some.n_rows = left < plan->n_block ? left : plan->n_block;
        some.from += i;
        pc_rows rows = {.first_row = i,
                        .n_rows = some.n_rows,
                        .n_columns = question->graph->n,
                        .n_limbs = plan->n_words,
                        .limbs = j.copy[0]};
        status = make_rows(&j, &some);
        if (status == PC_OK && j.first)
            status = read_pairs(&j, i, some.n_rows, &rows);
        else if (plan->has_hashes)
            execution->sink->hashes = plan->hashes + i;
        if (status == PC_OK)
            status = pci_sink_take(execution->sink, 0, &rows);
        execution->sink->hashes = NULL;
    }
    execution->info->seconds.certify += j.certify_seconds;
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
    double n = (double)question->graph->n, n_rows = (double)j->work.n_rows;
    chosen->has_hashes = j->n_entries > 1 && j->work.n_words == 1;
    chosen->n_copies = chosen->has_hashes ? 1 : j->n_entries;
    double row_bytes = fmax(1, n) * n_words * sizeof(uint64_t) * chosen->n_copies;
    double n_threads = fmin(fmax(1, n_rows * chosen->n_copies), info->n_threads);
    double n_block = fmin(fmax(1, n_rows), fmax(1, BLOCK_BYTES / row_bytes));
    chosen->n_words = n_words;
    chosen->n_block = (uint64_t)n_block;
    info->method = PC_METHOD_SEARCH;
    info->bound_bits = bits;
    info->n_limbs = n_words;
    info->n_vectors = question->kind->is_matrix ? 0 : j->work.n_rows;
    plan->seconds =
        pci_shortest_seconds(&j->work) * chosen->n_copies / pci_cost_threads((int)n_threads);
    info->predicted_seconds = plan->seconds += 1e-5;
    double bytes = n_block * row_bytes + n_threads * pci_shortest_bytes(&j->work) +
                   16 * (n_rows + 1) + (is_kept ? n * n * n_words * sizeof(uint64_t) : 0) +
                   (j->first ? 8 * (2.0 + 2 * n_words) * (double)question->query.n_asked : 0) +
                   (j->reverse ? 2 : 1) * (double)pci_graph_bytes(question->graph);
    pci_plan_memory_of_rows(question, bytes + (double)pci_program_bytes(question), plan);
}

static pc_status plan_shortest(const pci_question *question, const pci_engine *engine,
                               pci_plan *plan)
{
    job j;
    uint64_t bits = 64;
    (void)engine;
    uint64_t n_rows = question->kind->is_matrix ? question->graph->n : question->query.n_asked;
    shortest_plan *chosen =
        pci_plan_choice(question, sizeof *chosen + n_rows * sizeof *chosen->hashes, plan);
    if (!chosen)
        return PC_ERR_MEMORY;
    pc_status status = begin(question, &j);
    if (status == PC_OK && question->query.paths == PC_PATHS_SHORTEST) {
        status = pci_shortest_bits(&j.work, &bits, chosen->hashes);
        j.work.n_words = bits > 64 ? (uint32_t)((bits + 63) / 64) : 1;
    }
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
