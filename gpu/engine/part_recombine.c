/* Recombines residues to rows of integers on the host.
 *
 * While the caller reads one block of rows, the next block is recombined and copied to page-locked
 * memory in a stream of its own. There are two page-locked buffers. The rows are lent from them to
 * the code that certifies and writes them. A block is a 32nd of the result, from 1 to 32 MiB
 * (src/engine/engine.h). With 4 MiB for every result the summary of 16384 vertices took half as
 * long again. */
#include "gpu/engine/part.h"

#include "gpu/engine/arena.h"
#include "gpu/engine/mma_lines.h"

void pci_gpu_recombination_free(pci_gpu_recombination *r)
{
    cudaFree(r->tables);
    cudaFree(r->table);
    *r = (pci_gpu_recombination){0};
}

pc_status pci_gpu_recombination_make(const pci_gpu_part *part, const pci_gpu_tables *tables,
                                     uint32_t n_moduli, pci_gpu_recombination *r)
{
    pc_status status =
        pci_gpu_upload(part->context, tables->block, tables->bytes, (void **)&r->tables);
    if (status == PC_OK)
        status = pci_gpu_check(part->context,
                               cudaMalloc((void **)&r->table, n_moduli * sizeof *r->table),
                               "memory for a table");
    return status;
}

/* ---- Rows of integers: tables and buffers ---------------------------------------------------- */

static pc_status prepare_tables(pci_gpu_part *part, uint32_t n_limbs)
{
    pci_gpu_collector *c = &part->collector;
    uint32_t n_moduli = pci_gpu_n_all_moduli(part);
    if (!n_moduli || c->n_limbs == n_limbs)
        return PC_OK;
    pci_gpu_tables_free(part->context, &c->tables);
    cudaFree(c->block);
    c->block = NULL;
    c->n_limbs = 0;
    pc_status status = pci_gpu_tables_digits(part->context, part->parts->moduli, n_moduli,
                                             2 * n_limbs, &c->tables);
    if (status == PC_OK)
        status =
            pci_gpu_upload(part->context, c->tables.block, c->tables.bytes, (void **)&c->block);
    if (status == PC_OK)
        c->n_limbs = n_limbs;
    return status;
}

static cudaError_t prepare_buffer(const pci_gpu_part *part, pci_gpu_buffer *buffer,
                                  uint64_t n_words)
{
    cudaFree(buffer->device);
    cudaFree(buffer->residues);
    cudaFreeHost(buffer->host);
    buffer->device = NULL;
    buffer->residues = NULL;
    buffer->host = NULL;
    buffer->n_rows = 0;
    cudaError_t error = cudaSuccess;
    if (!buffer->stream)
        error = cudaStreamCreateWithFlags(&buffer->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess && !buffer->table)
        error = cudaMalloc((void **)&buffer->table,
                           (pci_gpu_n_all_moduli(part) + 1) * sizeof *buffer->table);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&buffer->device,
                           pci_gpu_odd_bytes(n_words * sizeof *buffer->device));
    return error;
}

static pc_status prepare_buffers(pci_gpu_part *part, uint64_t n_words)
{
    pci_gpu_collector *c = &part->collector;
    if (n_words <= c->buffer_words)
        return PC_OK;
    cudaError_t error = cudaSuccess;
    c->buffer_words = 0;
    for (int b = 0; b < PCI_GPU_BUFFERS && error == cudaSuccess; b++)
        error = prepare_buffer(part, &c->buffer[b], n_words);
    if (error == cudaSuccess)
        c->buffer_words = n_words;
    return pci_gpu_check(part->context, error, "memory for a block of rows");
}

/* ---- Rows of integers: blocks ---------------------------------------------------------------- */

/* The layout of the rows of P: that of planes, or their own when they were on the host. */
static pci_gpu_layout layout_of_rows(const pci_gpu_part *part)
{
    pci_gpu_layout layout = pci_gpu_layout_of(part->parts->n_rows);
    if (!part->parts->on_host)
        layout.n_padded = part->layout.n_padded;
    return layout;
}

/* Copies rows of planes that are on the host to the buffer. */
static cudaError_t bring_residues(const pci_gpu_part *part, pci_gpu_buffer *buffer,
                                  uint64_t first_row, uint64_t n_rows,
                                  const int8_t *narrow[PCI_N_NARROW])
{
    const pci_gpu_parts *parts = part->parts;
    size_t pitch = layout_of_rows(part).n_padded, bytes = n_rows * pitch;
    cudaError_t error = cudaSuccess;
    if (!buffer->residues) /* the first block is the largest */
        error = cudaMalloc((void **)&buffer->residues, parts->n_on_host * bytes);
    for (uint32_t i = 0; i < parts->n_on_host && error == cudaSuccess; i++) {
        error = cudaMemcpyAsync(buffer->residues + i * bytes, parts->on_host[i] + first_row * pitch,
                                bytes, cudaMemcpyHostToDevice, buffer->stream);
        narrow[i] = buffer->residues + i * bytes;
    }
    return error;
}

static cudaError_t residues_for(const pci_gpu_part *part, pci_gpu_buffer *buffer,
                                uint64_t first_row, uint64_t n_rows,
                                const int8_t *narrow[PCI_N_NARROW], cudaStream_t stream,
                                pci_gpu_residues *residues)
{
    if (!part->parts->on_host)
        return pci_gpu_residues_at(part, pci_gpu_n_all_moduli(part), first_row, narrow,
                                   buffer->table, stream, residues);
    *residues = (pci_gpu_residues){.narrow = narrow};
    return bring_residues(part, buffer, first_row, n_rows, narrow);
}

