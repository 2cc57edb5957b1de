/* What a process does with the residues of its rows: extends the base, reduces, makes integers and aggregates. */
#include "src/cluster/power_rows.h"

#include "src/cluster/residue_rows.h"

#include "src/cpu/modular.h"
#include "src/cpu/run.h"

#include <omp.h>
#include <string.h>

enum { MOST_ITEMS = 1 << 30 /* in one call: counts of MPI are ints */ };

static pc_status agree(const pci_power_share *share, pc_status status)
{
    return pci_processes_agree(&share->all, share->context, status);
}

static pc_status agree_on_memory(const pci_power_share *share, bool has_memory, const char *what,
                                 size_t bytes)
{
    return agree(share, has_memory ? PC_OK : pci_fail_memory(share->context, what, bytes));
}

static pci_row_list all_rows(const pci_power_share *share)
{
    return (pci_row_list){.n = share->graph->n};
}

/* Begins a round. The processes agree whether to go on: only the first one is told to stop. */
static pc_status begin_round(pci_residue_rows *rows, uint64_t at)
{
    const pci_power_share *share = rows->share;
    pci_residue_rows_begin(rows, at);
    return agree(share,
                 pci_progress(share->context, "convert", (double)rows->at / (double)rows->list.n));
}

/* The rows that each process has of the round: how many, and where they begin. */
static void count_rows(const pci_residue_rows *rows, int *n, int *at)
{
    for (int r = 0; r < rows->share->all.n; r++) {
        n[r] = (int)(pci_residue_rows_first(rows, r + 1) - pci_residue_rows_first(rows, r));
        at[r] = (int)(pci_residue_rows_first(rows, r) - rows->at);
    }
}

/* ---- To residues ----------------------------------------------------------------------------- */

/* Planes for moduli from the first n_held on, of all processes. */
static pc_status add_planes(pci_power_share *share, uint32_t n_held, uint32_t n_moduli)
{
    const pci_processes *all = &share->all;
    pci_run *run = share->run;
    uint32_t before = pci_power_n_own(n_held, all->rank, all->n);
    uint32_t after = pci_power_n_own(n_moduli, all->rank, all->n);
    pc_status status =
        pci_run_new_planes(run, before, after - before, false, run->plane + before, &run->n_planes);
    run->n_moduli = after;
    share->n_moduli = n_moduli;
    return agree(share, status);
}

static void extend_rows(const pci_residue_rows *rows, const pci_recombination *how)
{
    const pci_run *run = rows->share->run;
    uint32_t n_held = rows->split;
    const pci_row_tile row = {.n_rows = 1, .n_columns = rows->depth};
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic)
    for (uint64_t j = 0; j < rows->n_own; j++) {
        int8_t *in[PCI_N_NOT_FULL], *out[PCI_N_NOT_FULL];
        pci_residue_rows_at(rows, 0, n_held, j, in);
        pci_residue_rows_at(rows, n_held, rows->n_slots, j, out);
        run->kernel->rows->extend(how, row, (const int8_t *const *)in, out,
                                  pci_residue_rows_digit_bytes(rows));
    }
}

static pc_status extend(pci_residue_rows *rows, const pci_recombination *how)
{
    pc_status status = PC_OK;
    for (uint64_t at = 0; at < rows->list.n && status == PC_OK; at += pci_residue_rows_step(rows)) {
        status = begin_round(rows, at);
        if (status != PC_OK)
            break;
        pci_residue_rows_take(rows, 0, rows->split);
        extend_rows(rows, how);
        pci_residue_rows_give(rows, rows->split, rows->n_slots);
    }
    return status;
}

pc_status pci_power_extend(pci_power_share *share, uint32_t n_needed)
{
    uint32_t held = share->n_moduli, n_moduli = pci_power_n_moduli(n_needed, share->all.n);
    pci_row_list list = all_rows(share);
    pci_recombination how = {0};
    pci_residue_rows rows;
    if (!held || n_moduli <= held)
        return PC_OK;
    pc_status status =
        agree(share, pci_recombination_create(share->context, &share->moduli, held,
                                              PCI_TARGET_MODULI, n_moduli - held, &how));
    if (status == PC_OK)
        status = add_planes(share, held, n_moduli);
    if (status == PC_OK) {
        status = pci_residue_rows_create(share, &list, n_moduli, held, &rows);
        if (status == PC_OK)
            status = extend(&rows, &how);
        pci_residue_rows_free(&rows);
    }
    pci_recombination_free(share->context, &how);
    return status;
}

