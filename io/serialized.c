/* The layout of serialized graphs, and reading ranges of their rows. */
#include "io/serialized.h"

#include "graphs/file_format.h"
#include "io/line.h"
#include "src/core/scramble.h"

#include <endian.h>
#include <inttypes.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 24, PIECE_PAIRS = 1 << 12 };

static pc_status fail(const pci_input *input, const char *sentence)
{
    return pci_fail(input->context, PC_ERR_DATA, "%s: %s", input->name, sentence);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* Reads bytes that are within the file. */
static pc_status read_bytes(const pci_input *input, uint64_t offset, void *to, uint64_t n_bytes)
{
    char *next = to;
    if (offset + n_bytes <= input->n_bytes) {
        if (n_bytes > 0)
            memcpy(to, input->text + offset, n_bytes);
        return PC_OK;
    }
    for (uint64_t at = 0; at < n_bytes; at += PIECE_BYTES) {
        size_t n_piece = n_bytes - at < PIECE_BYTES ? n_bytes - at : PIECE_BYTES;
        pc_status status = pci_input_read(input, offset + at, next + at, n_piece);
        if (status)
            return status == PC_ERR_IO ? pci_input_fail_read(input) : pci_input_fail_changed(input);
        if ((status = pci_progress(input->context, "read", 0)))
            return status;
    }
    return PC_OK;
}

static bool is_swapped(void)
{
    return htole32(1) != 1;
}

/* ---- The head -------------------------------------------------------------------------------- */

static uint64_t arc_bytes(const pci_serialized *head)
{
    return head->is_weighted ? 2 * sizeof(int32_t) : sizeof(int32_t);
}

/* Of the arcs on one side, with their starts. */
static uint64_t side_bytes(const pci_serialized *head)
{
    return (head->n + 1) * sizeof(int64_t) + head->n_arcs * arc_bytes(head);
}

uint64_t pci_serialized_bytes(const pci_serialized *head)
{
    static const uint64_t most = UINT64_MAX / 64;
    if (head->n > most || head->n_arcs > most)
        return UINT64_MAX;
    return PCI_SERIALIZED_HEAD_BYTES + (head->is_directed ? 2 : 1) * side_bytes(head);
}

/* Sets is_weighted by the name, or else by the length of the file. */
static void find_weights(const pci_input *input, pci_serialized *head)
{
    const pc_file_format *named = pc_file_format_of(input->name, NULL);
    head->is_weighted = named && named->format == PC_FORMAT_SERIALIZED && named->ending[1] == 'w';
    if (named && named->format == PC_FORMAT_SERIALIZED)
        return;
    head->is_weighted = pci_serialized_bytes(head) != input->n_all;
}

pc_status pci_serialized_read_head(const pci_input *input, pci_serialized *head)
{
    char bytes[PCI_SERIALIZED_HEAD_BYTES];
    uint64_t numbers[2];
    if (input->n_all < sizeof bytes)
        return fail(input, "too short for a serialized graph of GAP, whose head has 17 bytes "
                           "(--format edges reads an edge list)");
    pc_status status = read_bytes(input, 0, bytes, sizeof bytes);
    if (status)
        return status;
    if (bytes[0] != 0 && bytes[0] != 1)
        return fail(input, "no serialized graph of GAP: its first byte would be 0 or 1 (--format "
                           "edges reads an edge list)");
    memcpy(numbers, bytes + 1, sizeof numbers);
    pci_serialized made = {
        .is_directed = bytes[0], .n_arcs = le64toh(numbers[0]), .n = le64toh(numbers[1])};
    find_weights(input, &made);
    if (made.n > PCI_SERIALIZED_VERTICES)
        return fail(input, "its head states a number of vertices that is negative or above "
                           "2^31-1: the file is damaged");
    if (pci_serialized_bytes(&made) != input->n_all)
        return pci_fail(input->context, PC_ERR_DATA,
                        "%s: %" PRIu64 " bytes, which is not the length of a graph of %" PRIu64
                        " vertices and %" PRIu64 " arcs with%s weights, as its head states: the "
                        "file is cut short, damaged, or not of that format",
                        input->name, input->n_all, made.n, made.n_arcs,
                        made.is_weighted ? "" : "out");
    *head = made;
    return PC_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static uint64_t starts_at(const pci_serialized *head, pci_arc_side side)
{
    return PCI_SERIALIZED_HEAD_BYTES + (side == PCI_INCOMING ? side_bytes(head) : 0);
}

pc_status pci_serialized_read_starts(const pci_input *input, const pci_serialized *head,
                                     pci_arc_side side, uint64_t first, uint64_t end,
                                     uint64_t *start)
{
    uint64_t n = end - first, before = 0;
    pc_status status = read_bytes(input, starts_at(head, side) + first * sizeof *start, start,
                                  (n + 1) * sizeof *start);
    if (status)
        return status;
    for (uint64_t i = 0; i <= n; i++) {
        start[i] = le64toh(start[i]);
        bool is_good = start[i] >= before && start[i] <= head->n_arcs &&
                       (first + i > 0 || start[i] == 0) &&
                       (first + i < head->n || start[i] == head->n_arcs);
        if (!is_good)
            return pci_fail(input->context, PC_ERR_DATA,
                            "%s: the %s arcs of vertex %" PRIu64 " cannot begin at number %" PRId64
                            ": these numbers ascend from 0 to %" PRIu64,
                            input->name, side == PCI_INCOMING ? "incoming" : "outgoing", first + i,
                            (int64_t)start[i], head->n_arcs);
        before = start[i];
    }
    return PC_OK;
}

/* Reads columns and weights, which take turns. */
static pc_status read_pairs(const pci_input *input, uint64_t offset, uint64_t n, uint32_t *column,
                            uint64_t *weight)
{
    uint32_t pair[2 * PIECE_PAIRS];
    for (uint64_t at = 0; at < n; at += PIECE_PAIRS) {
        size_t n_piece = n - at < PIECE_PAIRS ? n - at : PIECE_PAIRS;
        pc_status status =
            read_bytes(input, offset + at * 2 * sizeof *pair, pair, n_piece * 2 * sizeof *pair);
        if (status)
            return status;
        for (size_t i = 0; i < n_piece; i++) {
            column[at + i] = pair[2 * i];
            weight[at + i] = (uint64_t)(int64_t)(int32_t)le32toh(pair[2 * i + 1]);
        }
    }
    return PC_OK;
}

static pc_status fail_arc(const pci_input *input, pci_arc_side side, uint64_t first,
                          const uint64_t *start, uint64_t arc, uint32_t column, const char *fault)
{
    uint64_t row = 0;
    while (start[row + 1] - start[0] <= arc)
        row++;
    row += first;
    bool incoming = side == PCI_INCOMING;
    return pci_fail(input->context, PC_ERR_DATA,
                    "%s: the arc from vertex %" PRId64 " to vertex %" PRId64 " %s", input->name,
                    incoming ? (int64_t)(int32_t)column : (int64_t)row,
                    incoming ? (int64_t)row : (int64_t)(int32_t)column, fault);
}

pc_status pci_serialized_read_arcs(const pci_input *input, const pci_serialized *head,
                                   pci_arc_side side, uint64_t first, uint64_t end,
                                   const uint64_t *start, bool takes_weights, uint32_t *column,
                                   uint64_t *weight)
{
    static const char beyond[] = "leads to or from no vertex: they are numbered from 0, and the "
                                 "head states how many there are";
    uint64_t n = start[end - first] - start[0];
    uint64_t at =
        starts_at(head, side) + (head->n + 1) * sizeof *start + start[0] * arc_bytes(head);
    pc_status status = head->is_weighted ? read_pairs(input, at, n, column, weight)
                                         : read_bytes(input, at, column, n * sizeof *column);
    if (status)
        return status;
    for (uint64_t a = 0; a < n; a++) {
        if (is_swapped())
            column[a] = le32toh(column[a]);
        if (column[a] >= head->n)
            return fail_arc(input, side, first, start, a, column[a], beyond);
    }
    for (uint64_t a = 0; a < n && head->is_weighted; a++) {
        if (takes_weights && (int64_t)weight[a] < 0)
            return fail_arc(input, side, first, start, a, column[a],
                            pci_weight_fault(PCI_NEGATIVE));
        weight[a] = takes_weights ? weight[a] : weight[a] != 0;
    }
    return PC_OK;
}

/* ---- Both sides of a directed graph ------------------------------------------------------------ */

uint64_t pci_serialized_sum(const pc_context *context, uint64_t seed, pci_arc_side side,
                            uint64_t first, uint64_t end, const uint64_t *start,
                            const uint32_t *column, const uint64_t *weight)
{
    uint64_t sum = 0, n_arcs = start[end - first] - start[0];
    int n_threads = pci_threads_for(context, 4 * (double)n_arcs);
#pragma omp parallel for num_threads(n_threads) reduction(+ : sum)
    for (uint64_t i = 0; i < end - first; i++)
        for (uint64_t a = start[i] - start[0]; a < start[i + 1] - start[0]; a++) {
            uint64_t from = side == PCI_INCOMING ? column[a] : first + i;
            uint64_t to = side == PCI_INCOMING ? first + i : column[a];
            sum += pci_scramble(pci_scramble(seed + (from << 32 | to)) + (weight ? weight[a] : 1));
        }
    return sum;
}

pc_status pci_serialized_fail_incoming(const pci_input *input)
{
    return pci_fail(input->context, PC_ERR_DATA,
                    "%s: the incoming arcs, which the second half lists, are not the outgoing arcs "
                    "of the first half: the file is damaged",
                    input->name);
}
