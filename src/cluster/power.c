/* Powers whose moduli the processes share. Process r of P squares the planes of moduli r, r + P, r + 2 P ... of the
 * list, alone, with a run of the CPU engine; so it holds the graph whole. Every process has at least one modulus:
 * where a level needs fewer than P, it has P.
 *
 * Operations that need the residues of all moduli go row by row: they extend the base, reduce modulo a number, or make
 * integers, aggregates and dot products. Rows are divided among the processes, a block of them at a time. Each
 * process gets the residues of its rows from the others, and sends back what becomes residues again
 * (src/cluster/residue_rows.h). There is one power at a time, and no operation on blocks, diagonals and words of residues. */
#include "src/cluster/residue_rows.h"

#include "src/cluster/arcs.h"

#include "src/cpu/modular.h"
#include "src/cpu/row_ops.h"
#include "src/cpu/run.h"
#include "src/rows/aggregates.h"

#include <omp.h>
#include <string.h>

static pc_status agree(const pci_power_share *share, pc_status status)
{
    return pci_processes_agree(&share->all, share->context, status);
}

static pc_status agree_on_memory(const pci_power_share *share, bool has_memory, const char *what,
                                 size_t bytes)
{
    return pci_processes_agree_on_memory(&share->all, share->context, has_memory, what, bytes);
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

/* Rows become residues in rounds, from other residues or from words of the first process. */
typedef struct conversion {
    void (*make_row)(const pci_residue_rows *rows, const struct conversion *how, uint64_t j);
    uint32_t taken; /* slots below it are filled from the planes, */
    uint32_t given; /* and planes from the slots from this one on */
    const pci_recombination *recombination;
    uint64_t modulus;
    bool has_words;        /* of the first process, in place of the slots that are taken: */
    const uint64_t *words; /* [n][n]; NULL in the others */
    uint64_t *own;         /* [n_own][n] of the round; NULL: no words are needed */
} conversion;

/* The processes agree in each round whether to go on: only the first one hears that it is cancelled. */
static pc_status convert(pci_residue_rows *rows, const conversion *how)
{
    const pci_power_share *share = rows->share;
    uint64_t n = share->graph->n;
    MPI_Datatype row = pci_lines_of(n * sizeof *how->own);
    pc_status status = PC_OK;
    for (uint64_t at = 0; at < rows->list.n; at += rows->n_a_round) {
        pci_residue_rows_begin(rows, at);
        status = agree(share,
                       pci_progress(share->context, "convert", (double)at / (double)rows->list.n));
        if (status != PC_OK)
            break;
        if (how->has_words) { /* rows of the first process go to where they are split */
            count_rows(rows, rows->n_sent, rows->sent_at);
            MPI_Scatterv(how->words ? how->words + at * n : NULL, rows->n_sent, rows->sent_at, row,
                         how->own, (int)rows->n_own, row, 0, share->all.comm);
        } else {
            pci_residue_rows_take(rows, 0, how->taken);
        }
#pragma omp parallel for num_threads(share->run->n_threads) schedule(dynamic)
        for (uint64_t j = 0; j < rows->n_own; j++)
            how->make_row(rows, how, j);
        pci_residue_rows_give(rows, how->given, rows->n_slots);
    }
    MPI_Type_free(&row);
    return status;
}

static void extend_row(const pci_residue_rows *rows, const conversion *how, uint64_t j)
{
    int8_t *in[PCI_N_NOT_FULL], *out[PCI_N_NOT_FULL];
    pci_residue_rows_slots(rows, 0, rows->split, j, in);
    pci_residue_rows_slots(rows, rows->split, rows->n_slots, j, out);
    rows->share->run->kernel->rows->extend(how->recombination,
                                           (pci_row_tile){.n_rows = 1, .n_columns = rows->depth},
                                           (const int8_t *const *)in, out, rows->digit_bytes);
}

pc_status pci_op_power_extend(pc_cluster *cluster, const pci_command *command)
{
    pci_power_share *share = cluster->power;
    uint32_t held = share->n_moduli;
    uint32_t n_moduli = pci_power_n_moduli(command->n_moduli, share->all.n);
    pci_row_list list = {.n = share->graph->n};
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
            status = convert(&rows, &(conversion){.make_row = extend_row,
                                                  .taken = held,
                                                  .given = held,
                                                  .recombination = &how});
        pci_residue_rows_free(&rows);
    }
    pci_recombination_free(share->context, &how);
    return status;
}

