/* Aggregates of rows, and rows of given numbers: what a GPU gives in place of all rows.
 *
 * Rows are recombined block by block into the two buffers of the collector, whose streams overlap. A thread
 * block works on a row, so a block has thousands of short rows: with blocks of 24 MB, which fit the
 * second-level cache but keep few multiprocessors busy, this took 13 ms for 16384 rows on an H200.
 *
 * What a fault of the GPU could still hide: the records are computed twice from the same block, and compared
 * on the host; the products are computed from it last, from vectors that came from the host, and compared
 * with numbers that the host worked out along the arcs of its graph. So a fault in residues, in the
 * recombination, in the block or in one record is found. Only a fault that changes both copies of a record in
 * the same way, and not the block, is not. */
#include "gpu/engine/part.h"

enum { MOST_SELECTED = 1024 /* rows that are recombined at once */ };

/* Device memory: what is computed for the rows of this part, and the vectors. */
typedef struct aggregation {
    uint64_t *memory;
    uint64_t *record[PCI_AGGREGATE_COPIES]; /* [n_rows][record words] */
    uint64_t *dot;                          /* [n_dots][n_rows] */
    uint64_t *x;                            /* [n_dots][n] */
    pci_gpu_cells cells;                    /* of the whole matrix; of this part's rows only */
} aggregation;

/* Words of one copy of the cells: all keys, then the tally. */
static size_t n_cell_words(const pci_aggregates *a)
{
    return !a->cells.row_span
               ? 0
               : (size_t)a->cells.n_down * a->cells.n_across + pci_tally_words(a->n_limbs);
}

static pc_status begin(const pci_gpu_part *part, uint64_t n_rows, const pci_aggregates *a,
                       aggregation *made)
{
    size_t n_words = n_rows * pci_record_words(a->n_limbs), n_dots = a->n_dots;
    size_t n_of_cells = n_cell_words(a), n_keys = (size_t)a->cells.n_down * a->cells.n_across;
    size_t n_all = PCI_AGGREGATE_COPIES * (n_words + n_of_cells) + n_dots * (n_rows + a->n);
    cudaError_t error = cudaMalloc((void **)&made->memory, n_all * sizeof *made->memory);
    made->record[0] = made->memory;
    made->record[1] = made->memory + n_words;
    made->dot = made->memory + PCI_AGGREGATE_COPIES * n_words;
    made->x = made->dot + n_dots * n_rows;
    uint64_t *of_cells = made->x + n_dots * a->n;
    made->cells = (pci_gpu_cells){.row_span = a->cells.row_span,
                                  .column_span = a->cells.column_span,
                                  .n_across = a->cells.n_across};
    for (int c = 0; c < PCI_AGGREGATE_COPIES; c++) {
        made->cells.key[c] = of_cells + (size_t)c * n_of_cells;
        made->cells.tally[c] = made->cells.key[c] + n_keys;
    }
    for (uint32_t d = 0; d < n_dots && error == cudaSuccess; d++)
        error = cudaMemcpy(made->x + d * a->n, a->dots[d].x, a->n * sizeof *made->x,
                           cudaMemcpyHostToDevice);
    if (error == cudaSuccess && n_of_cells)
        error = cudaMemset(of_cells, 0, PCI_AGGREGATE_COPIES * n_of_cells * sizeof *of_cells);
    return pci_gpu_check(part->context, error, "memory for aggregates of rows");
}