/* Recombines rows to integers in device memory: those of a list there or, when it is NULL, consecutive
 * ones. */
static cudaError_t recombine(const pci_gpu_part *part, pci_gpu_buffer *buffer, uint64_t first_row,
                             const uint32_t *rows, uint64_t n_rows, uint32_t n_limbs,
                             uint64_t *limbs, cudaStream_t stream)
{
    pci_gpu_layout layout = layout_of_rows(part);
    if (!pci_gpu_n_all_moduli(part))
        return pci_gpu_collect_plain(
            &layout, pci_gpu_slot_plane(part, part->slot[0]) + first_row * part->layout.n_padded,
            n_rows, n_limbs, limbs, stream);
    const pci_gpu_collector *c = &part->collector;
    const int8_t *narrow[PCI_N_NARROW];
    pci_gpu_residues residues;
    pci_gpu_crt crt = {pci_gpu_n_all_moduli(part), pci_gpu_tables_fraction(c->block)};
    cudaError_t error = residues_for(part, buffer, first_row, n_rows, narrow, stream, &residues);
    if (error != cudaSuccess)
        return error;
    residues.rows = rows;
    bool by_mma = crt.r >= PCI_COLLECT_MMA_LEAST && pci_gpu_can_collect_mma(crt.r, 2 * n_limbs);
    return (by_mma ? pci_gpu_collect_mma : pci_gpu_collect)(
        &layout, &crt, pci_gpu_tables_weight(&c->tables, c->block),
        pci_gpu_tables_modulus(&c->tables, c->block), 2 * n_limbs, residues, n_rows, limbs, stream);
}

pc_status pci_gpu_part_prepare_rows(pci_gpu_part *part, uint32_t n_limbs, uint64_t n_words)
{
    pc_status status =
        pci_gpu_check(part->context, cudaSetDevice(part->device.index), "choosing the device");
    if (status == PC_OK)
        status = prepare_tables(part, n_limbs);
    return status == PC_OK ? prepare_buffers(part, n_words) : status;
}

/* Page-locked memory takes long to get: only rows that leave the device need it. */
static cudaError_t prepare_host(const pci_gpu_part *part, pci_gpu_buffer *buffer)
{
    if (buffer->host)
        return cudaSuccess;
    return cudaHostAlloc((void **)&buffer->host,
                         part->collector.buffer_words * sizeof *buffer->host, cudaHostAllocDefault);
}

/* Starts filling a buffer; does not wait. */
static pc_status fill(pci_gpu_part *part, pci_gpu_buffer *buffer, uint64_t first_row,
                      uint64_t n_rows, uint32_t n_limbs)
{
    size_t bytes = n_rows * part->parts->n_rows * n_limbs * sizeof *buffer->host;
    buffer->first_row = first_row;
    buffer->n_rows = n_rows;
    cudaError_t error = prepare_host(part, buffer);
    if (error == cudaSuccess)
        error = pci_gpu_part_make_rows(part, buffer, first_row, n_rows, n_limbs, buffer->device);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(buffer->host, buffer->device, bytes, cudaMemcpyDeviceToHost,
                                buffer->stream);
    return pci_gpu_check(part->context, error, "collecting rows");
}

cudaError_t pci_gpu_part_make_rows(const pci_gpu_part *part, pci_gpu_buffer *buffer,
                                   uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                                   uint64_t *limbs)
{
    return recombine(part, buffer, first_row, NULL, n_rows, n_limbs, limbs, buffer->stream);
}

bool pci_gpu_part_can_select(const pci_gpu_part *part)
{
    return pci_gpu_n_all_moduli(part) && !part->parts->on_host;
}

cudaError_t pci_gpu_part_make_selected(const pci_gpu_part *part, pci_gpu_buffer *buffer,
                                       const uint32_t *rows, uint64_t n_rows, uint32_t n_limbs,
                                       uint64_t *limbs)
{
    return recombine(part, buffer, 0, rows, n_rows, n_limbs, limbs, buffer->stream);
}

pc_status pci_gpu_part_collect_start(pci_gpu_part *part, uint64_t first_row, uint64_t n_rows,
                                     uint32_t n_limbs, int buffer)
{
    pci_gpu_buffer *to = &part->collector.buffer[buffer];
    if (to->n_rows == n_rows && to->first_row == first_row)
        return PC_OK;
    pc_status status =
        pci_gpu_part_prepare_rows(part, n_limbs, n_rows * part->parts->n_rows * n_limbs);
    return status == PC_OK ? fill(part, to, first_row, n_rows, n_limbs) : status;
}

pc_status pci_gpu_part_collect_finish(pci_gpu_part *part, int buffer, const uint64_t **limbs)
{
    const pci_gpu_buffer *from = &part->collector.buffer[buffer];
    *limbs = from->host;
    return pci_gpu_check(part->context, cudaStreamSynchronize(from->stream), "collecting rows");
}

pc_status pci_gpu_part_collect_device(pci_gpu_part *part, uint64_t first_row, uint64_t n_rows,
                                      uint32_t n_limbs, uint64_t *limbs)
{
    pc_status status = prepare_tables(part, n_limbs);
    if (status == PC_OK)
        status = prepare_buffers(part, 1);
    if (status == PC_OK)
        status = pci_gpu_check(part->context,
                               recombine(part, &part->collector.buffer[0], first_row, NULL, n_rows,
                                         n_limbs, limbs, part->stream),
                               "collecting rows");
    return status == PC_OK ? pci_gpu_wait(part, "collecting rows") : status;
}