/* Residues of own rows of words[n_own][n] to all slots. */
static void split_row(const pci_residue_rows *rows, uint64_t j, const uint64_t *words)
{
    const pci_run *run = rows->share->run;
    int8_t *out[PCI_N_NOT_FULL];
    pci_residue_rows_at(rows, 0, rows->n_slots, j, out);
    for (uint32_t i = 0; i < rows->n_slots; i++)
        run->kernel->rows->split(run->layout.n, words, rows->share->moduli.m[i],
                                 pci_modulus_class(i), out[i], pci_residue_rows_digit_bytes(rows));
}

/* Rows of words[n][n] of the first process go to where they are split: own[n_own][n]. */
static void scatter_words(const pci_residue_rows *rows, const uint64_t *words, uint64_t *own)
{
    const pci_processes *all = &rows->share->all;
    uint64_t n = rows->share->graph->n;
    MPI_Datatype row = pci_lines_of(n * sizeof *words);
    count_rows(rows, rows->n_sent, rows->sent_at);
    MPI_Scatterv(words ? words + rows->at * n : NULL, rows->n_sent, rows->sent_at, row, own,
                 (int)rows->n_own, row, 0, all->comm);
    MPI_Type_free(&row);
}

static pc_status split_words(pci_residue_rows *rows, const uint64_t *words, uint64_t *own)
{
    uint64_t n = rows->share->graph->n;
    pc_status status = PC_OK;
    for (uint64_t at = 0; at < n && status == PC_OK; at += pci_residue_rows_step(rows)) {
        status = begin_round(rows, at);
        if (status != PC_OK)
            break;
        scatter_words(rows, words, own);
#pragma omp parallel for num_threads(rows->share->run->n_threads) schedule(static)
        for (uint64_t j = 0; j < rows->n_own; j++)
            split_row(rows, j, own + j * n);
        pci_residue_rows_give(rows, 0, rows->n_slots);
    }
    return status;
}

pc_status pci_power_load_words(pci_power_share *share, uint32_t n_needed, const uint64_t *words)
{
    uint32_t n_moduli = pci_power_n_moduli(n_needed, share->all.n);
    pci_row_list list = all_rows(share);
    pci_residue_rows rows;
    pci_run_drop_planes(share->run);
    pc_status status = add_planes(share, 0, n_moduli);
    if (status != PC_OK)
        return status;
    status = pci_residue_rows_create(share, &list, n_moduli, n_moduli, &rows);
    size_t bytes = rows.n_a_process * share->graph->n * sizeof *words;
    uint64_t *own = status == PC_OK ? pci_alloc(share->context, bytes) : NULL;
    if (status == PC_OK)
        status = agree_on_memory(share, own != NULL, "words of rows", bytes);
    if (status == PC_OK)
        status = split_words(&rows, words, own);
    pci_free(share->context, own);
    pci_residue_rows_free(&rows);
    return status;
}

static pc_status reduce_modulo(pci_residue_rows *rows, const pci_recombination *how,
                               uint64_t modulus, uint64_t *words)
{
    const pci_run *run = rows->share->run;
    uint64_t n = rows->list.n;
    pc_status status = PC_OK;
    for (uint64_t at = 0; at < n && status == PC_OK; at += pci_residue_rows_step(rows)) {
        status = begin_round(rows, at);
        if (status != PC_OK)
            break;
        pci_residue_rows_take(rows, 0, rows->n_slots);
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic)
        for (uint64_t j = 0; j < rows->n_own; j++) {
            int8_t *in[PCI_N_NOT_FULL];
            pci_residue_rows_at(rows, 0, rows->n_slots, j, in);
            run->kernel->rows->collect_modular(how, n, (const int8_t *const *)in,
                                               pci_residue_rows_digit_bytes(rows), modulus,
                                               words + j * n);
            split_row(rows, j, words + j * n);
        }
        pci_residue_rows_give(rows, 0, rows->n_slots);
    }
    return status;
}