/* Residues of an own row of words go to all slots. */
static void split_row(const pci_residue_rows *rows, const conversion *how, uint64_t j)
{
    const pci_run *run = rows->share->run;
    const uint64_t *words = how->own + j * run->layout.n;
    int8_t *out[PCI_N_NOT_FULL];
    pci_residue_rows_slots(rows, 0, rows->n_slots, j, out);
    for (uint32_t i = 0; i < rows->n_slots; i++)
        run->kernel->rows->split(run->layout.n, words, rows->share->moduli.m[i],
                                 pci_modulus_class(i), out[i], rows->digit_bytes);
}

static void reduce_row(const pci_residue_rows *rows, const conversion *how, uint64_t j)
{
    const pci_run *run = rows->share->run;
    int8_t *in[PCI_N_NOT_FULL];
    pci_residue_rows_slots(rows, 0, rows->n_slots, j, in);
    run->kernel->rows->collect_modular(how->recombination, run->layout.n, (const int8_t *const *)in,
                                       rows->digit_bytes, how->modulus,
                                       how->own + j * run->layout.n);
    split_row(rows, how, j);
}

/* Makes residues of all rows by way of their words: `how` has the row and its operands. */
static pc_status convert_words(pci_power_share *share, conversion how)
{
    pci_row_list list = {.n = share->graph->n};
    pci_residue_rows rows;
    pc_status status =
        pci_residue_rows_create(share, &list, share->n_moduli, share->n_moduli, &rows);
    size_t bytes = rows.n_a_process * list.n * sizeof *how.own;
    how.own = status == PC_OK ? pci_alloc(share->context, bytes) : NULL;
    how.taken = share->n_moduli;
    if (status == PC_OK)
        status = agree_on_memory(share, how.own != NULL, "words of rows", bytes);
    if (status == PC_OK)
        status = convert(&rows, &how);
    pci_free(share->context, how.own);
    pci_residue_rows_free(&rows);
    return status;
}

pc_status pci_op_power_load_words(pc_cluster *cluster, const pci_command *command)
{
    pci_power_share *share = cluster->power;
    pci_run_drop_planes(share->run);
    pc_status status = add_planes(share, 0, pci_power_n_moduli(command->n_moduli, share->all.n));
    return status == PC_OK ? convert_words(share, (conversion){.make_row = split_row,
                                                               .has_words = true,
                                                               .words = command->in})
                           : status;
}

pc_status pci_op_power_reduce_modulo(pc_cluster *cluster, const pci_command *command)
{
    pci_power_share *share = cluster->power;
    uint64_t modulus = command->moduli[0];
    pci_recombination how = {0};
    pc_status status =
        agree(share, pci_recombination_create(share->context, &share->moduli, share->n_moduli,
                                              PCI_TARGET_MODULUS, modulus, &how));
    if (status == PC_OK)
        status = convert_words(
            share, (conversion){.make_row = reduce_row, .recombination = &how, .modulus = modulus});
    pci_recombination_free(share->context, &how);
    return status;
}

