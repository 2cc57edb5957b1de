/* A sweep on a GPU, the host's side: memory, values that are added, steps, rows. */
#include "gpu/sweep/sweep.h"

#include "gpu/engine/device.h"
#include "src/engine/engine.h"
#include "src/engine/sweep.h"

#include <gmp.h>
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N_BUFFERS = 2 };

/* Entries that are copied to the host. */
typedef struct transfer_buffer {
    uint64_t *device;
    uint64_t *host; /* page-locked */
    cudaEvent_t arrived;
} transfer_buffer;

struct pci_sweep {
    pc_context *context;
    pci_gpu_device device;
    cudaStream_t stream;
    int n_threads;
    uint64_t n, length, step;
    uint32_t n_vectors;
    pci_gpu_sweep_plan plan;
    uint64_t modulus;            /* of residues; else 0 */
    uint64_t n_widths;           /* length + 1, or 1 for all steps */
    pci_gpu_sweep_width *widths; /* [n_widths] */
    pci_gpu_graph graph;         /* on the device, as the next four */
    uint32_t *first_row;
    void *now, *next;
    pci_gpu_sweep_value *added;   /* [PCI_SWEEP_VALUES] */
    bool is_begun;                /* now holds vectors; before that they are zero */
    pci_gpu_sweep_value *waiting; /* [PCI_SWEEP_VALUES]: the first n_waiting are not added yet */
    uint32_t n_waiting;
    pc_status begun; /* the status of adding */
    uint64_t buffer_words;
    transfer_buffer buffer[N_BUFFERS];
};

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Words of each of the two buffers. */
static uint64_t buffer_words(uint64_t block_bytes)
{
    return pci_device_block_bytes(block_bytes) / sizeof(uint64_t);
}

/* Memory of this machine, page-locked memory included. */
static uint64_t host_bytes(uint64_t n_widths, uint64_t n_parts, uint64_t block_bytes)
{
    uint64_t lists = n_widths * sizeof(pci_gpu_sweep_width) + (n_parts + 1) * sizeof(uint32_t) +
                     PCI_SWEEP_VALUES * sizeof(pci_gpu_sweep_value);
    return sizeof(pci_sweep) + lists + N_BUFFERS * buffer_words(block_bytes) * sizeof(uint64_t);
}

static uint64_t n_parts_of(const pc_graph *graph)
{
    return pci_gpu_sweep_n_parts(graph->n, pci_graph_n_arcs(graph));
}

static uint64_t bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    pci_gpu_sweep_plan plan = pci_gpu_sweep_plan_of(graph, options);
    uint64_t block_bytes = pci_gpu_sweep_block_bytes(&plan, graph->n);
    return block_bytes < UINT64_MAX
               ? host_bytes(pci_sweep_n_widths(options), n_parts_of(graph), block_bytes)
               : UINT64_MAX;
}

/* Memory of the device, without the two blocks. */
static uint64_t fixed_bytes(const pc_graph *graph, uint64_t block_bytes)
{
    uint64_t arc_bytes = sizeof *graph->column + (graph->weight ? sizeof *graph->weight : 0);
    return pci_graph_n_arcs(graph) * arc_bytes + (graph->n + 1) * sizeof *graph->row_start +
           (n_parts_of(graph) + 1) * sizeof(uint32_t) +
           PCI_SWEEP_VALUES * sizeof(pci_gpu_sweep_value) +
           N_BUFFERS * buffer_words(block_bytes) * sizeof(uint64_t);
}

/* Refuses a sweep that does not fit before anything large is allocated, and says how many vectors
 * fit. */
