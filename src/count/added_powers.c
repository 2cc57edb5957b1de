/* A + A^2 + ... + A^k by one power of a graph with a copy of each vertex. An arc of the graph also leads to the copy of
 * its end, and a copy has a loop and nothing else: B = (A A; 0 I). A path of k arcs that ends at a copy has come there by
 * one of 1 to k arcs, and waited. So the right half of the upper rows of B^k is the sum, for log2 k products of twice as
 * many vertices. The power is planned, made and certified as that of any graph. */
#include "src/count/methods.h"

#include <math.h>
#include <string.h>

typedef struct choice {
    pc_graph *graph; /* with copies */
    pc_plan *plan;   /* of its power */
} choice;

/* ---- The graph ------------------------------------------------------------------------------- */

static pc_status make_copies(pc_context *context, const pc_graph *graph, pc_graph **with_copies)
{
    uint64_t n = graph->n, n_arcs = 2 * pci_graph_n_arcs(graph) + n, at = 0;
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a graph with copies", sizeof *made);
    *made = (pc_graph){.context = context,
                       .n = 2 * n,
                       .row_start = pci_alloc(context, (2 * n + 1) * sizeof *made->row_start),
                       .column = pci_alloc(context, n_arcs * sizeof *made->column),
                       .labels = pci_labels_range(0, 2 * n),
                       .info = graph->info};
    if (graph->weight)
        made->weight = pci_alloc(context, n_arcs * sizeof *made->weight);
    if (!made->row_start || !made->column || (graph->weight && !made->weight)) {
        pc_graph_free(made);
        return pci_fail_memory(context, "a graph with copies", n_arcs * sizeof *made->column);
    }
    for (uint64_t u = 0; u < 2 * n; u++) {
        bool is_copy = u >= n;
        uint64_t first = is_copy ? 0 : graph->row_start[u],
                 end = is_copy ? 1 : graph->row_start[u + 1];
        made->row_start[u] = at;
        for (uint64_t shift = is_copy ? n : 0; shift <= n; shift += n)
            for (uint64_t a = first; a < end; a++, at++) {
                made->column[at] = (uint32_t)(is_copy ? u : graph->column[a] + shift);
                if (graph->weight)
                    made->weight[at] = is_copy ? 1 : graph->weight[a];
            }
    }
    made->row_start[2 * n] = at;
    pci_graph_seal(context, made);
    *with_copies = made;
    return PC_OK;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* Passes the right half of the upper rows on. */
static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    const pci_execution *run = user;
    pc_context *context = run->question->context;
    uint64_t n = run->question->graph->n, left = rows->first_row < n ? n - rows->first_row : 0;
    pc_rows half = {.first_row = rows->first_row,
                    .n_rows = rows->n_rows < left ? rows->n_rows : left,
                    .n_columns = n,
                    .n_limbs = rows->n_limbs};
    size_t row_words = n * rows->n_limbs;
    if (half.n_rows == 0)
        return PC_OK;
    uint64_t *words = pci_alloc(context, half.n_rows * row_words * sizeof *words);
    if (!words)
        return pci_fail_memory(context, "rows", half.n_rows * row_words * sizeof *words);
    for (uint64_t i = 0; i < half.n_rows; i++)
        memcpy(words + i * row_words, rows->limbs + (2 * i + 1) * row_words,
               row_words * sizeof *words);
    half.limbs = words;
    pc_status status = pci_sink_take(run->sink, length, &half);
    pci_free(context, words);
    return status;
}

static pc_status run_added(const pci_execution *run)
{
    const choice *chosen = run->plan->choice;
    pc_plan *powers = chosen->plan;
    pci_execution passing = *run;
    pci_sink sink = {.context = run->question->context,
                     .modulus = run->question->options.modulus,
                     .deliver = take,
                     .user = &passing};
    pc_status status = pci_run_plan(powers, powers->plan[0], &sink, &powers->info);
    pci_plan_add_seconds(&powers->info, run->info);
    run->info->seconds.deliver -= run->sink->seconds; /* is added by who gave the sink */
    if (status == PC_OK && run->question->options.n_certify_rounds)
        status = pc_graph_check(run->question->context, chosen->graph);
    return status;
}

/* ---- The method ------------------------------------------------------------------------------ */

static void release(void *memory)
{
    choice *chosen = memory;
    pc_plan_free(chosen->plan);
    pc_graph_free(chosen->graph);
}

static pc_status plan_added(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    uint64_t n = question->graph->n;
    choice *chosen = pci_plan_choice(question, sizeof *chosen, plan);
    (void)engine;
    if (!chosen)
        return PC_ERR_MEMORY;
    pc_status status = make_copies(question->context, question->graph, &chosen->graph);
    if (status == PC_OK)
        status = pci_plan_other_power(question, chosen->graph, false, PC_METHOD_DENSE,
                                      question->options.n_certify_rounds, &chosen->plan);
    if (status != PC_OK)
        return pci_plan_settle_power(question, status, 32 * (double)n * (double)n, plan);
    pc_plan_info *info = &plan->info;
    *info = chosen->plan->info;
    uint64_t row_bytes = n * info->n_limbs * sizeof(uint64_t);
    info->memory_bytes += pci_graph_bytes(question->graph) + sizeof *chosen->plan +
                          chosen->plan->n_plans * sizeof *plan +
                          (question->query.keeps ? n : pci_plan_block_rows(info)) * row_bytes;
    info->memory_available_bytes = pci_question_available(question);
    info->symmetric = question->graph->symmetric;
    info->n_vertices = n;
    info->n_arcs = pci_graph_n_arcs(question->graph);
    plan->seconds = info->predicted_seconds;
    pci_plan_check_memory(question, plan);
    return PC_OK;
}

static int rank(const pci_question *question)
{
    pci_work sweeps = {{0}};
    if (!question->kind->is_matrix || !pci_may_add_powers(question))
        return PCI_CANNOT;
    pci_guess_sweep_work(question, &sweeps);
    bool pays = pci_too_many_passes(question->graph, question->query.length) ||
                pci_guess_matrix_seconds(question) < pci_cost_seconds(question->context, &sweeps);
    return pays ? PCI_RANK_BEST : PCI_CANNOT;
}

const pci_method pci_by_added_powers = {
    .name = "a power of the graph with copies",
    .told = PC_METHOD_DENSE,
    .cpu_because = "lengths are added up by one power of twice as many vertices, on the CPU",
    .is_silent = true,
    .makes_matrix = true,
    .adds_up = true,
    .rank = rank,
    .plan = plan_added,
    .run = run_added,
    .release = release};