pc_status pci_power_reduce_modulo(pci_power_share *share, uint64_t modulus)
{
    pci_row_list list = all_rows(share);
    pci_recombination how = {0};
    pci_residue_rows rows;
    pc_status status =
        pci_residue_rows_create(share, &list, share->n_moduli, share->n_moduli, &rows);
    size_t bytes = rows.n_a_process * list.n * sizeof(uint64_t);
    uint64_t *words = status == PC_OK ? pci_alloc(share->context, bytes) : NULL;
    if (status == PC_OK)
        status = agree_on_memory(share, words != NULL, "words of rows", bytes);
    if (status == PC_OK)
        status =
            agree(share, pci_recombination_create(share->context, &share->moduli, share->n_moduli,
                                                  PCI_TARGET_MODULUS, modulus, &how));
    if (status == PC_OK)
        status = reduce_modulo(&rows, &how, modulus, words);
    pci_recombination_free(share->context, &how);
    pci_free(share->context, words);
    pci_residue_rows_free(&rows);
    return status;
}

/* ---- To integers ----------------------------------------------------------------------------- */

/* Tables are kept from one call to the next. */
static pc_status prepare_collector(pci_power_share *share, uint32_t n_limbs)
{
    pc_status status = PC_OK;
    if (!share->n_moduli ||
        (share->collector_limbs == n_limbs && share->collector_moduli == share->n_moduli))
        return PC_OK;
    pci_recombination_free(share->context, &share->collector);
    share->collector_limbs = 0;
    status = agree(share, pci_recombination_create(share->context, &share->moduli, share->n_moduli,
                                                   PCI_TARGET_LIMBS, n_limbs, &share->collector));
    if (status != PC_OK)
        return status;
    share->collector_limbs = n_limbs;
    share->collector_moduli = share->n_moduli;
    return PC_OK;
}

static void collect_plain(const pci_residue_rows *rows, uint64_t j, uint32_t n_limbs,
                          uint64_t *limbs)
{
    const pci_run *run = rows->share->run;
    uint64_t e = pci_residue_rows_first(rows, rows->share->all.rank) + j;
    const int8_t *row = run->plane[0] + pci_row_at(&rows->list, e) * run->layout.stride;
    memset(limbs, 0, run->layout.n * n_limbs * sizeof *limbs);
    for (size_t i = 0; i < run->layout.n; i++)
        limbs[i * n_limbs] = (uint64_t)row[i];
}

/* Begins the round from entry at on, and makes own rows of it: limbs[n_own][n][n_limbs]. */
static void collect_round(pci_residue_rows *rows, uint64_t at, uint32_t n_limbs, uint64_t *limbs)
{
    const pci_power_share *share = rows->share;
    const pci_run *run = share->run;
    size_t n = run->layout.n;
    const pci_row_tile row = {.n_rows = 1, .n_columns = n};
    pci_residue_rows_begin(rows, at);
    if (share->n_moduli)
        pci_residue_rows_take(rows, 0, share->n_moduli);
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic)
    for (uint64_t j = 0; j < rows->n_own; j++) {
        int8_t *in[PCI_N_NOT_FULL];
        uint64_t *to = limbs + j * n * n_limbs;
        pci_residue_rows_at(rows, 0, rows->n_slots, j, in);
        if (share->n_moduli)
            run->kernel->rows->collect(&share->collector, row, (const int8_t *const *)in,
                                       pci_residue_rows_digit_bytes(rows), n_limbs, to, 0);
        else
            collect_plain(rows, j, n_limbs, to);
    }
}

/* Rows of the round go to the first process: all[n_rows][n][n_limbs], NULL in the others. */
static void gather_limbs(const pci_residue_rows *rows, uint32_t n_limbs, const uint64_t *own,
                         uint64_t *all_limbs)
{
    const pci_processes *all = &rows->share->all;
    size_t row_words = rows->share->graph->n * n_limbs;
    MPI_Datatype row = pci_lines_of(row_words * sizeof *own);
    count_rows(rows, rows->n_taken, rows->taken_at);
    MPI_Gatherv(own, (int)rows->n_own, row, all_limbs ? all_limbs + rows->at * row_words : NULL,
                rows->n_taken, rows->taken_at, row, 0, all->comm);
    MPI_Type_free(&row);
}

