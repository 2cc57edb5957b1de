/* Makes rows of simple paths and of cycles.
 *
 * Entry (u, v) of cycles is the number of cycles through the arc from u to v: its multiplicity times the number of
 * paths back from v to u, which are one arc shorter.
 *
 * Rows are made twice where they are certified, and compared. A few entries that formulas made are counted by a search,
 * too, where that takes little time. */
#include "src/certify/certify.h"
#include "src/count/simple_rows.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_SAMPLES = 4 };

/* ---- Bases ----------------------------------------------------------------------------------- */

/* Copies the arcs of a graph that are no loops. */
static pc_status copy_arcs(pci_simple_run *run, const pc_graph *graph, int which)
{
    uint64_t n = graph->n, n_arcs = pci_graph_n_arcs(graph), n_kept = 0;
    uint64_t *start = run->own_start[which] = pci_alloc(run->context, (n + 1) * sizeof *start);
    uint32_t *column = run->own_column[which] =
        pci_alloc(run->context, n_arcs * sizeof *column + 1);
    uint64_t *weight = run->own_weight[which] =
        graph->weight ? pci_alloc(run->context, n_arcs * sizeof *weight + 1) : NULL;
    if (!start || !column || (graph->weight && !weight))
        return pci_fail_memory(run->context, "arcs", n_arcs * sizeof *column);
    for (uint64_t v = 0; v < n; v++) {
        start[v] = n_kept;
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            if (graph->column[a] == v)
                continue;
            column[n_kept] = graph->column[a];
            if (weight)
                weight[n_kept] = graph->weight[a];
            n_kept++;
        }
    }
    start[n] = n_kept;
    run->base[which] = (pci_formula_base){n, n, start, column, weight, NULL};
    return PC_OK;
}

