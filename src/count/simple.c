/* Answers questions about simple paths and cycles by rows: of a matrix, of vertices, their entries, sums and totals.
 *
 * Each cycle through a vertex of an undirected graph has two edges there, and so half the sum of the row is their
 * number. */
#include <gmp.h>

#include "src/count/block_sums.h"
#include "src/count/simple_rows.h"

#include <string.h>

enum { SUM_WORDS = 4 };

/* ---- Answers --------------------------------------------------------------------------------- */

/* Writes a number as the answer has it: divided, as residue, with n_limbs words. */
static void put(const pci_simple_run *run, const uint64_t sum[SUM_WORDS], uint64_t divisor,
                uint64_t *to)
{
    uint64_t modulus = run->question->options.modulus, quotient[SUM_WORDS];
    uint32_t n_limbs = run->execution->info->n_limbs;
    mpn_divrem_1(quotient, 0, sum, SUM_WORDS, divisor);
    for (uint32_t l = 0; l < n_limbs; l++)
        to[l] = modulus ? mpn_mod_1(quotient, SUM_WORDS, modulus) : l < SUM_WORDS ? quotient[l] : 0;
}

/* Writes entries of rows as the answer has them. */
static void put_entries(const pci_simple_run *run, uint64_t n, const uint64_t *from, uint64_t *to)
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

/* sum += entries of a row. */
static void add_row(const pci_simple_run *run, const uint64_t *row, uint64_t sum[SUM_WORDS])
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
        mpn_add_n(sum, sum, number, SUM_WORDS);
    }
}

/* Adds up each of the rows that were made, and all of them. sums, unless it is NULL, gets them as the answer has them.
 * A cycle of an undirected graph has two arcs that leave a vertex. */
static pc_status add_rows(pci_simple_run *run, uint64_t n_rows, uint64_t total[SUM_WORDS],
                          uint64_t *sums)
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
            mpn_add_n(total, total, sum[0], SUM_WORDS);
        }
    }
    return is_wrong ? pci_fail_check(run->context, "sums of paths") : PC_OK;
}

static pc_status take(pci_simple_run *run, uint64_t length, uint64_t first, uint64_t n_rows,
                      uint64_t n_columns, const uint64_t *limbs)
{
    pc_rows rows = {.first_row = first,
                    .n_rows = n_rows,
                    .n_columns = n_columns,
                    .n_limbs = run->execution->info->n_limbs,
                    .limbs = limbs};
    pc_status status = n_rows ? pci_simple_check(run) : PC_OK; /* before anything is passed on */
    return n_rows && status == PC_OK ? pci_sink_take(run->execution->sink, length, &rows) : status;
}

/* Rows of a matrix, or of the vertices that are asked for; with a partition they are added up by blocks, twice. */
static pc_status answer_rows(pci_simple_run *run, uint64_t length, uint64_t n_rows,
                             const uint64_t *from)
{
    const pc_partition *partition = run->question->query.partition;
    uint32_t n_limbs = run->execution->info->n_limbs;
    uint64_t modulus = run->question->options.modulus, n = run->question->graph->n;
    pci_block_sums sums[2] = {{.n_rows = 0}};
    pc_reduction *reduction = &sums->base;
    pc_status status = PC_OK;
    if (partition)
        status = pci_block_sums_create(run->context, partition, partition->n_blocks, n_limbs,
                                       modulus, run->n_copies, sums);
    for (uint64_t i = 0; i < n_rows && status == PC_OK; i += run->chosen->n_block) {
        uint64_t left = n_rows - i, n_block = run->chosen->n_block;
        n_block = left < n_block ? left : n_block;
        status = pci_simple_rows(run, n_block, from + i);
        put_entries(run, status == PC_OK ? n_block * n : 0, run->copy[0], run->rows);
        pc_rows rows = {i, n_block, n, n_limbs, run->rows, NULL, 0, NULL, NULL};
        if (status == PC_OK && partition)
            status = pci_reduce(run->context, &reduction, 1, &rows);
        else if (status == PC_OK)
            status = take(run, length, i, n_block, n, run->rows);
    }
    if (status == PC_OK && partition)
        status = pci_block_sums_check(sums);
    if (status == PC_OK && partition)
        status = take(run, length, 0, partition->n_blocks, partition->n_blocks, sums[0].limbs);
    if (partition)
        pc_reduction_free(reduction);
    return status;
}