/* Starts all that is wanted of the rows of a block, of which the part's first is number `at`. */
static cudaError_t start_block(const pci_gpu_buffer *buffer, uint64_t at, pci_gpu_rows rows,
                               uint64_t n_rows_of_part, const pci_aggregates *a,
                               const aggregation *to)
{
    size_t first = at * pci_record_words(a->n_limbs);
    pci_gpu_records copies = {{to->record[0] + first, to->record[1] + first}};
    cudaError_t error =
        a->record[0] ? pci_gpu_aggregate(rows, copies, buffer->stream) : cudaSuccess;
    if (error == cudaSuccess && a->cells.row_span)
        error = pci_gpu_draw(rows, to->cells, buffer->stream);
    for (uint32_t d = 0; d < a->n_dots && error == cudaSuccess; d += PCI_MOST_DOTS) {
        uint32_t n = a->n_dots - d < PCI_MOST_DOTS ? a->n_dots - d : PCI_MOST_DOTS;
        pci_gpu_dots dots = {.modulus = {0}};
        for (uint32_t i = 0; i < n; i++) {
            dots.modulus[i] = a->dots[d + i].modulus;
            dots.x[i] = to->x + (d + i) * a->n;
            dots.dot[i] = to->dot + (d + i) * n_rows_of_part + at;
        }
        error = pci_gpu_multiply_rows(rows, n, &dots, buffer->stream);
    }
    return error;
}

/* Makes the rows block by block, and copies what is found to the host. */
static cudaError_t run_blocks(pci_gpu_part *part, uint64_t first_row, uint64_t n_rows,
                              uint64_t n_block, pci_aggregates *a, const aggregation *to)
{
    size_t record_bytes = n_rows * pci_record_words(a->n_limbs) * sizeof(uint64_t);
    cudaError_t error = cudaSuccess;
    for (uint64_t at = 0; at < n_rows && error == cudaSuccess; at += n_block) {
        pci_gpu_buffer *buffer = &part->collector.buffer[at / n_block % PCI_GPU_BUFFERS];
        pci_gpu_rows rows = {.limbs = buffer->device,
                             .first_row = first_row + at,
                             .n_rows = n_rows - at < n_block ? n_rows - at : n_block,
                             .n = (uint32_t)a->n,
                             .n_limbs = a->n_limbs,
                             .size = part->on_device.size};
        buffer->n_rows = 0; /* the page-locked rows are not these */
        error = pci_gpu_part_make_rows(part, buffer, rows.first_row, NULL, rows.n_rows, a->n_limbs);
        if (error == cudaSuccess)
            error = start_block(buffer, at, rows, n_rows, a, to);
    }
    for (int b = 0; b < PCI_GPU_BUFFERS && error == cudaSuccess; b++)
        error = cudaStreamSynchronize(part->collector.buffer[b].stream);
    for (int c = 0; c < PCI_AGGREGATE_COPIES && a->record[c] && error == cudaSuccess; c++)
        error = cudaMemcpy(pci_record(a, c, first_row), to->record[c], record_bytes,
                           cudaMemcpyDeviceToHost);
    for (uint32_t d = 0; d < a->n_dots && error == cudaSuccess; d++)
        error = cudaMemcpy(a->dot + d * a->n + first_row, to->dot + d * n_rows,
                           n_rows * sizeof(uint64_t), cudaMemcpyDeviceToHost);
    return error;
}

/* Adds the cells of this part's rows to those of all parts, which do so at once. */
static pc_status add_cells(const pci_gpu_part *part, const aggregation *from, pci_aggregates *a)
{
    size_t n_keys = (size_t)a->cells.n_down * a->cells.n_across, n_words = n_cell_words(a);
    size_t bytes = n_words * sizeof(uint64_t);
    uint64_t *words = bytes ? pci_alloc(part->context, bytes) : NULL;
    cudaError_t error = cudaSuccess;
    if (bytes && !words)
        return pci_fail_memory(part->context, "a grid of cells", bytes);
    for (int c = 0; c < PCI_AGGREGATE_COPIES && bytes && error == cudaSuccess; c++) {
        uint64_t *key = a->cells.key[c];
        error = cudaMemcpy(words, from->cells.key[c], bytes, cudaMemcpyDeviceToHost);
        if (error != cudaSuccess)
            break;
#pragma omp critical(pci_gpu_cells)
        {
            for (size_t i = 0; i < n_keys; i++)
                key[i] = words[i] > key[i] ? words[i] : key[i];
            for (size_t i = n_keys; i < n_words; i++)
                a->cells.tally[c][i - n_keys] += words[i];
        }
    }
    pci_free(part->context, words);
    return pci_gpu_check(part->context, error, "copying cells");
}