static pc_status check_device(const pci_sweep *sweep, const pc_graph *graph, uint64_t block_bytes)
{
    uint64_t available, fixed = fixed_bytes(graph, block_bytes < UINT64_MAX ? block_bytes : 0);
    pc_status status = pci_gpu_memory_available(sweep->context, &available);
    if (status != PC_OK ||
        (block_bytes < UINT64_MAX && fixed <= available && block_bytes <= (available - fixed) / 2))
        return status;
    double lane_bytes = (double)sweep->plan.line_bytes / (double)sweep->plan.n_lanes;
    double n_lanes =
        fixed < available ? (double)(available - fixed) / 2 / lane_bytes / (double)graph->n : 0;
    uint64_t n_groups = (uint64_t)n_lanes / PCI_SWEEP_LANE_GROUP;
    return pci_fail(
        sweep->context, PC_ERR_MEMORY,
        "%" PRIu32 " vectors of %" PRIu64 " vertices need %.3g GB of memory of %s and "
        "there are %.3g GB, which is enough for %" PRIu64 " at once",
        sweep->n_vectors, graph->n,
        1e-9 * (2 * lane_bytes * (double)sweep->plan.n_lanes * (double)graph->n + (double)fixed),
        sweep->device.name, 1e-9 * (double)available, n_groups * PCI_SWEEP_LANE_GROUP);
}

static pc_status allocate_host(pci_sweep *sweep, const pc_graph *graph, uint64_t block_bytes)
{
    size_t widths_bytes = sweep->n_widths * sizeof *sweep->widths;
    size_t waiting_bytes = PCI_SWEEP_VALUES * sizeof *sweep->waiting;
    uint64_t needed = host_bytes(sweep->n_widths, n_parts_of(graph), block_bytes);
    uint64_t available = pci_memory_available(sweep->context);
    if (needed > available)
        return pci_fail(
            sweep->context, PC_ERR_MEMORY,
            "%" PRIu32 " vectors on %s need %.3g GB of memory of this machine for their way "
            "back and there are %.3g GB",
            sweep->n_vectors, sweep->device.name, 1e-9 * (double)needed, 1e-9 * (double)available);
    sweep->buffer_words = buffer_words(block_bytes);
    sweep->widths = pci_alloc(sweep->context, widths_bytes);
    sweep->waiting = pci_alloc(sweep->context, waiting_bytes);
    return sweep->widths && sweep->waiting
               ? PC_OK
               : pci_fail_memory(sweep->context, "values of vectors", widths_bytes + waiting_bytes);
}

static pc_status allocate_device(pci_sweep *sweep, const pc_graph *graph, uint64_t block_bytes)
{
    size_t parts_bytes = (n_parts_of(graph) + 1) * sizeof(uint32_t);
    pci_gpu_arena_release(sweep->device.index);
    cudaError_t error = cudaStreamCreateWithFlags(&sweep->stream, cudaStreamNonBlocking);
    block_bytes = block_bytes ? block_bytes : 1; /* a graph without vertices */
    if (error == cudaSuccess)
        error = cudaMalloc(&sweep->now, block_bytes);
    if (error == cudaSuccess)
        error = cudaMalloc(&sweep->next, block_bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&sweep->added, PCI_SWEEP_VALUES * sizeof *sweep->added);
    pc_status status = pci_gpu_check(sweep->context, error, "memory for vectors");
    if (status == PC_OK)
        status = pci_gpu_graph_upload(sweep->context, graph, &sweep->graph);
    if (status != PC_OK)
        return status;
    uint32_t *first_row = pci_alloc(sweep->context, parts_bytes);
    if (!first_row)
        return pci_fail_memory(sweep->context, "parts of a graph", parts_bytes);
    pci_gpu_sweep_first_rows(graph->row_start, graph->n, first_row);
    status = pci_gpu_upload(sweep->context, first_row, parts_bytes, (void **)&sweep->first_row);
    pci_free(sweep->context, first_row);
    return status;
}

/* ---- Creating and freeing -------------------------------------------------------------------- */

static void clear_sweep(pci_sweep *sweep)
{
    sweep->step = 0;
    sweep->is_begun = false;
    sweep->n_waiting = 0;
    sweep->begun = PC_OK;
}

