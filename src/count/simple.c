/* Paths that visit no vertex twice, and cycles: three methods that make rows of counts, and one way to answer
 * questions by such rows.
 *
 * Entry (u, v) of cycles is the number of cycles through the arc from u to v: its multiplicity times the number of
 * paths back from v to u, which are one arc shorter. In an undirected graph each cycle through a vertex has two edges
 * there, and so half the sum of the row is their number.
 *
 * Rows are made twice where they are certified, and compared. A few entries that formulas made are counted by a search,
 * too, where that takes little time. */
#include "src/certify/certify.h"
#include "src/core/number.h"
#include "src/count/block_sums.h"
#include "src/count/methods.h"
#include "src/simple/evaluate.h"
#include "src/simple/simple.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SUM_WORDS = 4, BLOCK_BYTES = 1 << 26, DEVICE_BLOCKS = 8, MOST_SAMPLES = 4 };

/* The ways to make rows. */
typedef enum way { BY_FORMULAS, BY_SEARCH, BY_SETS } way;

typedef struct choice {
    way way;
    uint32_t n_words; /* of an entry: 1 or 2 */
    uint64_t n_block; /* rows that are made together */
} choice;

/* The rows of one length, or of lengths that are added up. */
typedef struct rows_run {
    const pci_execution *execution;
    const pci_question *question;
    const choice *chosen;
    pc_context *context;
    pc_graph *reverse;        /* of a directed graph; NULL */
    pci_simple_work work;     /* the paths whose rows are made */
    const pc_graph *arcs;     /* of cycles: each row keeps the entries at these; NULL */
    pci_formula_base base[2]; /* the arcs of the work without loops, and reversed */
    uint64_t *own_start[2];   /* what the bases own */
    uint32_t *own_column[2];
    uint64_t *own_weight[2];
    const pci_pass_ops *ops; /* of a device; NULL */
    pci_program *program;
    pci_evaluation *evaluation;
    uint64_t checksum; /* of the evaluation */
    bool is_sampled;   /* entries of this length were held against a search */
    int n_copies;
    uint64_t *copy[2]; /* [n_block][n][n_words] */
    uint64_t *rows;    /* [n_block][n][n_limbs] */
    double certify_seconds;
} rows_run;

static bool counts_cycles(const pci_question *question)
{
    return question->query.paths == PC_PATHS_CYCLES;
}

/* ---- Bases ----------------------------------------------------------------------------------- */

/* Copies the arcs of a graph that are no loops. */
static pc_status copy_arcs(rows_run *run, const pc_graph *graph, int which)
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

static pc_status make_bases(rows_run *run)
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