/* Makes rounds, with room for own rows as integers; both must be freed whatever the status. */
static pc_status begin_collecting(pci_power_share *share, const pci_row_list *list,
                                  uint32_t n_limbs, pci_residue_rows *rows, uint64_t **limbs)
{
    pc_status status = pci_residue_rows_create(share, list, share->n_moduli, share->n_moduli, rows);
    size_t bytes = (rows->n_a_process * share->graph->n * n_limbs + 1) * sizeof **limbs;
    *limbs = status == PC_OK ? pci_alloc(share->context, bytes) : NULL;
    if (status == PC_OK)
        status = agree_on_memory(share, *limbs != NULL, "a block of rows", bytes);
    return status == PC_OK ? prepare_collector(share, n_limbs) : status;
}

static pc_status share_numbers(pci_power_share *share, uint64_t n, const uint64_t *numbers,
                               uint64_t **shared)
{
    *shared = pci_alloc(share->context, (n + 1) * sizeof **shared);
    pc_status status =
        agree_on_memory(share, *shared != NULL, "a list of rows", n * sizeof **shared);
    if (status != PC_OK)
        return status;
    if (numbers)
        memcpy(*shared, numbers, n * sizeof **shared);
    pci_processes_share(&share->all, 0, *shared, n * sizeof **shared);
    return PC_OK;
}

pc_status pci_power_collect(pci_power_share *share, const pci_power_command *command,
                            const pci_power_caller *caller)
{
    uint64_t *limbs = NULL, *numbers = NULL;
    pci_residue_rows rows;
    pc_status status = command->is_selected ? share_numbers(share, command->n_rows,
                                                            caller ? caller->rows : NULL, &numbers)
                                            : PC_OK;
    pci_row_list list = {command->first_row, command->n_rows, numbers};
    if (status == PC_OK) {
        status = begin_collecting(share, &list, command->n_limbs, &rows, &limbs);
        for (uint64_t at = 0; at < list.n && status == PC_OK; at += pci_residue_rows_step(&rows)) {
            collect_round(&rows, at, command->n_limbs, limbs);
            gather_limbs(&rows, command->n_limbs, limbs, caller ? caller->limbs : NULL);
        }
        pci_free(share->context, limbs);
        pci_residue_rows_free(&rows);
    }
    pci_free(share->context, numbers);
    return status;
}

/* ---- Aggregates ------------------------------------------------------------------------------ */

/* Vectors of dot products, as every process has them: x[n] of each after its modulus. */
static pc_status share_dots(const pci_power_share *share, const pci_power_command *command,
                            const pci_power_caller *caller, uint64_t **vectors)
{
    uint64_t n = share->graph->n;
    size_t n_words = command->n_dots * (n + 1);
    uint64_t *made = *vectors = pci_alloc(share->context, (n_words + 1) * sizeof *made);
    pc_status status = agree_on_memory(share, made != NULL, "vectors", n_words * sizeof *made);
    if (status != PC_OK)
        return status;
    for (uint32_t d = 0; d < command->n_dots && caller; d++) {
        made[d * (n + 1)] = caller->aggregates->dots[d].modulus;
        memcpy(made + d * (n + 1) + 1, caller->aggregates->dots[d].x, n * sizeof *made);
    }
    pci_processes_share(&share->all, 0, made, n_words * sizeof *made);
    return PC_OK;
}

static uint64_t dot_of(uint64_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *vector)
{
    uint64_t modulus = vector[0], radix = (UINT64_MAX % modulus + 1) % modulus, dot = 0;
    for (uint32_t l = n_limbs; l-- > 0;) {
        uint64_t word = pci_dot_mod(n, counts + l, n_limbs, vector + 1, modulus);
        dot = (uint64_t)(((unsigned __int128)dot * radix + word) % modulus);
    }
    return dot;
}

/* Own rows of the round: their records, twice, then what certifies them. room[n_threads][n_limbs] */
static void aggregate_rows(const pci_residue_rows *rows, bool has_records, const uint64_t *limbs,
                           const uint64_t *vectors, unsigned __int128 *room, pci_aggregates *own)
{
    const pci_power_share *share = rows->share;
    uint64_t n = own->n, first = pci_residue_rows_first(rows, share->all.rank);
    uint32_t n_limbs = own->n_limbs;
    for (int c = 0; c < PCI_AGGREGATE_COPIES && has_records; c++) {
#pragma omp parallel for num_threads(share->run->n_threads) schedule(dynamic)
        for (uint64_t j = 0; j < rows->n_own; j++)
            pci_record_make(first + j, n, n_limbs, limbs + j * n * n_limbs,
                            room + (size_t)omp_get_thread_num() * n_limbs,
                            pci_record(own, c, first + j));
    }
    for (int c = 0; c < PCI_AGGREGATE_COPIES && own->cells.row_span; c++)
        for (uint64_t j = 0; j < rows->n_own; j++)
            pci_cells_add_row(&own->cells, c, first + j, n, n_limbs, limbs + j * n * n_limbs);
#pragma omp parallel for num_threads(share->run->n_threads) schedule(dynamic)
    for (uint64_t j = 0; j < rows->n_own; j++)
        for (uint32_t d = 0; d < own->n_dots; d++)
            own->dot[d * n + first + j] =
                dot_of(n, n_limbs, limbs + j * n * n_limbs, vectors + d * (n + 1));
}

