/* Residues travel between the planes of moduli and rows of all moduli. */
#include "src/cluster/residue_rows.h"

#include "src/cpu/run.h"

#include <string.h>

enum { ROUND_BYTES = 8 << 20 /* of slots, but a row at least */ };

static uint32_t n_digits_of(uint32_t n_slots)
{
    return n_slots > PCI_N_NARROW ? 3 : 1;
}

/* The moduli of a process lie together in each of the two ranges, ascending. */
static void place_slots(pci_residue_rows *rows)
{
    uint32_t n_processes = (uint32_t)rows->share->all.n, next = 0;
    uint32_t begin[] = {0, rows->split}, end[] = {rows->split, rows->n_slots};
    for (int range = 0; range < 2; range++)
        for (uint32_t r = 0; r < n_processes; r++)
            for (uint32_t i = begin[range]; i < end[range]; i++)
                if (i % n_processes == r)
                    rows->slot[i] = next++;
}

/* Entries of a list of n_rows that a process has in a round. */
static uint64_t entries_a_process(uint64_t n_rows, size_t row_bytes, size_t n_processes)
{
    uint64_t most = (n_rows + n_processes - 1) / n_processes, n = ROUND_BYTES / row_bytes;
    n = n > most ? most : n;
    return n ? n : 1;
}

uint64_t pci_residue_rows_bytes(uint64_t n, uint32_t n_slots, uint32_t n_limbs, int n_processes)
{
    size_t depth = pci_layout_of(n).depth, n_digits = n_digits_of(n_slots);
    size_t row_bytes = (n_slots ? n_slots : 1) * n_digits * depth;
    uint64_t n_rows = entries_a_process(n, row_bytes, (size_t)n_processes);
    uint32_t n_own = pci_power_n_own(n_slots, 0, n_processes);
    return n_rows *
           (row_bytes + (uint64_t)n_processes * n_own * depth + n * n_limbs * sizeof(uint64_t));
}

pc_status pci_residue_rows_create(pci_power_share *share, const pci_row_list *list,
                                  uint32_t n_slots, uint32_t split, pci_residue_rows *rows)
{
    pc_context *context = share->context;
    const pci_processes *all = &share->all;
    size_t n = (size_t)all->n, depth = share->run->layout.depth;
    size_t row_bytes = (n_slots ? n_slots : 1) * n_digits_of(n_slots) * depth;
    uint64_t n_a_process = entries_a_process(list->n, row_bytes, n);
    size_t own_bytes = pci_power_n_own(n_slots, all->rank, all->n) * depth * n * n_a_process;
    *rows = (pci_residue_rows){.share = share,
                               .list = *list,
                               .n_slots = n_slots,
                               .split = split,
                               .depth = depth,
                               .n_a_process = n_a_process,
                               .n_a_round = n_a_process * n};
    rows->slot = pci_alloc_zero(context, n_slots + 1, sizeof *rows->slot);
    rows->n_sent = pci_alloc_zero(context, 4 * n, sizeof *rows->n_sent);
    rows->slots = pci_alloc(context, row_bytes * n_a_process);
    rows->messages = pci_alloc(context, own_bytes + 1);
    pc_status status = PC_OK;
    if (!rows->slot || !rows->n_sent || !rows->slots || !rows->messages)
        status = pci_fail_memory(context, "residues of rows", row_bytes * n_a_process + own_bytes);
    status = pci_processes_agree(all, context, status);
    if (status != PC_OK)
        return status;
    rows->sent_at = rows->n_sent + n;
    rows->n_taken = rows->sent_at + n;
    rows->taken_at = rows->n_taken + n;
    place_slots(rows);
    return PC_OK;
}

void pci_residue_rows_free(pci_residue_rows *rows)
{
    pc_context *context = rows->share->context;
    pci_free(context, rows->slot);
    pci_free(context, rows->n_sent);
    pci_free(context, rows->slots);
    pci_free(context, rows->messages);
}

uint64_t pci_residue_rows_first(const pci_residue_rows *rows, int r)
{
    uint64_t first = rows->at + (uint64_t)r * rows->n_a_process;
    return first < rows->list.n ? first : rows->list.n;
}

static uint64_t n_rows_of(const pci_residue_rows *rows, int r)
{
    return pci_residue_rows_first(rows, r + 1) - pci_residue_rows_first(rows, r);
}

void pci_residue_rows_begin(pci_residue_rows *rows, uint64_t at)
{
    rows->at = at;
    rows->n_own = n_rows_of(rows, rows->share->all.rank);
    rows->digit_bytes = rows->n_slots * rows->n_own * rows->depth;
}

void pci_residue_rows_slots(const pci_residue_rows *rows, uint32_t from, uint32_t to, uint64_t j,
                            int8_t **at)
{
    for (uint32_t i = from; i < to; i++)
        at[i - from] = rows->slots + (rows->slot[i] * rows->n_own + j) * rows->depth;
}