/* Entries of the rows of the vertices where pairs begin. A search goes from pair to pair. */
static pc_status answer_pairs(pci_simple_run *run, uint64_t length)
{
    const pc_query *query = &run->question->query;
    uint64_t n_pairs = query->n_asked;
    uint32_t n_words = run->chosen->n_words, n_limbs = run->execution->info->n_limbs;
    uint64_t *entry[2];
    uint64_t *answers = pci_alloc(run->context, n_pairs * n_limbs * sizeof *answers + 1);
    bool by_pairs = run->chosen->way == PC_METHOD_SEARCH && !run->arcs && run->work.length > 0;
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
            status = pci_simple_rows(run, 1, query->from + i);
        for (int c = 0; c < run->n_copies && status == PC_OK; c++)
            memcpy(entry[c] + i * n_words, run->copy[c] + query->to[i] * n_words, n_words * 8);
    }
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
static pc_status answer_sums(pci_simple_run *run, uint64_t length, const uint64_t *all,
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
        status = pci_simple_rows(run, n_rows, all + i);
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
static pc_status answer_total(pci_simple_run *run, uint64_t first, uint64_t length,
                              const uint64_t *all)
{
    uint64_t total[SUM_WORDS] = {0}, answer[SUM_WORDS] = {0};
    uint64_t longest = run->question->graph->n + 1, most = length < longest ? length : longest;
    pc_status status = PC_OK;
    for (uint64_t l = first < most ? first : most; l <= most && status == PC_OK; l++) {
        uint64_t sum[SUM_WORDS] = {0};
        uint64_t divisor = !pci_counts_cycles(run->question) || l == 0 ? 1
                           : run->question->graph->symmetric           ? 2 * l
                                                                       : l;
        status = pci_simple_begin(run, l);
        if (status == PC_OK)
            status = answer_sums(run, l, all, sum);
        status = pci_simple_end(run, status);
        if (mpn_divrem_1(sum, 0, sum, SUM_WORDS, divisor) && status == PC_OK)
            status = pci_fail_check(run->context, "the number of cycles");
        mpn_add_n(total, total, sum, SUM_WORDS);
    }
    put(run, total, 1, answer);
    return status == PC_OK ? take(run, length, 0, 1, 1, answer) : status;
}

/* Answers for one length; up_to: for those up to it, added up. */
static pc_status answer(pci_simple_run *run, uint64_t length, const uint64_t *all)
{
    const pc_query *query = &run->question->query;
    const pci_question_kind *kind = run->question->kind;
    uint64_t total[SUM_WORDS] = {0};
    if (kind->reads == PCI_READS_TOTAL) {
        bool goes_up = query->up_to && pci_counts_cycles(run->question);
        run->work.up_to = query->up_to && !goes_up;
        return answer_total(run, goes_up && length ? 1 : length, length, all);
    }
    pc_status status = pci_simple_begin(run, length);
    if (status == PC_OK && kind->is_matrix)
        status = answer_rows(run, length, run->question->graph->n, all);
    else if (status == PC_OK && kind->reads == PCI_READS_ROWS)
        status = answer_rows(run, length, query->n_asked, kind->has_from ? query->from : query->to);
    else if (status == PC_OK && kind->reads == PCI_READS_ENTRIES)
        status = answer_pairs(run, length);
    else if (status == PC_OK)
        status = answer_sums(run, length, all, total);
    return pci_simple_end(run, status);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* Paths go along the graph, or back where they are asked for by their ends. Cycles close by an arc of the row. */
static pc_status begin_run(pci_simple_run *run)
{
    const pci_question *question = run->question;
    const pci_question_kind *kind = question->kind;
    const pc_graph *graph = question->graph, *turned = graph;
    bool is_of_ends = (kind->reads == PCI_READS_ROWS && kind->has_to) ||
                      (kind->reads == PCI_READS_SUMS && kind->reversed);
    bool goes_back = is_of_ends != pci_counts_cycles(question);
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
    run->arcs = !pci_counts_cycles(question) ? NULL : goes_back ? graph : turned;
    uint64_t n_words = run->chosen->n_block * graph->n;
    size_t copy_bytes = n_words * run->chosen->n_words * sizeof(uint64_t) + 1;
    size_t rows_bytes = n_words * run->execution->info->n_limbs * sizeof(uint64_t) + 1;
    for (int i = 0; i < run->n_copies && status == PC_OK; i++)
        if (!(run->copy[i] = pci_alloc(run->context, copy_bytes)))
            status = pci_fail_memory(run->context, "rows of paths", copy_bytes);
    if (status == PC_OK && !(run->rows = pci_alloc(run->context, rows_bytes)))
        status = pci_fail_memory(run->context, "rows of paths", rows_bytes);
    return status == PC_OK ? pci_simple_bases(run) : status;
}

static void end_run(pci_simple_run *run)
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

pc_status pci_simple_answer(const pci_execution *execution)
{
    const pci_question *question = execution->question;
    const pc_query *query = &question->query;
    uint64_t n = question->graph->n, *all = pci_alloc(question->context, n * sizeof *all + 1);
    pci_simple_run run = {.execution = execution,
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
    if (status == PC_OK && !query->each)
        status = answer(&run, query->length, all);
    for (uint64_t l = 1; query->each && l <= query->length && status == PC_OK; l++)
        status = answer(&run, l, all);
    execution->info->seconds.certify += run.certify_seconds;
    end_run(&run);
    pci_free(question->context, all);
    return status;
}