static pc_status make_program(pc_context *context, bool is_symmetric, bool is_plain,
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
static pc_status make_evaluation(rows_run *run)
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
        status = make_program(run->context, run->work.reverse == graph, !graph->weight, &run->work,
                              &program[i]);
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
static pc_status begin_length(rows_run *run, uint64_t length)
{
    run->is_sampled = false;
    run->work.length = length - (counts_cycles(run->question) && length > 0);
    if (run->chosen->way != BY_FORMULAS || run->work.length == 0)
        return PC_OK;
    return make_evaluation(run);
}

/* Both copies of rows are made of the same parts, which must not have changed. */
static pc_status check_parts(rows_run *run)
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

static pc_status end_length(rows_run *run, pc_status status)
{
    if (status == PC_OK)
        status = check_parts(run);
    pci_evaluation_free(run->evaluation);
    pci_program_free(run->context, run->program);
    run->evaluation = NULL;
    run->program = NULL;
    return status;
}

/* Counts a few entries of rows by a search, where that is predicted to take little time. */
static pc_status check_samples(rows_run *run, uint64_t n_rows, const uint64_t *from,
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
static void keep_arcs(const rows_run *run, uint64_t n_rows, const uint64_t *from, uint64_t *rows)
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
static pc_status make_copy(rows_run *run, uint64_t n_rows, const uint64_t *from, uint64_t *rows)
{
    uint64_t n = run->question->graph->n;
    pc_status status = PC_OK;
    if (run->work.length == 0) {
        memset(rows, 0, n_rows * n * run->chosen->n_words * sizeof *rows);
        for (uint64_t i = 0; i < n_rows && !run->arcs && !run->work.up_to; i++)
            rows[(i * n + from[i]) * run->chosen->n_words] = 1;
        return PC_OK;
    }
    if (run->chosen->way == BY_FORMULAS)
        status = pci_evaluation_rows(run->evaluation, n_rows, from, rows);
    else if (run->chosen->way == BY_SEARCH)
        status = pci_search_rows(&run->work, n_rows, from, rows);
    else
        status = pci_sets_rows(&run->work, n_rows, from, rows);
    if (status == PC_OK && run->chosen->way == BY_FORMULAS && rows == run->copy[1] &&
        !run->is_sampled)
        status = check_samples(run, n_rows, from, rows);
    if (status == PC_OK && run->arcs)
        keep_arcs(run, n_rows, from, rows);
    return status;
}

/* Tells whether the copies of rows are the same. */
static bool are_same(const rows_run *run, size_t bytes)
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
static pc_status make_rows(rows_run *run, uint64_t n_rows, const uint64_t *from)
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

/* ---- Answers --------------------------------------------------------------------------------- */

/* Writes a number as the answer has it: divided, as residue, with n_limbs words. */
static void put(const rows_run *run, const uint64_t sum[SUM_WORDS], uint64_t divisor, uint64_t *to)
{
    uint64_t modulus = run->question->options.modulus, quotient[SUM_WORDS];
    uint32_t n_limbs = run->execution->info->n_limbs;
    unsigned __int128 rest = 0;
    for (int w = SUM_WORDS - 1; w >= 0; w--) {
        rest = rest << 64 | sum[w];
        quotient[w] = (uint64_t)(rest / divisor);
        rest %= divisor;
    }
    rest = 0;
    for (int w = SUM_WORDS - 1; w >= 0 && modulus; w--)
        rest = (rest << 64 | quotient[w]) % modulus;
    for (uint32_t l = 0; l < n_limbs; l++)
        to[l] = modulus ? (uint64_t)rest : l < SUM_WORDS ? quotient[l] : 0;
}

/* Writes entries of rows as the answer has them. */
static void put_entries(const rows_run *run, uint64_t n, const uint64_t *from, uint64_t *to)
{
    uint32_t n_words = run->chosen->n_words, n_limbs = run->execution->info->n_limbs;
    int n_threads = pci_threads_for(run->context, (double)n);
    if (n_words == n_limbs && !run->question->options.modulus) {
        memcpy(to, from, n * n_words * sizeof *to);
        return;
    }
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t e = 0; e < n; e++) {
        uint64_t entry[SUM_WORDS] = {from[e * n_words], n_words > 1 ? from[e * n_words + 1] : 0};
        put(run, entry, 1, to + e * n_limbs);
    }
}

/* sum += number */
static void add_number(const uint64_t number[SUM_WORDS], uint64_t sum[SUM_WORDS])
{
    unsigned __int128 carry = 0;
    for (int w = 0; w < SUM_WORDS; w++, carry >>= 64)
        sum[w] = (uint64_t)(carry += (unsigned __int128)sum[w] + number[w]);
}

/* sum += entries of a row. */
static void add_row(const rows_run *run, const uint64_t *row, uint64_t sum[SUM_WORDS])
{
    uint32_t n_words = run->chosen->n_words;
    uint64_t n = run->question->graph->n;
    unsigned __int128 words[2] = {0};
    for (uint64_t v = 0; v < n * n_words; v += n_words)
        for (uint32_t w = 0; w < n_words; w++)
            words[w] += row[v + w];
    for (uint32_t w = 0; w < n_words; w++) {
        uint64_t number[SUM_WORDS] = {0};
        number[w] = (uint64_t)words[w];
        number[w + 1] = (uint64_t)(words[w] >> 64);
        add_number(number, sum);
    }
}

/* Adds up each of the rows that were made, and all of them. sums, unless it is NULL, gets them as the answer has them. In an
 * undirected graph a cycle has two arcs that leave a vertex. */
static pc_status add_rows(rows_run *run, uint64_t n_rows, uint64_t total[SUM_WORDS], uint64_t *sums)
{
    uint64_t n = run->question->graph->n;
    uint64_t divisor = run->arcs && run->arcs->symmetric ? 2 : 1;
    uint64_t row_words = n * run->chosen->n_words;
    bool is_wrong = false;
    int n_threads = pci_threads_for(run->context, (double)n_rows * (double)n);
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t r = 0; r < n_rows; r++) {
        uint64_t sum[2][SUM_WORDS] = {{0}};
        for (int c = 0; c < run->n_copies; c++)
            add_row(run, run->copy[c] + r * row_words, sum[c]);
        if (sums)
            put(run, sum[0], divisor, sums + r * run->execution->info->n_limbs);
#pragma omp critical(pci_simple_total)
        {
            is_wrong |= run->n_copies > 1 && memcmp(sum[0], sum[1], sizeof sum[0]) != 0;
            add_number(sum[0], total);
        }
    }
    return is_wrong ? pci_fail_check(run->context, "sums of paths") : PC_OK;
}