/* ---- To integers ----------------------------------------------------------------------------- */

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
        if (share->n_moduli) {
            pci_residue_rows_slots(rows, 0, rows->n_slots, j, in);
            run->kernel->rows->collect(&share->collector, row, (const int8_t *const *)in,
                                       rows->digit_bytes, n_limbs, to, 0);
            continue;
        }
        uint64_t e = pci_residue_rows_first(rows, share->all.rank) + j;
        const int8_t *plain = run->plane[0] + pci_row_at(&rows->list, e) * run->layout.stride;
        memset(to, 0, n * n_limbs * sizeof *to);
        for (size_t i = 0; i < n; i++)
            to[i * n_limbs] = (uint64_t)plain[i];
    }
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
    bool has_tables =
        share->collector_limbs == n_limbs && share->collector_moduli == share->n_moduli;
    if (status != PC_OK || !share->n_moduli || has_tables)
        return status;
    pci_recombination_free(share->context, &share->collector); /* kept from one call to the next */
    share->collector_limbs = 0;
    status = agree(share, pci_recombination_create(share->context, &share->moduli, share->n_moduli,
                                                   PCI_TARGET_LIMBS, n_limbs, &share->collector));
    if (status == PC_OK) {
        share->collector_limbs = n_limbs;
        share->collector_moduli = share->n_moduli;
    }
    return status;
}

pc_status pci_op_power_collect(pc_cluster *cluster, const pci_command *command)
{
    pci_power_share *share = cluster->power;
    uint64_t *limbs = NULL, *numbers = NULL;
    pci_residue_rows rows;
    pc_status status = PC_OK;
    if (command->is_selected)
        numbers = pci_processes_copy(&share->all, share->context, command->in,
                                     command->n * sizeof *numbers, "a list of rows", &status);
    if (status != PC_OK)
        return status;
    pci_row_list list = {command->first_row, command->n, numbers};
    size_t row_words = share->graph->n * command->n_limbs;
    uint64_t *all_limbs = command->out; /* [n_rows][n][n_limbs], NULL but in the first process */
    MPI_Datatype row = pci_lines_of(row_words * sizeof *limbs);
    status = begin_collecting(share, &list, command->n_limbs, &rows, &limbs);
    for (uint64_t at = 0; at < list.n && status == PC_OK; at += rows.n_a_round) {
        collect_round(&rows, at, command->n_limbs, limbs);
        count_rows(&rows, rows.n_taken, rows.taken_at);
        MPI_Gatherv(limbs, (int)rows.n_own, row, all_limbs ? all_limbs + at * row_words : NULL,
                    rows.n_taken, rows.taken_at, row, 0, share->all.comm);
    }
    MPI_Type_free(&row);
    pci_free(share->context, limbs);
    pci_free(share->context, numbers);
    pci_residue_rows_free(&rows);
    return status;
}

/* ---- Aggregates ------------------------------------------------------------------------------ */