/* A block has so many rows that they keep all multiprocessors busy, and takes an eighth of what is free at most. */
pc_status pci_gpu_part_aggregate(pci_gpu_part *part, uint64_t first_row, uint64_t n_rows,
                                 pci_aggregates *aggregates)
{
    enum { MOST_BYTES = 256 << 20, LEAST_BYTES = 16 << 20, SHARE = 8 };
    aggregation made = {0};
    uint64_t available, row_words = aggregates->n * aggregates->n_limbs;
    if (!n_rows)
        return PC_OK;
    pc_status status = pci_gpu_memory_available(part->context, &available);
    if (status != PC_OK)
        return status;
    uint64_t bytes = available / SHARE < LEAST_BYTES ? LEAST_BYTES : available / SHARE;
    bytes = bytes < MOST_BYTES ? bytes : MOST_BYTES;
    uint64_t n_block = bytes / (row_words * sizeof(uint64_t));
    n_block = !n_block ? 1 : n_block < n_rows ? n_block : n_rows;
    status = pci_gpu_part_prepare_rows(part, aggregates->n_limbs, n_block * row_words);
    if (status == PC_OK)
        status = begin(part, n_rows, aggregates, &made);
    if (status == PC_OK)
        status = pci_gpu_check(part->context,
                               run_blocks(part, first_row, n_rows, n_block, aggregates, &made),
                               "aggregating rows");
    if (status == PC_OK)
        status = add_cells(part, &made, aggregates);
    cudaFree(made.memory);
    return status;
}

/* ---- Rows of given numbers ------------------------------------------------------------------- */

/* Block by block; one by one where rows are plain or on the host. */
pc_status pci_gpu_part_collect_selected(pci_gpu_part *part, uint64_t n_rows, const uint64_t *rows,
                                        uint32_t n_limbs, uint64_t *limbs)
{
    bool can_select = pci_gpu_n_all_moduli(part) && !part->parts->on_host;
    pci_gpu_buffer *buffer = &part->collector.buffer[0];
    size_t row_words = part->parts->n_rows * n_limbs;
    uint64_t n_block = PCI_DEVICE_BLOCK_BYTES / (row_words * sizeof *limbs);
    uint32_t number[MOST_SELECTED], *list = NULL;
    n_block = !n_block || !can_select ? 1 : n_block < MOST_SELECTED ? n_block : MOST_SELECTED;
    n_block = n_block < n_rows ? n_block : n_rows;
    pc_status status = pci_gpu_part_prepare_rows(part, n_limbs, n_block * row_words);
    if (status != PC_OK || !n_rows)
        return status;
    for (int b = 0; b < PCI_GPU_BUFFERS; b++)
        part->collector.buffer[b].n_rows = 0; /* the page-locked rows are not these */
    cudaError_t error = cudaMalloc((void **)&list, n_block * sizeof *list);
    for (uint64_t first = 0; first < n_rows && error == cudaSuccess; first += n_block) {
        uint64_t n = n_rows - first < n_block ? n_rows - first : n_block;
        for (uint64_t i = 0; i < n; i++)
            number[i] = (uint32_t)rows[first + i];
        if (can_select)
            error = cudaMemcpy(list, number, n * sizeof *list, cudaMemcpyHostToDevice);
        if (error == cudaSuccess)
            error = pci_gpu_part_make_rows(part, buffer, can_select ? 0 : rows[first],
                                           can_select ? list : NULL, n, n_limbs);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(buffer->stream);
        if (error == cudaSuccess)
            error = cudaMemcpy(limbs + first * row_words, buffer->device,
                               n * row_words * sizeof *limbs, cudaMemcpyDeviceToHost);
    }
    cudaFree(list);
    return pci_gpu_check(part->context, error, "collecting rows");
}
