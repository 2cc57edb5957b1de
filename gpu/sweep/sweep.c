/* A sweep's life on a GPU: memory, values added, steps. */
#include "gpu/sweep/sweep.h"

#include "gpu/engine/part.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Words of one of the two buffers. */
static uint64_t buffer_words(uint64_t block_bytes)
{
    return pci_device_block_bytes(block_bytes) / sizeof(uint64_t);
}

/* Of this machine, page-locked too. */
static uint64_t host_bytes(uint64_t length, uint64_t n_parts, uint64_t block_bytes)
{
    uint64_t lists = (length + 1) * sizeof(pci_gpu_sweep_width) + (n_parts + 1) * sizeof(uint32_t) +
                     PCI_SWEEP_VALUES * sizeof(pci_gpu_sweep_value);
    return sizeof(pci_sweep) + lists +
           PCI_SWEEP_BUFFERS * buffer_words(block_bytes) * sizeof(uint64_t);
}

static uint64_t n_parts_of(const pc_graph *graph)
{
    return pci_gpu_sweep_n_parts(graph->n, pci_graph_n_arcs(graph));
}

static uint64_t bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    pci_gpu_sweep_plan plan = pci_gpu_sweep_plan_of(graph, options);
    uint64_t block_bytes = pci_gpu_sweep_block_bytes(&plan, graph->n);
    return block_bytes < UINT64_MAX ? host_bytes(options->length, n_parts_of(graph), block_bytes)
                                    : UINT64_MAX;
}

/* On the device, without the two blocks. */
static uint64_t fixed_bytes(const pc_graph *graph, uint64_t block_bytes)
{
    uint64_t arc_bytes = sizeof *graph->column + (graph->weight ? sizeof *graph->weight : 0);
    return pci_graph_n_arcs(graph) * arc_bytes + (graph->n + 1) * sizeof *graph->row_start +
           (n_parts_of(graph) + 1) * sizeof(uint32_t) +
           PCI_SWEEP_VALUES * sizeof(pci_gpu_sweep_value) +
           PCI_SWEEP_BUFFERS * buffer_words(block_bytes) * sizeof(uint64_t);
}

/* Refuses what does not fit, before anything large is allocated, and says what would. */
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

static pc_status check_host(const pci_sweep *sweep, const pc_graph *graph, uint64_t block_bytes)
{
    uint64_t needed = host_bytes(sweep->length, n_parts_of(graph), block_bytes);
    uint64_t available = pci_memory_available(sweep->context);
    if (needed <= available)
        return PC_OK;
    return pci_fail(
        sweep->context, PC_ERR_MEMORY,
        "%" PRIu32 " vectors on %s need %.3g GB of memory of this machine for their way "
        "back and there are %.3g GB",
        sweep->n_vectors, sweep->device.name, 1e-9 * (double)needed, 1e-9 * (double)available);
}

static pc_status allocate_host(pci_sweep *sweep)
{
    size_t widths_bytes = (sweep->length + 1) * sizeof *sweep->widths;
    size_t waiting_bytes = PCI_SWEEP_VALUES * sizeof *sweep->waiting;
    sweep->widths = pci_alloc(sweep->context, widths_bytes);
    sweep->waiting = pci_alloc(sweep->context, waiting_bytes);
    if (!sweep->widths || !sweep->waiting)
        return pci_fail_memory(sweep->context, "values of vectors", widths_bytes + waiting_bytes);
    return PC_OK;
}

static pc_status allocate_device(pci_sweep *sweep, uint64_t block_bytes)
{
    cudaError_t error = cudaStreamCreateWithFlags(&sweep->stream, cudaStreamNonBlocking);
    block_bytes = block_bytes ? block_bytes : 1; /* a graph without vertices */
    if (error == cudaSuccess)
        error = cudaMalloc(&sweep->now, block_bytes);
    if (error == cudaSuccess)
        error = cudaMalloc(&sweep->next, block_bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&sweep->added, PCI_SWEEP_VALUES * sizeof *sweep->added);
    return pci_gpu_check(sweep->context, error, "memory for vectors");
}

static pc_status upload_parts(pci_sweep *sweep, const pc_graph *graph)
{
    size_t n_bytes = (n_parts_of(graph) + 1) * sizeof(uint32_t);
    uint32_t *first_row = pci_alloc(sweep->context, n_bytes);
    if (!first_row)
        return pci_fail_memory(sweep->context, "parts of a graph", n_bytes);
    pci_gpu_sweep_first_rows(graph->row_start, graph->n, first_row);
    pc_status status =
        pci_gpu_upload(sweep->context, first_row, n_bytes, (void **)&sweep->first_row);
    pci_free(sweep->context, first_row);
    return status;
}