/* The moduli of process r among from .. to - 1 that have this digit are first, first + n processes ... */
typedef struct share_range {
    uint32_t first, n;
} share_range;

static share_range range_of(const pci_residue_rows *rows, int r, uint32_t from, uint32_t to,
                            uint32_t digit)
{
    int n_processes = rows->share->all.n;
    if (digit && from < PCI_N_NARROW)
        from = to < PCI_N_NARROW ? to : PCI_N_NARROW;
    uint32_t n_before = pci_power_n_own(from, r, n_processes);
    return (share_range){(uint32_t)r + n_before * (uint32_t)n_processes,
                         pci_power_n_own(to, r, n_processes) - n_before};
}

/* Sets where the messages of a digit begin and how long they are, on both sides. */
static void measure(pci_residue_rows *rows, uint32_t from, uint32_t to, uint32_t digit)
{
    const pci_processes *all = &rows->share->all;
    share_range own = range_of(rows, all->rank, from, to, digit);
    size_t line = rows->depth, at = 0;
    for (int r = 0; r < all->n; r++) {
        share_range other = range_of(rows, r, from, to, digit);
        size_t slot = other.n ? rows->slot[other.first] : 0;
        rows->n_sent[r] = (int)(own.n * n_rows_of(rows, r) * line);
        rows->sent_at[r] = (int)at;
        rows->n_taken[r] = (int)(other.n * rows->n_own * line);
        rows->taken_at[r] = (int)((digit * rows->n_slots + slot) * rows->n_own * line);
        at += (size_t)rows->n_sent[r];
    }
}

/* Copies n bytes of each row of a digit between own planes and the messages. */
static void copy_lines(const pci_residue_rows *rows, uint32_t from, uint32_t to, uint32_t digit,
                       bool to_planes, size_t n)
{
    const pci_processes *all = &rows->share->all;
    pci_run *run = rows->share->run;
    share_range own = range_of(rows, all->rank, from, to, digit);
    int8_t *message = rows->messages;
    for (int r = 0; r < all->n; r++)
        for (uint32_t k = 0; k < own.n; k++) {
            int8_t *plane =
                run->plane[own.first / (uint32_t)all->n + k] + digit * run->layout.digit_bytes;
            for (uint64_t e = pci_residue_rows_first(rows, r);
                 e < pci_residue_rows_first(rows, r + 1); e++, message += rows->depth) {
                int8_t *line = plane + pci_row_at(&rows->list, e) * run->layout.stride;
                memcpy(to_planes ? line : message, to_planes ? message : line, n);
            }
        }
}

/* The third digit of a wide residue is the sum of the others, and is not sent. */
static uint32_t n_sent_digits(uint32_t to)
{
    return to > PCI_N_NARROW ? 2 : 1;
}

void pci_residue_rows_take(pci_residue_rows *rows, uint32_t from, uint32_t to)
{
    for (uint32_t digit = 0; digit < n_sent_digits(to); digit++) {
        measure(rows, from, to, digit);
        copy_lines(rows, from, to, digit, false, rows->depth);
        MPI_Alltoallv(rows->messages, rows->n_sent, rows->sent_at, MPI_BYTE, rows->slots,
                      rows->n_taken, rows->taken_at, MPI_BYTE, rows->share->all.comm);
    }
}

static void add_digits(const pci_residue_rows *rows, uint32_t from, uint32_t to)
{
    const pci_processes *all = &rows->share->all;
    const pci_run *run = rows->share->run;
    share_range own = range_of(rows, all->rank, from, to, 1);
    uint64_t end = pci_residue_rows_first(rows, all->n);
    for (uint32_t k = 0; k < own.n; k++)
        for (uint64_t e = rows->at; e < end; e++) {
            int8_t *high = run->plane[own.first / (uint32_t)all->n + k] +
                           pci_row_at(&rows->list, e) * run->layout.stride;
            const int8_t *low = high + run->layout.digit_bytes;
            int8_t *sum = high + 2 * run->layout.digit_bytes;
            for (size_t j = 0; j < run->layout.n; j++)
                sum[j] = (int8_t)(high[j] + low[j]);
        }
}

void pci_residue_rows_give(pci_residue_rows *rows, uint32_t from, uint32_t to)
{
    for (uint32_t digit = 0; digit < n_sent_digits(to); digit++) {
        measure(rows, from, to, digit);
        MPI_Alltoallv(rows->slots, rows->n_taken, rows->taken_at, MPI_BYTE, rows->messages,
                      rows->n_sent, rows->sent_at, MPI_BYTE, rows->share->all.comm);
        copy_lines(rows, from, to, digit, true, rows->share->run->layout.n);
    }
    if (n_sent_digits(to) > 1)
        add_digits(rows, from, to);
}