static pc_status take(rows_run *run, uint64_t length, uint64_t first, uint64_t n_rows,
                      uint64_t n_columns, const uint64_t *limbs)
{
    pc_rows rows = {.first_row = first,
                    .n_rows = n_rows,
                    .n_columns = n_columns,
                    .n_limbs = run->execution->info->n_limbs,
                    .limbs = limbs};
    pc_status status = n_rows ? check_parts(run) : PC_OK; /* before anything is passed on */
    return n_rows && status == PC_OK ? pci_sink_take(run->execution->sink, length, &rows) : status;
}

/* Rows of a matrix, or of the vertices that are asked for; with a partition they are added up by blocks, twice. */
static pc_status answer_rows(rows_run *run, uint64_t length, uint64_t n_rows, const uint64_t *from)
{
    const pc_partition *partition = run->question->query.partition;
    uint32_t n_limbs = run->execution->info->n_limbs;
    uint64_t modulus = run->question->options.modulus, n = run->question->graph->n;
    pci_block_sums sums[2] = {{.n_rows = 0}};
    pc_reduction *both[] = {&sums[0].base, &sums[1].base};
    pc_status status = PC_OK;
    for (int i = 0; i < 2 && partition && status == PC_OK; i++)
        status = pci_block_sums_create(run->context, partition, partition->n_blocks, n_limbs,
                                       modulus, &sums[i]);
    for (uint64_t i = 0; i < n_rows && status == PC_OK; i += run->chosen->n_block) {
        uint64_t left = n_rows - i, n_block = run->chosen->n_block;
        n_block = left < n_block ? left : n_block;
        status = make_rows(run, n_block, from + i);
        put_entries(run, status == PC_OK ? n_block * n : 0, run->copy[0], run->rows);
        pc_rows rows = {i, n_block, n, n_limbs, run->rows, NULL, 0, NULL, NULL};
        if (status == PC_OK && partition)
            status = pci_reduce(run->context, both, 2, &rows);
        else if (status == PC_OK)
            status = take(run, length, i, n_block, n, run->rows);
    }
    if (status == PC_OK && partition && !pci_block_sums_are_same(&sums[0], &sums[1]))
        status = pci_fail_check(run->context, "sums between blocks");
    if (status == PC_OK && partition)
        status = take(run, length, 0, partition->n_blocks, partition->n_blocks, sums[0].limbs);
    for (int i = 0; i < 2; i++)
        if (sums[i].base.ops)
            pc_reduction_free(&sums[i].base);
    return status;
}