static pc_status upload_graph(pci_sweep *sweep, const pc_graph *graph)
{
    pc_context *context = sweep->context;
    pci_gpu_graph *to = &sweep->graph;
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    *to = (pci_gpu_graph){.n = graph->n, .n_arcs = n_arcs};
    pc_status status =
        pci_gpu_upload(context, graph->row_start, (graph->n + 1) * sizeof *graph->row_start,
                       (void **)&to->row_start);
    if (status == PC_OK)
        status = pci_gpu_upload(context, graph->column, n_arcs * sizeof *graph->column,
                                (void **)&to->column);
    if (status == PC_OK && graph->weight)
        status = pci_gpu_upload(context, graph->weight, n_arcs * sizeof *graph->weight,
                                (void **)&to->weight);
    return status == PC_OK ? upload_parts(sweep, graph) : status;
}

static pc_status allocate(pci_sweep *sweep, const pc_graph *graph)
{
    uint64_t block_bytes = pci_gpu_sweep_block_bytes(&sweep->plan, graph->n);
    pc_status status = check_device(sweep, graph, block_bytes);
    if (status == PC_OK)
        status = check_host(sweep, graph, block_bytes);
    sweep->buffer_words = buffer_words(block_bytes);
    if (status == PC_OK)
        status = allocate_host(sweep);
    if (status == PC_OK)
        status = allocate_device(sweep, block_bytes);
    return status == PC_OK ? upload_graph(sweep, graph) : status;
}

/* ---- Made and cleared ------------------------------------------------------------------------ */

/* On the first of the devices that the context names. */
static pc_status open_device(pc_context *context, pci_gpu_device *device)
{
    int n = 0, index[PCI_MAX_DEVICES];
    pc_status status = pci_gpu_devices_wanted(context, &n, index);
    return status == PC_OK ? pci_gpu_device_open(context, index[0], device) : status;
}

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
    for (int b = 0; b < PCI_SWEEP_BUFFERS; b++) {
        cudaFree(sweep->buffer[b].device);
        cudaFreeHost(sweep->buffer[b].host);
        if (sweep->buffer[b].arrived)
            cudaEventDestroy(sweep->buffer[b].arrived);
    }
    cudaFree(sweep->now);
    cudaFree(sweep->next);
    cudaFree(sweep->added);
    cudaFree(sweep->first_row);
    cudaFree((void *)sweep->graph.row_start);
    cudaFree((void *)sweep->graph.column);
    cudaFree((void *)sweep->graph.weight);
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
    pc_status status = open_device(context, &device);
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
    made->n_vectors = options->n_vectors;
    made->plan = pci_gpu_sweep_plan_of(graph, options);
    status = allocate(made, graph);
    if (status != PC_OK) {
        free_sweep(made);
        return status;
    }
    pci_gpu_sweep_widths(&made->plan, options, made->widths);
    *sweep = made;
    return PC_OK;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void add(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value)
{
    if (sweep->n_waiting == PCI_SWEEP_VALUES)
        pci_gpu_sweep_ready(sweep); /* the next step says when that fails */
    sweep->waiting[sweep->n_waiting++] = (pci_gpu_sweep_value){(uint32_t)vertex, vector, value};
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Only the thread that made the call may ask; a caller with threads of its own asks itself. */
static pc_status ask(const pci_sweep *sweep)
{
    if (omp_in_parallel())
        return PC_OK;
    return pci_progress(sweep->context, "sweep", (double)sweep->step / (double)sweep->length);
}

static pc_status step(pci_sweep *sweep)
{
    pc_status status = ask(sweep);
    if (status == PC_OK)
        status = pci_gpu_sweep_ready(sweep);
    if (status != PC_OK)
        return status;
    pci_gpu_sweep_pass pass = {.graph = sweep->graph,
                               .first_row = sweep->first_row,
                               .in = pci_gpu_sweep_block_at(sweep, sweep->step, sweep->now),
                               .out = pci_gpu_sweep_block_at(sweep, sweep->step + 1, sweep->next),
                               .n_sms = sweep->device.n_sms};
    cudaError_t error = sweep->plan.has_headroom ? pci_gpu_sweep_sum(&pass, sweep->stream)
                                                 : pci_gpu_sweep_sum_plain(&pass, sweep->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(sweep->stream);
    if (error != cudaSuccess)
        return pci_gpu_check(sweep->context, error, "sending vectors");
    sweep->next = pass.in.words;
    sweep->now = pass.out.words;
    sweep->step++;
    return PC_OK;
}

const pci_sweep_ops pci_gpu_sweeps = {
    .create = create,
    .free = free_sweep,
    .clear = clear_sweep,
    .add = add,
    .step = step,
    .rows = pci_gpu_sweep_rows,
    .bytes = bytes,
};