pc_status pci_simple_bases(pci_simple_run *run)
{
    const pc_graph *graph[] = {run->work.graph, run->work.reverse};
    pc_status status = PC_OK;
    for (int i = 0; i < 2 && status == PC_OK; i++)
        if (i == 1 && graph[1] == graph[0])
            run->base[1] = run->base[0];
        else if (run->question->graph->info.n_loops)
            status = copy_arcs(run, graph[i], i);
        else
            run->base[i] =
                (pci_formula_base){graph[i]->n,      graph[i]->n,      graph[i]->row_start,
                                   graph[i]->column, graph[i]->weight, NULL};
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

pc_status pci_simple_program(pc_context *context, bool is_symmetric, bool is_plain,
                             const pci_simple_work *work, pci_program **program)
{
    pci_formula *formula;
    pc_status status = pci_formula_create(context, is_symmetric, is_plain, &formula);
    if (status != PC_OK)
        return status;
    for (uint64_t l = work->up_to ? 1 : work->length; l <= work->length && status == PC_OK; l++)
        status = pci_formula_add(context, &(pci_formula_path){.length = (uint32_t)l}, formula);
    if (status == PC_OK)
        return pci_program_create(context, formula, program);
    pci_free(context, formula);
    return status;
}

/* The program and its parts are made twice and compared. */
static pc_status make_evaluation(pci_simple_run *run)
{
    pci_program *program[2] = {NULL, NULL};
    pci_evaluation *made[2] = {NULL, NULL};
    pci_numbers numbers = run->chosen->n_words == 1 ? PCI_NUMBERS_64 : PCI_NUMBERS_128;
    const pc_graph *graph = run->work.graph;
    uint64_t checksum[2] = {0, 0};
    pc_status status = PC_OK;
    double start = 0;
    for (int i = 0; i < run->n_copies && status == PC_OK; i++) {
        start = pci_now_seconds();
        status = pci_simple_program(run->context, run->work.reverse == graph, !graph->weight,
                                    &run->work, &program[i]);
        if (status == PC_OK)
            status = pci_evaluation_create(run->context, program[i], run->base, numbers, false,
                                           run->ops, &made[i]);
        if (status == PC_OK && run->n_copies > 1)
            checksum[i] = pci_evaluation_checksum(made[i]);
    }
    if (status == PC_OK && run->n_copies > 1 && checksum[0] != checksum[1])
        status = pci_fail_check(run->context, "the parts of formulas for paths");
    pci_evaluation_free(made[1]);
    pci_program_free(run->context, program[1]);
    run->certify_seconds += run->n_copies > 1 ? pci_now_seconds() - start : 0;
    run->program = program[0];
    run->evaluation = made[0];
    run->checksum = checksum[0];
    return status;
}

/* Makes the paths of a length ready. Walks of a cycle are one arc shorter than the cycle. */
pc_status pci_simple_begin(pci_simple_run *run, uint64_t length)
{
    run->is_sampled = false;
    run->work.length = length - (pci_counts_cycles(run->question) && length > 0);
    if (run->chosen->way != PC_METHOD_FORMULA || run->work.length == 0)
        return PC_OK;
    return make_evaluation(run);
}

/* Both copies of rows are made of the same parts, which must not have changed. */
pc_status pci_simple_check(pci_simple_run *run)
{
    if (!run->evaluation || run->n_copies == 1)
        return PC_OK;
    double start = pci_now_seconds();
    uint64_t checksum = pci_evaluation_checksum(run->evaluation);
    run->certify_seconds += pci_now_seconds() - start;
    return checksum == run->checksum
               ? PC_OK
               : pci_fail_check(run->context, "the parts of formulas for paths");
}

pc_status pci_simple_end(pci_simple_run *run, pc_status status)
{
    if (status == PC_OK)
        status = pci_simple_check(run);
    pci_evaluation_free(run->evaluation);
    pci_program_free(run->context, run->program);
    run->evaluation = NULL;
    run->program = NULL;
    return status;
}

/* Counts a few entries of rows by a search, where that is predicted to take little time. */
static pc_status check_samples(pci_simple_run *run, uint64_t n_rows, const uint64_t *from,
                               const uint64_t *rows)
{
    uint64_t n = run->work.graph->n, random[2], count[2];
    run->is_sampled = true;
    double most = fmax(1e-4, 0.02 * run->execution->plan->seconds), seconds;
    pc_status status = PC_OK;
    for (int i = 0; i < MOST_SAMPLES && status == PC_OK; i++) {
        status = pci_random_words(run->context, 2, n_rows * n, random);
        uint64_t row = random[0] / n, to = random[0] % n;
        if (status == PC_OK)
            status = pci_search_predict(&run->work, 1, &from[row], &to, &seconds);
        if (status != PC_OK || seconds > most)
            continue;
        status = pci_search_pairs(&run->work, 1, &from[row], &to, count);
        size_t bytes = run->chosen->n_words * sizeof *count;
        if (status == PC_OK &&
            memcmp(rows + (row * n + to) * run->chosen->n_words, count, bytes) != 0)
            status = pci_fail_check(run->context, "the formula for paths of length %" PRIu64,
                                    run->work.length);
    }
    return status;
}

/* Multiplies entries of rows by the arcs of cycles. An edge there and back is no cycle of an undirected graph. */
static void keep_arcs(const pci_simple_run *run, uint64_t n_rows, const uint64_t *from,
                      uint64_t *rows)
{
    typedef unsigned __int128 uint128;
    const pc_graph *g = run->arcs;
    uint64_t n = g->n;
    bool is_one = run->chosen->n_words == 1;
    bool has_edges = g->symmetric && (run->work.up_to || run->work.length == 1);
    for (uint64_t i = 0; i < n_rows; i++) {
        uint64_t *row = rows + i * n * run->chosen->n_words, v = 0;
        for (uint64_t a = g->row_start[from[i]]; a < g->row_start[from[i] + 1]; a++, v++) {
            uint64_t weight = pci_graph_weight(g, a), to = g->column[a];
            memset(row + v * run->chosen->n_words, 0, (to - v) * run->chosen->n_words * 8);
            v = to;
            uint128 count = is_one ? row[v] : row[2 * v] | (uint128)row[2 * v + 1] << 64;
            count -= has_edges && v != from[i] ? weight : 0;
            count *= weight;
            row[v * run->chosen->n_words] = (uint64_t)count;
            if (!is_one)
                row[2 * v + 1] = (uint64_t)(count >> 64);
        }
        memset(row + v * run->chosen->n_words, 0, (n - v) * run->chosen->n_words * 8);
    }
}

/* One copy of rows. A path of no arc stays where it is; it is none of the lengths that are added up. */
static pc_status make_copy(pci_simple_run *run, uint64_t n_rows, const uint64_t *from,
                           uint64_t *rows)
{
    uint64_t n = run->question->graph->n;
    pc_status status = PC_OK;
    if (run->work.length == 0) {
        memset(rows, 0, n_rows * n * run->chosen->n_words * sizeof *rows);
        for (uint64_t i = 0; i < n_rows && !run->arcs && !run->work.up_to; i++)
            rows[(i * n + from[i]) * run->chosen->n_words] = 1;
        return PC_OK;
    }
    if (run->chosen->way == PC_METHOD_FORMULA)
        status = pci_evaluation_rows(run->evaluation, n_rows, from, rows);
    else if (run->chosen->way == PC_METHOD_SEARCH)
        status = pci_search_rows(&run->work, n_rows, from, rows);
    else
        status = pci_sets_rows(&run->work, n_rows, from, rows);
    if (status == PC_OK && run->chosen->way == PC_METHOD_FORMULA && rows == run->copy[1] &&
        !run->is_sampled)
        status = check_samples(run, n_rows, from, rows);
    if (status == PC_OK && run->arcs)
        keep_arcs(run, n_rows, from, rows);
    return status;
}

/* Tells whether the copies of rows are the same. */
static bool are_same(const pci_simple_run *run, size_t bytes)
{
    enum { PART_BYTES = 1 << 18 };
    bool same = true;
    int n_threads = pci_threads_for(run->context, (double)bytes / 8);
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(&& : same)
    for (size_t at = 0; at < bytes; at += PART_BYTES)
        same = same && memcmp((const char *)run->copy[0] + at, (const char *)run->copy[1] + at,
                              bytes - at < PART_BYTES ? bytes - at : PART_BYTES) == 0;
    return same;
}

/* Makes rows, n_block or fewer, into run->copy[0]. */
pc_status pci_simple_rows(pci_simple_run *run, uint64_t n_rows, const uint64_t *from)
{
    pc_status status = make_copy(run, n_rows, from, run->copy[0]);
    double start = pci_now_seconds();
    size_t bytes = n_rows * run->question->graph->n * run->chosen->n_words * sizeof(uint64_t);
    if (status == PC_OK && run->n_copies > 1)
        status = make_copy(run, n_rows, from, run->copy[1]);
    if (status == PC_OK && run->n_copies > 1 && !are_same(run, bytes))
        status = pci_fail_check(run->context, "the rows of paths");
    run->certify_seconds += pci_now_seconds() - start;
    return status;
}