static void free_sweep(pci_sweep *sweep)
{
    if (!sweep)
        return;
    cudaSetDevice(sweep->device.index);
    if (sweep->stream)
        cudaStreamSynchronize(sweep->stream);
    for (int b = 0; b < N_BUFFERS; b++) {
        cudaFree(sweep->buffer[b].device);
        cudaFreeHost(sweep->buffer[b].host);
        if (sweep->buffer[b].arrived)
            cudaEventDestroy(sweep->buffer[b].arrived);
    }
    cudaFree(sweep->now);
    cudaFree(sweep->next);
    cudaFree(sweep->added);
    cudaFree(sweep->first_row);
    pci_gpu_graph_free(&sweep->graph);
    if (sweep->stream)
        cudaStreamDestroy(sweep->stream);
    cudaGetLastError();
    pci_free(sweep->context, sweep->widths);
    pci_free(sweep->context, sweep->waiting);
    pci_free(sweep->context, sweep);
}

static pc_status create(pc_context *context, const pc_graph *graph,
                        const pci_sweep_options *options, pci_sweep **sweep)
{
    pci_gpu_device device;
    int n = 0, index[PCI_MAX_DEVICES];
    pc_status status = pci_gpu_devices_wanted(context, &n, index);
    if (status == PC_OK) /* the first of the devices that the context names */
        status = pci_gpu_device_open(context, index[0], &device);
    if (status != PC_OK)
        return status;
    pci_sweep *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "vectors on a device", sizeof *made);
    made->context = context;
    made->device = device;
    made->n_threads = options->n_threads > 1 ? options->n_threads : 1;
    made->n = graph->n;
    made->length = options->length;
    made->modulus = options->modulus;
    made->n_widths = pci_sweep_n_widths(options);
    made->n_vectors = options->n_vectors;
    made->plan = pci_gpu_sweep_plan_of(graph, options);
    uint64_t block_bytes = pci_gpu_sweep_block_bytes(&made->plan, graph->n);
    status = check_device(made, graph, block_bytes);
    if (status == PC_OK)
        status = allocate_host(made, graph, block_bytes);
    if (status == PC_OK)
        status = allocate_device(made, graph, block_bytes);
    if (status != PC_OK) {
        free_sweep(made);
        return status;
    }
    pci_gpu_sweep_widths(&made->plan, graph, options, made->widths);
    *sweep = made;
    return PC_OK;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Values wait on the host until the next step, or until there are too many. */

/* The vectors after so many steps. */
static pci_gpu_sweep_block block_at(const pci_sweep *sweep, uint64_t step, void *words)
{
    return (pci_gpu_sweep_block){.n = sweep->n,
                                 .n_lanes = sweep->plan.n_lanes,
                                 .limb_bits = sweep->plan.limb_bits,
                                 .width = sweep->widths[sweep->n_widths > 1 ? step : 0],
                                 .words = words};
}

static int compare_entries(const void *a, const void *b)
{
    const pci_gpu_sweep_value *x = a, *y = b;
    if (x->vertex != y->vertex)
        return x->vertex < y->vertex ? -1 : 1;
    return (x->vector > y->vector) - (x->vector < y->vector);
}

static cudaError_t add_waiting(pci_sweep *sweep)
{
    pci_gpu_sweep_block block = block_at(sweep, sweep->step, sweep->now);
    size_t line_bytes = pci_gpu_sweep_line_bytes(&sweep->plan, block.width);
    bool is_sorted = true; /* values of an entry must lie next to each other: mostly they do */
    cudaError_t error = cudaSuccess;
    if (!sweep->is_begun)
        error = cudaMemsetAsync(sweep->now, 0, sweep->n * line_bytes, sweep->stream);
    for (uint32_t v = 1; v < sweep->n_waiting && is_sorted; v++)
        is_sorted = compare_entries(&sweep->waiting[v - 1], &sweep->waiting[v]) <= 0;
    if (!is_sorted)
        qsort(sweep->waiting, sweep->n_waiting, sizeof *sweep->waiting, compare_entries);
    if (error == cudaSuccess && sweep->n_waiting > 0)
        error =
            cudaMemcpyAsync(sweep->added, sweep->waiting, sweep->n_waiting * sizeof *sweep->waiting,
                            cudaMemcpyHostToDevice, sweep->stream);
    if (error == cudaSuccess)
        error = pci_gpu_sweep_add_values(&block, sweep->n_waiting, sweep->added, sweep->stream);
    return error == cudaSuccess ? cudaStreamSynchronize(sweep->stream) : error;
}