/* Entries of the rows of the vertices where pairs begin. A search goes from pair to pair. */
static pc_status answer_pairs(rows_run *run, uint64_t length)
{
    const pc_query *query = &run->question->query;
    uint64_t n = run->question->graph->n, n_pairs = query->n_asked;
    uint32_t n_words = run->chosen->n_words, n_limbs = run->execution->info->n_limbs;
    uint64_t *entry[2];
    uint64_t *answers = pci_alloc(run->context, n_pairs * n_limbs * sizeof *answers + 1);
    bool by_pairs = run->chosen->way == BY_SEARCH && !run->arcs && run->work.length > 0;
    pc_status status = PC_OK;
    for (int i = 0; i < 2; i++)
        if (!(entry[i] = pci_alloc(run->context, n_pairs * n_words * sizeof **entry + 1)))
            status = pci_fail_memory(run->context, "pairs", n_pairs * n_words * 8);
    if (!answers)
        status = pci_fail_memory(run->context, "pairs", n_pairs * n_limbs * 8);
    for (int i = 0; i < run->n_copies && by_pairs && status == PC_OK; i++)
        status = pci_search_pairs(&run->work, n_pairs, query->from, query->to, entry[i]);
    for (uint64_t i = 0; i < n_pairs && !by_pairs && status == PC_OK; i++) {
        if (i == 0 || query->from[i] != query->from[i - 1])
            status = make_rows(run, 1, query->from + i);
        for (int c = 0; c < run->n_copies && status == PC_OK; c++)
            memcpy(entry[c] + i * n_words, run->copy[c] + query->to[i] * n_words, n_words * 8);
    }
    (void)n;
    if (status == PC_OK && run->n_copies > 1 && memcmp(entry[0], entry[1], n_pairs * n_words * 8))
        status = pci_fail_check(run->context, "paths between pairs");
    if (status == PC_OK) {
        put_entries(run, n_pairs, entry[0], answers);
        status = take(run, length, 0, n_pairs, 1, answers);
    }
    pci_free(run->context, entry[0]);
    pci_free(run->context, entry[1]);
    pci_free(run->context, answers);
    return status;
}

/* The sum of each row, as a column of answers, or of all rows. A total is left in *total. */
static pc_status answer_sums(rows_run *run, uint64_t length, const uint64_t *all,
                             uint64_t total[SUM_WORDS])
{
    uint64_t n = run->question->graph->n, n_block = run->chosen->n_block;
    uint32_t n_limbs = run->execution->info->n_limbs;
    bool is_total = run->question->kind->reads == PCI_READS_TOTAL;
    uint64_t *sums = is_total ? NULL : pci_alloc(run->context, n * n_limbs * sizeof *sums + 1);
    pc_status status = PC_OK;
    if (!is_total && !sums)
        status = pci_fail_memory(run->context, "sums of paths", n * n_limbs * sizeof *sums);
    for (uint64_t i = 0; i < n && status == PC_OK; i += n_block) {
        uint64_t n_rows = n - i < n_block ? n - i : n_block;
        status = make_rows(run, n_rows, all + i);
        if (status == PC_OK)
            status = add_rows(run, n_rows, total, sums ? sums + i * n_limbs : NULL);
    }
    if (status == PC_OK && sums)
        status = take(run, length, 0, n, 1, sums);
    pci_free(run->context, sums);
    return status;
}

/* The number of paths, or of cycles of one length or of several: each is in the rows of all of its vertices, and in an
 * undirected graph twice. No path or cycle has more arcs than there are vertices, so one arc more stands for any length
 * above. */
static pc_status answer_total(rows_run *run, uint64_t first, uint64_t length, const uint64_t *all)
{
    uint64_t total[SUM_WORDS] = {0}, answer[SUM_WORDS] = {0};
    uint64_t longest = run->question->graph->n + 1, most = length < longest ? length : longest;
    pc_status status = PC_OK;
    for (uint64_t l = first < most ? first : most; l <= most && status == PC_OK; l++) {
        uint64_t sum[SUM_WORDS] = {0};
        unsigned __int128 rest = 0;
        uint64_t divisor = !counts_cycles(run->question) || l == 0 ? 1
                           : run->question->graph->symmetric       ? 2 * l
                                                                   : l;
        status = begin_length(run, l);
        if (status == PC_OK)
            status = answer_sums(run, l, all, sum);
        status = end_length(run, status);
        for (int w = SUM_WORDS - 1; w >= 0; w--) {
            rest = rest << 64 | sum[w];
            sum[w] = (uint64_t)(rest / divisor);
            rest %= divisor;
        }
        if (status == PC_OK && rest)
            status = pci_fail_check(run->context, "the number of cycles");
        add_number(sum, total);
    }
    put(run, total, 1, answer);
    return status == PC_OK ? take(run, length, 0, 1, 1, answer) : status;
}