/* Words of all processes become those of the first one, which has none of its own there yet. */
static void reduce_words(const pci_power_share *share, size_t n, MPI_Op operation,
                         const uint64_t *own, uint64_t *words)
{
    for (size_t at = 0; at < n; at += MOST_ITEMS)
        MPI_Reduce(own + at, words ? words + at : NULL,
                   (int)(n - at < MOST_ITEMS ? n - at : MOST_ITEMS), MPI_UINT64_T, operation, 0,
                   share->all.comm);
}

/* Each row was aggregated by one process, and is 0 in the others. */
static void gather_aggregates(const pci_power_share *share, bool has_records,
                              const pci_aggregates *own, pci_aggregates *all)
{
    size_t n_records = own->n * pci_record_words(own->n_limbs);
    const pci_cells *cells = &own->cells;
    for (int c = 0; c < PCI_AGGREGATE_COPIES; c++) {
        if (has_records)
            reduce_words(share, n_records, MPI_BOR, own->record[c], all ? all->record[c] : NULL);
        if (!cells->row_span)
            continue;
        reduce_words(share, (size_t)cells->n_down * cells->n_across, MPI_MAX, cells->key[c],
                     all ? all->cells.key[c] : NULL);
        reduce_words(share, pci_tally_words(own->n_limbs), MPI_SUM, cells->tally[c],
                     all ? all->cells.tally[c] : NULL);
    }
    reduce_words(share, own->n_dots * own->n, MPI_BOR, own->dot, all ? all->dot : NULL);
}

/* Room for the aggregates of this process, all 0. */
static pc_status create_aggregates(const pci_power_share *share, pci_aggregates *own)
{
    pc_status status = agree(share, pci_aggregates_create(share->context, own));
    if (status == PC_OK)
        memset(own->record[0], 0, pci_aggregates_bytes(own->n, own->n_limbs, own->n_dots));
    return status;
}

pc_status pci_power_aggregate(pci_power_share *share, const pci_power_command *command,
                              const pci_power_caller *caller)
{
    pc_context *context = share->context;
    uint32_t n_limbs = command->n_limbs;
    pci_aggregates own = {
        .n = share->graph->n,
        .n_limbs = n_limbs,
        .n_dots = command->n_dots,
        .cells = {.row_span = command->row_span, .column_span = command->column_span}};
    pci_row_list list = all_rows(share);
    uint64_t *limbs = NULL, *vectors = NULL;
    pci_residue_rows rows;
    size_t room_bytes = (size_t)share->run->n_threads * n_limbs * sizeof(unsigned __int128);
    unsigned __int128 *room = pci_alloc(context, room_bytes);
    pc_status status = agree_on_memory(share, room != NULL, "sums", room_bytes);
    if (status == PC_OK)
        status = create_aggregates(share, &own);
    if (status == PC_OK)
        status = share_dots(share, command, caller, &vectors);
    if (status == PC_OK) {
        status = begin_collecting(share, &list, n_limbs, &rows, &limbs);
        for (uint64_t at = 0; at < list.n && status == PC_OK; at += pci_residue_rows_step(&rows)) {
            collect_round(&rows, at, n_limbs, limbs);
            aggregate_rows(&rows, command->has_records, limbs, vectors, room, &own);
        }
        pci_free(context, limbs);
        pci_residue_rows_free(&rows);
    }
    if (status == PC_OK)
        gather_aggregates(share, command->has_records, &own, caller ? caller->aggregates : NULL);
    pci_aggregates_free(context, &own);
    pci_free(context, vectors);
    pci_free(context, room);
    return status;
}