/* Makes the device of the sweep the current one of the calling thread, and adds the values that
 * wait. */
static pc_status make_ready(pci_sweep *sweep)
{
    cudaError_t error = cudaSetDevice(sweep->device.index);
    if (sweep->begun != PC_OK)
        return sweep->begun;
    if (error == cudaSuccess && (!sweep->is_begun || sweep->n_waiting > 0))
        error = add_waiting(sweep);
    sweep->is_begun = true;
    sweep->n_waiting = 0;
    sweep->begun = pci_gpu_check(sweep->context, error, "starting vectors");
    return sweep->begun;
}

static void add(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value)
{
    if (sweep->n_waiting == PCI_SWEEP_VALUES)
        make_ready(sweep); /* the next step reports a failure */
    sweep->waiting[sweep->n_waiting++] = (pci_gpu_sweep_value){(uint32_t)vertex, vector, value};
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Progress is reported unless the caller has threads of its own: only the thread that made the call may. */
static pc_status step(pci_sweep *sweep)
{
    pc_status status = PC_OK;
    if (!omp_in_parallel())
        status = pci_progress(sweep->context, "sweep", (double)sweep->step / (double)sweep->length);
    if (status == PC_OK)
        status = make_ready(sweep);
    if (status != PC_OK)
        return status;
    pci_gpu_sweep_pass pass = {.graph = sweep->graph,
                               .first_row = sweep->first_row,
                               .in = block_at(sweep, sweep->step, sweep->now),
                               .out = block_at(sweep, sweep->step + 1, sweep->next),
                               .n_sms = sweep->device.n_sms};
    cudaError_t error = sweep->plan.has_headroom ? pci_gpu_sweep_sum(&pass, sweep->stream)
                                                 : pci_gpu_sweep_sum_plain(&pass, sweep->stream);
    if (error == cudaSuccess && sweep->modulus)
        error = pci_gpu_sweep_reduce(&pass.out, sweep->modulus, sweep->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(sweep->stream);
    if (error != cudaSuccess)
        return pci_gpu_check(sweep->context, error, "sending vectors");
    sweep->next = pass.in.words;
    sweep->now = pass.out.words;
    sweep->step++;
    return PC_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A device has the entries of a vertex together, rows have those of a vector. Entries are joined to
 * integers on the device, rectangle by rectangle. While the host puts one rectangle where it
 * belongs, the next one is joined and copied. */
typedef struct delivery {
    pci_sweep *sweep;
    uint32_t first, n_vectors, n_limbs;
    bool adds;
    uint64_t *limbs;                        /* of vector `first`, and those after it */
    pci_gpu_sweep_piece pending[N_BUFFERS]; /* in each buffer; n_vectors 0: nothing */
} delivery;

/* Buffers for at least one entry. */
static pc_status prepare_buffers(pci_sweep *sweep, uint32_t n_limbs)
{
    transfer_buffer *end = sweep->buffer + N_BUFFERS;
    bool is_too_small = n_limbs > sweep->buffer_words;
    cudaError_t error = cudaSuccess;
    for (transfer_buffer *b = sweep->buffer; b < end && is_too_small; b++) {
        cudaFree(b->device);
        cudaFreeHost(b->host);
        b->device = b->host = NULL;
    }
    sweep->buffer_words = is_too_small ? n_limbs : sweep->buffer_words;
    for (transfer_buffer *b = sweep->buffer; b < end && error == cudaSuccess; b++) {
        size_t bytes = sweep->buffer_words * sizeof *b->host;
        if (!b->arrived)
            error = cudaEventCreateWithFlags(&b->arrived, cudaEventDisableTiming);
        if (error == cudaSuccess && !b->device)
            error = cudaMalloc((void **)&b->device, bytes);
        if (error == cudaSuccess && !b->host)
            error = cudaHostAlloc((void **)&b->host, bytes, cudaHostAllocDefault);
    }
    return pci_gpu_check(sweep->context, error, "memory for rows");
}

/* Joins a rectangle and starts its copy; does not wait. */
static pc_status start(delivery *to, int b, const pci_gpu_sweep_piece *piece)
{
    pci_sweep *sweep = to->sweep;
    transfer_buffer *buffer = &sweep->buffer[b];
    pci_gpu_sweep_block block = block_at(sweep, sweep->step, sweep->now);
    size_t n_words = piece->n_vectors * piece->n_vertices * to->n_limbs;
    cudaError_t error =
        pci_gpu_sweep_join(&block, piece, to->n_limbs, buffer->device, sweep->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(buffer->host, buffer->device, n_words * sizeof *buffer->host,
                                cudaMemcpyDeviceToHost, sweep->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(buffer->arrived, sweep->stream);
    if (error == cudaSuccess)
        to->pending[b] = *piece;
    return pci_gpu_check(sweep->context, error, "reading vectors");
}

/* Waits for the rectangle of a buffer and puts its entries where they belong. */
static pc_status finish(delivery *to, int b)
{
    const pci_sweep *sweep = to->sweep;
    const pci_gpu_sweep_piece piece = to->pending[b];
    if (piece.n_vectors == 0)
        return PC_OK;
    to->pending[b].n_vectors = 0;
    cudaError_t error = cudaEventSynchronize(sweep->buffer[b].arrived);
    if (error != cudaSuccess)
        return pci_gpu_check(sweep->context, error, "reading vectors");
    uint64_t row_words = piece.n_vertices * to->n_limbs;
    int n_threads = pci_threads_for(sweep->context, (double)piece.n_vectors * (double)row_words);
    n_threads = n_threads < sweep->n_threads ? n_threads : sweep->n_threads;
#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
    for (uint32_t v = 0; v < piece.n_vectors; v++) {
        uint64_t entry = (piece.first_vector - to->first + v) * sweep->n + piece.first_vertex;
        const uint64_t *from = sweep->buffer[b].host + v * row_words;
        uint64_t *place = to->limbs + entry * to->n_limbs;
        if (!to->adds)
            memcpy(place, from, row_words * sizeof *place);
        for (uint64_t w = 0; w < row_words && to->adds; w += to->n_limbs)
            mpn_add_n(place + w, place + w, from + w, to->n_limbs);
    }
    return PC_OK;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Takes as many vectors at once as fit, of as many vertices as fit then. */
static pc_status deliver(delivery *to)
{
    const pci_sweep *sweep = to->sweep;
    uint64_t n_entries = sweep->buffer_words / to->n_limbs, n_pieces = 0;
    uint64_t n_across = least(to->n_vectors, n_entries);
    uint64_t n_down = n_across ? n_entries / n_across : 0;
    pc_status status = PC_OK;
    for (uint64_t v = 0; v < to->n_vectors; v += n_across)
        for (uint64_t i = 0; i < sweep->n && status == PC_OK; i += n_down) {
            int b = (int)(n_pieces++ % N_BUFFERS);
            pci_gpu_sweep_piece piece = {.first_vertex = i,
                                         .n_vertices = least(n_down, sweep->n - i),
                                         .first_vector = to->first + (uint32_t)v,
                                         .n_vectors = (uint32_t)least(n_across, to->n_vectors - v)};
            status = finish(to, b);
            if (status == PC_OK)
                status = start(to, b, &piece);
        }
    for (uint64_t p = n_pieces; p < n_pieces + N_BUFFERS && status == PC_OK; p++)
        status = finish(to, (int)(p % N_BUFFERS));
    return status;
}

static pc_status deliver_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors,
                              uint32_t n_limbs, bool adds, uint64_t *limbs)
{
    delivery to = {.sweep = sweep,
                   .first = first,
                   .n_vectors = n_vectors,
                   .n_limbs = n_limbs,
                   .adds = adds,
                   .limbs = limbs};
    pc_status status = make_ready(sweep);
    if (status == PC_OK)
        status = prepare_buffers(sweep, n_limbs);
    return status == PC_OK ? deliver(&to) : status;
}

const pci_sweep_ops pci_gpu_sweeps = {
    .create = create,
    .free = free_sweep,
    .clear = clear_sweep,
    .add = add,
    .step = step,
    .rows = deliver_rows,
    .bytes = bytes,
};