/* Vectors of dot products, as every process has them: x[n] of each after its modulus. */
static pc_status share_dots(const pci_power_share *share, const pci_command *command,
                            uint64_t **vectors)
{
    uint64_t n = share->graph->n;
    size_t n_words = command->n_dots * (n + 1);
    uint64_t *made = *vectors = pci_alloc(share->context, (n_words + 1) * sizeof *made);
    pc_status status = agree_on_memory(share, made != NULL, "vectors", n_words * sizeof *made);
    if (status != PC_OK)
        return status;
    const pci_aggregates *all = command->out;
    for (uint32_t d = 0; d < command->n_dots && all; d++) {
        made[d * (n + 1)] = all->dots[d].modulus;
        memcpy(made + d * (n + 1) + 1, all->dots[d].x, n * sizeof *made);
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
    for (size_t at = 0; at < n; at += PCI_MOST_ITEMS)
        MPI_Reduce(own + at, words ? words + at : NULL,
                   (int)(n - at < PCI_MOST_ITEMS ? n - at : PCI_MOST_ITEMS), MPI_UINT64_T,
                   operation, 0, share->all.comm);
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

pc_status pci_op_power_aggregate(pc_cluster *cluster, const pci_command *command)
{
    pci_power_share *share = cluster->power;
    pc_context *context = share->context;
    uint32_t n_limbs = command->n_limbs;
    pci_aggregates own = {
        .n = share->graph->n,
        .n_limbs = n_limbs,
        .n_dots = command->n_dots,
        .cells = {.row_span = command->row_span, .column_span = command->column_span}};
    pci_row_list list = {.n = share->graph->n};
    uint64_t *limbs = NULL, *vectors = NULL;
    pci_residue_rows rows;
    size_t room_bytes = (size_t)share->run->n_threads * n_limbs * sizeof(unsigned __int128);
    unsigned __int128 *room = pci_alloc(context, room_bytes);
    pc_status status = agree_on_memory(share, room != NULL, "sums", room_bytes);
    if (status == PC_OK)
        status = agree(share, pci_aggregates_create(context, &own));
    if (status == PC_OK) {
        memset(own.record[0], 0, pci_aggregates_bytes(own.n, own.n_limbs, own.n_dots));
        status = share_dots(share, command, &vectors);
    }
    if (status == PC_OK) {
        status = begin_collecting(share, &list, n_limbs, &rows, &limbs);
        for (uint64_t at = 0; at < list.n && status == PC_OK; at += rows.n_a_round) {
            collect_round(&rows, at, n_limbs, limbs);
            aggregate_rows(&rows, command->has_records, limbs, vectors, room, &own);
        }
        pci_free(context, limbs);
        pci_residue_rows_free(&rows);
    }
    if (status == PC_OK)
        gather_aggregates(share, command->has_records, &own, command->out);
    pci_aggregates_free(context, &own);
    pci_free(context, vectors);
    pci_free(context, room);
    return status;
}

/* ---- Begin and end --------------------------------------------------------------------------- */

pc_status pci_op_power_end(pc_cluster *cluster, const pci_command *command)
{
    pci_power_share *share = cluster->power;
    (void)command;
    if (!share)
        return PC_OK;
    pc_context *context = share->context;
    pci_engine_cpu.end(share->run);
    pci_recombination_free(context, &share->collector);
    pc_graph_free(share->graph);
    pci_free(context, share);
    cluster->power = NULL;
    return PC_OK;
}

pc_status pci_op_power_begin(pc_cluster *cluster, const pci_command *command)
{
    pc_context *context = cluster->context;
    const pci_graph_part *part = cluster->part[command->graph];
    pci_power_share *made = cluster->power = pci_alloc_zero(context, 1, sizeof *made);
    pc_status status = pci_processes_agree_on_memory(&part->all, context, made != NULL,
                                                     "the moduli of a process", sizeof *made);
    if (made) {
        made->all = part->all;
        made->context = context;
        pci_moduli_fill(&made->moduli, PCI_ANY_BITS);
        for (uint32_t i = (uint32_t)part->all.rank, own = 0; i < PCI_N_NOT_FULL;
             i += (uint32_t)part->all.n) /* in the order of the list: narrow ones first */
            made->own.m[own++] = made->moduli.m[i];
    }
    if (status == PC_OK)
        status = pci_part_gather(part, context, command->is_symmetric, &made->graph);
    if (status == PC_OK)
        status = agree(made, pci_engine_cpu.begin(context, made->graph, NULL, &made->own,
                                                  PCI_N_NOT_FULL, &made->run));
    if (status != PC_OK)
        pci_op_power_end(cluster, command);
    return status;
}

/* ---- Levels ---------------------------------------------------------------------------------- */

pc_status pci_op_power_level(pc_cluster *cluster, const pci_command *command)
{
    pci_power_share *share = cluster->power;
    pc_status (*const work[])(pci_run *, uint32_t) = {[PCI_POWER_LOAD] = pci_engine_cpu.load,
                                                      [PCI_POWER_SQUARE] = pci_engine_cpu.square,
                                                      [PCI_POWER_STEP] = pci_engine_cpu.step};
    uint32_t n_moduli = pci_power_n_moduli(command->n_moduli, share->all.n);
    uint32_t n_own = pci_power_n_own(n_moduli, share->all.rank, share->all.n);
    share->n_moduli = n_moduli;
    return agree(share, work[command->product](share->run, n_own));
}

pc_status pci_op_power_trim(pc_cluster *cluster, const pci_command *command)
{
    (void)command;
    pci_engine_cpu.trim(cluster->power->run);
    return PC_OK;
}