/* Answers for one length; up_to: for those up to it, added up. */
static pc_status answer(rows_run *run, uint64_t length, const uint64_t *all)
{
    const pc_query *query = &run->question->query;
    const pci_question_kind *kind = run->question->kind;
    uint64_t total[SUM_WORDS] = {0};
    if (kind->reads == PCI_READS_TOTAL) {
        bool goes_up = query->up_to && counts_cycles(run->question);
        run->work.up_to = query->up_to && !goes_up;
        return answer_total(run, goes_up && length ? 1 : length, length, all);
    }
    pc_status status = begin_length(run, length);
    if (status == PC_OK && kind->is_matrix)
        status = answer_rows(run, length, run->question->graph->n, all);
    else if (status == PC_OK && kind->reads == PCI_READS_ROWS)
        status = answer_rows(run, length, query->n_asked, kind->has_from ? query->from : query->to);
    else if (status == PC_OK && kind->reads == PCI_READS_ENTRIES)
        status = answer_pairs(run, length);
    else if (status == PC_OK)
        status = answer_sums(run, length, all, total);
    return end_length(run, status);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* Paths go along the graph, or back where they are asked for by their ends. Cycles close by an arc of the row. */
static pc_status begin_run(rows_run *run)
{
    const pci_question *question = run->question;
    const pci_question_kind *kind = question->kind;
    const pc_graph *graph = question->graph, *turned = graph;
    bool is_of_ends = (kind->reads == PCI_READS_ROWS && kind->has_to) ||
                      (kind->reads == PCI_READS_SUMS && kind->reversed);
    bool goes_back = is_of_ends != counts_cycles(question);
    pc_status status = PC_OK;
    if (!graph->symmetric) {
        status = pci_graph_reverse(run->context, graph, &run->reverse);
        turned = run->reverse;
    }
    if (status != PC_OK)
        return status;
    run->work = (pci_simple_work){.context = run->context,
                                  .graph = goes_back ? turned : graph,
                                  .reverse = goes_back ? graph : turned,
                                  .up_to = question->query.up_to,
                                  .n_words = run->chosen->n_words};
    run->arcs = !counts_cycles(question) ? NULL : goes_back ? graph : turned;
    uint64_t n_words = run->chosen->n_block * graph->n;
    size_t copy_bytes = n_words * run->chosen->n_words * sizeof(uint64_t) + 1;
    size_t rows_bytes = n_words * run->execution->info->n_limbs * sizeof(uint64_t) + 1;
    for (int i = 0; i < run->n_copies && status == PC_OK; i++)
        if (!(run->copy[i] = pci_alloc(run->context, copy_bytes)))
            status = pci_fail_memory(run->context, "rows of paths", copy_bytes);
    if (status == PC_OK && !(run->rows = pci_alloc(run->context, rows_bytes)))
        status = pci_fail_memory(run->context, "rows of paths", rows_bytes);
    return status == PC_OK ? make_bases(run) : status;
}

static void end_run(rows_run *run)
{
    for (int i = 0; i < 2; i++) {
        pci_free(run->context, run->copy[i]);
        pci_free(run->context, run->own_start[i]);
        pci_free(run->context, run->own_column[i]);
        pci_free(run->context, run->own_weight[i]);
    }
    pci_free(run->context, run->rows);
    pc_graph_free(run->reverse);
}

static pc_status run_rows(const pci_execution *execution)
{
    const pci_question *question = execution->question;
    const pc_query *query = &question->query;
    uint64_t n = question->graph->n, *all = pci_alloc(question->context, n * sizeof *all + 1);
    rows_run run = {.execution = execution,
                    .question = question,
                    .chosen = execution->plan->choice,
                    .context = question->context,
                    .ops = execution->plan->engine->passes,
                    .n_copies = pci_question_n_copies(question)};
    if (!all)
        return pci_fail_memory(question->context, "vertices", n * sizeof *all);
    for (uint64_t v = 0; v < n; v++)
        all[v] = v;
    pc_status status = begin_run(&run);
    if (status == PC_OK && question->kind->is_matrix)
        status = pci_sink_open(question->context, execution->info, execution->sink);
    if (status == PC_OK && !query->each)
        status = answer(&run, query->length, all);
    for (uint64_t l = 1; query->each && l <= query->length && status == PC_OK; l++)
        status = answer(&run, l, all);
    execution->info->seconds.certify += run.certify_seconds;
    end_run(&run);
    pci_free(question->context, all);
    return status;
}

/* ---- Planning -------------------------------------------------------------------------------- */

/* Seconds of one thread for an arc and a row of a step, and for an entry of a row, in an instruction; for words. */
static const double STEP_SECONDS[] = {0.12e-9, 1e-9}, ENTRY_SECONDS[] = {0.35e-9, 1.2e-9};

/* Bits of a limit of an entry: no more than walks, and than the ways to choose vertices one after the other. */
static pc_status limit_bits(const pci_question *question, double *bits)
{
    const pc_graph *graph = question->graph;
    uint64_t length = question->query.length, n = graph->n;
    uint64_t most = length < n ? length : n; /* longer paths do not exist */
    double walks = 0, choices = 0, weight = log2((double)graph->info.max_weight + 1e-9);
    for (uint64_t l = 1; l <= most && choices < 256; l++)
        choices += fmax(0, weight) + (l < most && n > l + 1 ? log2((double)(n - 1 - l)) : 0);
    pc_status status = pci_limits_reach(question->limits, most);
    const double *limits = pci_limits_bits(question->limits);
    for (uint64_t l = 0; status == PC_OK && l <= most; l++)
        walks = fmax(walks, limits[l]);
    if (status == PC_ERR_RANGE) { /* too wide, or too many passes */
        status = PC_OK;
        walks = INFINITY;
    }
    *bits = fmin(walks, choices + 1e-6 * choices);
    if (question->query.up_to)
        *bits += pci_log2_up((double)most);
    return status;
}

/* The rows that are made for a question: from[n_rows], of each vertex if NULL. */
static uint64_t rows_of(const pci_question *question, const uint64_t **from, const uint64_t **to)
{
    const pci_question_kind *kind = question->kind;
    bool is_asked = !kind->is_matrix && (kind->has_from || kind->has_to);
    *from = !is_asked ? NULL : kind->has_from ? question->query.from : question->query.to;
    *to = kind->reads == PCI_READS_ENTRIES && !counts_cycles(question) ? question->query.to : NULL;
    return is_asked ? question->query.n_asked : question->graph->n;
}

/* The same on a device: bytes of lines read by steps, and of registers by other instructions, and of rows on their way
 * back, a second; and how long it takes to begin, once CUDA is started. */
static const double DEVICE_STEP_BYTES = 3e12, DEVICE_ENTRY_BYTES = 1e12, DEVICE_ROW_BYTES = 6e9,
                    DEVICE_SECONDS = 0.02;

static double predict_on_device(const pci_question *question, const pci_program *program,
                                uint64_t n_rows, uint32_t n_words)
{
    const pc_graph *graph = question->graph;
    const pci_pass *last = &program->pass[program->n_passes - 1];
    double n = (double)graph->n, arcs = (double)pci_graph_n_arcs(graph) + n, bytes = 8 * n_words;
    double steps = bytes * arcs / DEVICE_STEP_BYTES, entries = bytes * n / DEVICE_ENTRY_BYTES;
    double once = steps * program->n_more_steps + entries * last->first;
    double row = steps * program->n_steps + entries * last->n + bytes * n / DEVICE_ROW_BYTES;
    return DEVICE_SECONDS + once * n + row * (double)n_rows;
}

static double predict_formulas(const pci_question *question, const pci_program *program,
                               uint64_t n_rows, uint32_t n_words)
{
    const pc_graph *graph = question->graph;
    const pci_pass *last = &program->pass[program->n_passes - 1];
    double n = (double)graph->n, arcs = (double)pci_graph_n_arcs(graph) + n;
    double steps = STEP_SECONDS[n_words - 1] * arcs, entries = ENTRY_SECONDS[n_words - 1] * n;
    double once = steps * program->n_more_steps + entries * last->first;
    double row = steps * program->n_steps + entries * last->n;
    double n_threads = pci_cost_threads(pci_n_threads(question->context));
    double n_blocks = ceil((double)n_rows / 8); /* each is the work of one thread */
    return once * n / n_threads + row * 8 * fmax(n_blocks / n_threads, fmin(1, n_blocks));
}

/* Notes seconds of formulas, of the longest length, and the memory that they take. */
static pc_status plan_formulas(const pci_question *question, const pci_simple_work *work,
                               bool is_on_cpu, uint64_t n_rows, double *seconds, double *bytes)
{
    const pc_graph *graph = question->graph;
    pci_formula_base base = {graph->n,      graph->n,      graph->row_start,
                             graph->column, graph->weight, NULL};
    pci_formula_base bases[] = {base, base}; /* the reversed arcs are as many */
    pci_program *program;
    *seconds = *bytes = 0;
    if (work->length == 0)
        return PC_OK;
    pc_status status =
        make_program(question->context, graph->symmetric, !graph->weight, work, &program);
    if (status != PC_OK)
        return status;
    *seconds = (is_on_cpu ? predict_formulas : predict_on_device)(question, program, n_rows,
                                                                  work->n_words);
    *bytes = (1 + (question->options.n_certify_rounds > 0)) *
             pci_evaluation_bytes(question->context, program, bases,
                                  work->n_words == 1 ? PCI_NUMBERS_64 : PCI_NUMBERS_128);
    pci_program_free(question->context, program);
    return PC_OK;
}

/* Predicts what a way takes. */
static pc_status predict(const pci_question *question, way way, bool is_on_cpu,
                         const pci_simple_work *work, double *seconds, double *bytes)
{
    const uint64_t *from, *to;
    uint64_t n_rows = rows_of(question, &from, &to);
    pc_status status = PC_OK;
    *seconds = *bytes = 0;
    if (way == BY_FORMULAS)
        status = plan_formulas(question, work, is_on_cpu, n_rows, seconds, bytes);
    else if (way == BY_SEARCH && work->length > 0 && n_rows > 0) {
        status = pci_search_predict(work, n_rows, from, to, seconds);
        *bytes = pci_search_bytes(work, to != NULL);
    } else if (way == BY_SETS) {
        *seconds = pci_sets_seconds(work, n_rows);
        *bytes = pci_sets_bytes(work);
    }
    bool is_each = question->query.each; /* about half as long in the mean, or growing */
    *seconds *= (question->options.n_certify_rounds ? 2 : 1) * (is_each ? 2 : 1);
    return status;
}

/* Says why a way does not reach so far; NULL: it does. */
static const char *why_not(const pci_question *question, way way)
{
    uint64_t most = PCI_FORMULA_LENGTH + counts_cycles(question);
    if (way == BY_FORMULAS && question->query.length > most)
        return "formulas count paths of at most 6 arcs, and cycles of 7; count with --method "
               "search";
    if (way == BY_SETS && question->graph->n > PCI_MOST_SET_VERTICES)
        return "sets of vertices count in graphs of at most 26; count with --method search";
    return NULL;
}

static pc_status plan_rows(const pci_question *question, const pci_engine *engine, way way,
                           pci_plan *plan)
{
    const pc_graph *graph = question->graph;
    pc_plan_info *info = &plan->info;
    const pci_question_kind *kind = question->kind;
    bool is_modular = question->options.arithmetic == PC_MODULAR;
    bool is_on_cpu = engine == &pci_engine_cpu;
    double n = (double)graph->n, bits, bytes;
    pc_graph *reverse = NULL;
    const uint64_t *from, *to;
    choice *chosen = pci_plan_choice(question, sizeof *chosen, plan);
    if (!chosen)
        return PC_ERR_MEMORY;
    pc_status status = limit_bits(question, &bits);
    if (status == PC_OK && !graph->symmetric && way == BY_SEARCH)
        status = pci_graph_reverse(question->context, graph, &reverse);
    if (status != PC_OK)
        return pci_plan_settle(question, status, false, plan);
    *chosen = (struct choice){.way = way, .n_words = bits < 64 ? 1 : 2};
    double summed = kind->reads == PCI_READS_SUMS || kind->reads == PCI_READS_DIAGONAL ? log2(n + 1)
                    : kind->reads == PCI_READS_TOTAL ? 2 * log2(n + 1)
                    : question->query.partition
                        ? 2 * log2((double)question->query.partition->max_size + 1)
                        : 0;
    info->method = plan->method->told;
    info->bound_bits = is_modular ? log2((double)info->modulus) : bits + summed;
    info->n_limbs = is_modular ? 1 : (uint32_t)((bits + summed) / 64) + 1;
    pci_engine_info of_engine;
    status = engine->describe(question->context, &of_engine);
    if (status != PC_OK) {
        pc_graph_free(reverse);
        return pci_plan_settle(question, status, false, plan);
    }
    plan->engine = engine;
    info->engine = engine->name;
    info->device = of_engine.device;
    info->n_devices = of_engine.n_devices > 0;
    uint64_t n_rows = rows_of(question, &from, &to);
    info->n_vectors = kind->is_matrix ? 0 : n_rows;
    if (why_not(question, way)) {
        pci_plan_refuse(plan, PC_ERR_ARGUMENT, "%s", why_not(question, way));
        pc_graph_free(reverse);
        return PC_OK;
    }
    if (bits >= 128) {
        pci_plan_refuse(plan, PC_ERR_RANGE,
                        "numbers of such paths may have %.0f bits, and 128 are counted; take a "
                        "shorter length, or leave weights out",
                        bits);
        pc_graph_free(reverse);
        return PC_OK;
    }
    double row_bytes = 8 * fmax(1, n) * fmax(chosen->n_words, info->n_limbs);
    double n_block = fmax(8.0 * pci_n_threads(question->context),
                          (is_on_cpu ? 1 : DEVICE_BLOCKS) * BLOCK_BYTES / row_bytes);
    chosen->n_block = (uint64_t)fmin(fmax(1, (double)n_rows), n_block);
    uint64_t length = question->query.length;
    pci_simple_work work = {.context = question->context,
                            .graph = graph,
                            .reverse = reverse ? reverse : graph,
                            .length = length - (counts_cycles(question) && length > 0),
                            .up_to = question->query.up_to,
                            .n_words = chosen->n_words};
    status = predict(question, way, is_on_cpu, &work, &plan->seconds, &bytes);
    pc_graph_free(reverse);
    if (status != PC_OK)
        return pci_plan_settle(question, status, false, plan);
    info->predicted_seconds = plan->seconds += 1e-5;
    plan->seconds += is_on_cpu ? 0 : pci_cuda_start_seconds(question->context);
    bytes += 3 * (double)chosen->n_block * row_bytes + 8 * n;
    bytes += kind->is_matrix && question->query.keeps ? 8 * n * n * info->n_limbs : 0;
    bytes += graph->symmetric ? 0 : (double)pci_graph_bytes(graph);
    bytes += graph->info.n_loops ? 2 * (double)pci_graph_bytes(graph) : 0;
    pci_plan_memory_of_rows(
        question, bytes + (double)pci_graph_bytes(graph) + (double)pci_program_bytes(question),
        plan);
    return PC_OK;
}

static pc_status plan_by_formulas(const pci_question *question, const pci_engine *engine,
                                  pci_plan *plan)
{
    return plan_rows(question, engine, BY_FORMULAS, plan);
}

static pc_status plan_by_search(const pci_question *question, const pci_engine *engine,
                                pci_plan *plan)
{
    return plan_rows(question, engine, BY_SEARCH, plan);
}

static pc_status plan_by_sets(const pci_question *question, const pci_engine *engine,
                              pci_plan *plan)
{
    return plan_rows(question, engine, BY_SETS, plan);
}

/* A way that was asked for says itself why it does not reach so far. */
static int rank_of(const pci_question *question, way way, pc_method told)
{
    bool is_possible = !why_not(question, way) || question->options.method == told;
    return !pci_question_is_of_walks(question) && is_possible ? PCI_RANK_BEST : PCI_CANNOT;
}

static int rank_of_formulas(const pci_question *question)
{
    return rank_of(question, BY_FORMULAS, PC_METHOD_FORMULA);
}

static int rank_of_search(const pci_question *question)
{
    return rank_of(question, BY_SEARCH, PC_METHOD_SEARCH);
}

static int rank_of_sets(const pci_question *question)
{
    return rank_of(question, BY_SETS, PC_METHOD_SETS);
}

static const char BECAUSE[] = "paths are looked for on the CPU";

const pci_method pci_by_formulas = {.name = "formulas for simple paths",
                                    .told = PC_METHOD_FORMULA,
                                    .rank = rank_of_formulas,
                                    .plan = plan_by_formulas,
                                    .run = run_rows};

const pci_method pci_by_search = {.name = "a search for simple paths",
                                  .told = PC_METHOD_SEARCH,
                                  .cpu_because = BECAUSE,
                                  .rank = rank_of_search,
                                  .plan = plan_by_search,
                                  .run = run_rows};

const pci_method pci_by_sets = {.name = "sets of vertices of simple paths",
                                .told = PC_METHOD_SETS,
                                .cpu_because = BECAUSE,
                                .rank = rank_of_sets,
                                .plan = plan_by_sets,
                                .run = run_rows};
