/* Vectors of a sweep as rows on the host. A device has the entries of a vertex together, rows those
 * of a vector: they are joined to integers there, rectangle by rectangle, and while the host puts
 * one where it belongs, the next is joined and travels. */
#include <gmp.h>

#include "gpu/sweep/sweep.h"

#include <string.h>

/* What rows are wanted. */
typedef struct delivery {
    pci_sweep *sweep;
    uint32_t n_vectors, n_limbs;
    bool adds;
    uint64_t *limbs;
    pci_gpu_sweep_piece on_way[PCI_SWEEP_BUFFERS]; /* n_vectors 0: nothing */
} delivery;

/* ---- Buffers --------------------------------------------------------------------------------- */

static cudaError_t prepare_buffer(pci_gpu_sweep_buffer *buffer, uint64_t n_words)
{
    cudaError_t error = cudaSuccess;
    if (!buffer->arrived)
        error = cudaEventCreateWithFlags(&buffer->arrived, cudaEventDisableTiming);
    if (error == cudaSuccess && !buffer->device)
        error = cudaMalloc((void **)&buffer->device, n_words * sizeof *buffer->device);
    if (error == cudaSuccess && !buffer->host)
        error = cudaHostAlloc((void **)&buffer->host, n_words * sizeof *buffer->host,
                              cudaHostAllocDefault);
    return error;
}

static void drop_buffer(pci_gpu_sweep_buffer *buffer)
{
    cudaFree(buffer->device);
    cudaFreeHost(buffer->host);
    buffer->device = NULL;
    buffer->host = NULL;
}

/* An entry at least must fit. */
static pc_status prepare_buffers(pci_sweep *sweep, uint32_t n_limbs)
{
    cudaError_t error = cudaSuccess;
    if (n_limbs > sweep->buffer_words) {
        for (int b = 0; b < PCI_SWEEP_BUFFERS; b++)
            drop_buffer(&sweep->buffer[b]);
        sweep->buffer_words = n_limbs;
    }
    for (int b = 0; b < PCI_SWEEP_BUFFERS && error == cudaSuccess; b++)
        error = prepare_buffer(&sweep->buffer[b], sweep->buffer_words);
    return pci_gpu_check(sweep->context, error, "memory for rows");
}

/* ---- Rectangles ------------------------------------------------------------------------------ */

/* Joins a rectangle and sends it on its way; does not wait. */
static pc_status start(delivery *to, int b, const pci_gpu_sweep_piece *piece)
{
    pci_sweep *sweep = to->sweep;
    pci_gpu_sweep_buffer *buffer = &sweep->buffer[b];
    pci_gpu_sweep_block block = pci_gpu_sweep_block_at(sweep, sweep->step, sweep->now);
    size_t n_words = piece->n_vectors * piece->n_vertices * to->n_limbs;
    cudaError_t error =
        pci_gpu_sweep_join(&block, piece, to->n_limbs, buffer->device, sweep->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(buffer->host, buffer->device, n_words * sizeof *buffer->host,
                                cudaMemcpyDeviceToHost, sweep->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(buffer->arrived, sweep->stream);
    if (error == cudaSuccess)
        to->on_way[b] = *piece;
    return pci_gpu_check(sweep->context, error, "reading vectors");
}

static void put_entries(const delivery *to, const uint64_t *from, uint64_t n_entries,
                        uint64_t *place)
{
    uint32_t n_limbs = to->n_limbs;
    if (!to->adds) {
        memcpy(place, from, n_entries * n_limbs * sizeof *place);
        return;
    }
    for (uint64_t e = 0; e < n_entries; e++, place += n_limbs, from += n_limbs)
        mpn_add_n(place, place, from, n_limbs);
}

/* Waits for what is on its way in a buffer and puts it where it belongs. */
static pc_status finish(delivery *to, int b)
{
    const pci_sweep *sweep = to->sweep;
    const pci_gpu_sweep_piece piece = to->on_way[b];
    if (piece.n_vectors == 0)
        return PC_OK;
    to->on_way[b].n_vectors = 0;
    cudaError_t error = cudaEventSynchronize(sweep->buffer[b].arrived);
    if (error != cudaSuccess)
        return pci_gpu_check(sweep->context, error, "reading vectors");
    uint64_t row_words = piece.n_vertices * to->n_limbs;
    int n_threads = pci_threads_for(sweep->context, (double)piece.n_vectors * (double)row_words);
    n_threads = n_threads < sweep->n_threads ? n_threads : sweep->n_threads;
#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
    for (uint32_t v = 0; v < piece.n_vectors; v++) {
        uint64_t entry = (piece.first_vector + v) * sweep->n + piece.first_vertex;
        put_entries(to, sweep->buffer[b].host + v * row_words, piece.n_vertices,
                    to->limbs + entry * to->n_limbs);
    }
    return PC_OK;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* As many vectors at once as fit, of as many vertices. */
static pc_status deliver(delivery *to)
{
    const pci_sweep *sweep = to->sweep;
    uint64_t n_entries = sweep->buffer_words / to->n_limbs, n_pieces = 0;
    uint64_t n_across = least(to->n_vectors, n_entries);
    uint64_t n_down = n_across ? n_entries / n_across : 0;
    pc_status status = PC_OK;
    for (uint64_t v = 0; v < to->n_vectors; v += n_across)
        for (uint64_t i = 0; i < sweep->n && status == PC_OK; i += n_down) {
            int b = (int)(n_pieces++ % PCI_SWEEP_BUFFERS);
            pci_gpu_sweep_piece piece = {.first_vertex = i,
                                         .n_vertices = least(n_down, sweep->n - i),
                                         .first_vector = (uint32_t)v,
                                         .n_vectors = (uint32_t)least(n_across, to->n_vectors - v)};
            status = finish(to, b);
            if (status == PC_OK)
                status = start(to, b, &piece);
        }
    for (uint64_t p = n_pieces; p < n_pieces + PCI_SWEEP_BUFFERS && status == PC_OK; p++)
        status = finish(to, (int)(p % PCI_SWEEP_BUFFERS));
    return status;
}

pc_status pci_gpu_sweep_rows(pci_sweep *sweep, uint32_t n_vectors, uint32_t n_limbs, bool adds,
                             uint64_t *limbs)
{
    delivery to = {
        .sweep = sweep, .n_vectors = n_vectors, .n_limbs = n_limbs, .adds = adds, .limbs = limbs};
    pc_status status = pci_gpu_sweep_ready(sweep);
    if (status == PC_OK)
        status = prepare_buffers(sweep, n_limbs);
    return status == PC_OK ? deliver(&to) : status;
}
