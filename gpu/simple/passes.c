/* The host's side of passes: memory, uploads, launches in order, and rows on their way back. */
#include "gpu/simple/passes.h"

#include "gpu/engine/device.h"
#include "src/simple/formula.h"

#include <string.h>

enum { N_BUFFERS = 2, BUFFER_BYTES = 32 << 20, PART_BYTES = 1 << 18, MOST_LANES = 1 << 14 };

/* The share of the device's memory that registers may take. */
static const double REGISTERS_SHARE = 0.7;

/* A piece of rows that is copied to the host. */
typedef struct transfer {
    void *host; /* page-locked */
    cudaEvent_t arrived;
    uint8_t *to; /* where the piece belongs; NULL: nothing is on its way */
    size_t bytes;
} transfer;

struct pci_passes {
    pc_context *context;
    pci_evaluation *evaluation;
    pci_gpu_device device;
    cudaStream_t stream;
    pci_gpu_matrix base[PCI_FORMULA_BASES]; /* row_start NULL: not there yet */
    void **values;                          /* [n_expressions] on the device; NULL: not there */
    uint8_t *registers;                     /* one more than the program's: rows */
    size_t register_bytes;
    uint64_t most_lanes;
    uint32_t *source; /* [most_lanes] */
    uint32_t *sources_here;
    transfer buffer[N_BUFFERS];
};

static pc_status check(const pci_passes *p, cudaError_t error)
{
    return pci_gpu_check(p->context, error, "counting simple paths");
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void free_passes(pci_passes *p)
{
    if (!p)
        return;
    cudaSetDevice(p->device.index);
    if (p->stream)
        cudaStreamSynchronize(p->stream);
    for (int b = 0; b < N_BUFFERS; b++) {
        cudaFreeHost(p->buffer[b].host);
        if (p->buffer[b].arrived)
            cudaEventDestroy(p->buffer[b].arrived);
    }
    for (int b = 0; b < PCI_FORMULA_BASES; b++) {
        cudaFree((void *)p->base[b].row_start);
        cudaFree((void *)p->base[b].column);
    }
    for (uint32_t i = 0; p->values && i < p->evaluation->program->formula->n_expressions; i++)
        cudaFree(p->values[i]);
    cudaFree(p->registers);
    cudaFree(p->source);
    if (p->stream)
        cudaStreamDestroy(p->stream);
    cudaGetLastError();
    pci_free(p->context, p->values);
    pci_free(p->context, p->sources_here);
    pci_free(p->context, p);
}

/* Takes as many lanes as there is memory for, and no more than sources. */
static pc_status allocate(pci_passes *p)
{
    const pci_evaluation *e = p->evaluation;
    uint64_t available, n_sources = (e->n_most + PCI_PASS_LANES - 1) / PCI_PASS_LANES;
    size_t group_bytes = e->n_most * PCI_PASS_LANES * pci_number_bytes(e->numbers);
    uint32_t n_registers = e->program->n_registers + 1;
    pci_gpu_arena_release(p->device.index);
    pc_status status = pci_gpu_memory_available(p->context, &available);
    if (status != PC_OK)
        return status;
    uint64_t n_groups =
        (uint64_t)(REGISTERS_SHARE * (double)available / (double)group_bytes) / n_registers;
    n_groups = n_groups < n_sources ? n_groups : n_sources;
    n_groups = n_groups < MOST_LANES / PCI_PASS_LANES ? n_groups : MOST_LANES / PCI_PASS_LANES;
    if (n_groups == 0)
        return pci_fail(p->context, PC_ERR_MEMORY,
                        "rows of simple paths need %.3g GB of memory of %s and there are %.3g GB",
                        1e-9 * (double)group_bytes * n_registers, p->device.name,
                        1e-9 * (double)available);
    p->most_lanes = n_groups * PCI_PASS_LANES;
    p->register_bytes = n_groups * group_bytes;
    p->values = pci_alloc_zero(p->context, e->program->formula->n_expressions, sizeof *p->values);
    p->sources_here = pci_alloc(p->context, p->most_lanes * sizeof *p->sources_here);
    if (!p->values || !p->sources_here)
        return pci_fail_memory(p->context, "sources", p->most_lanes * sizeof *p->sources_here);
    cudaError_t error = cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&p->registers, p->register_bytes * n_registers);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&p->source, p->most_lanes * sizeof *p->source);
    for (int b = 0; b < N_BUFFERS && error == cudaSuccess; b++) {
        error = cudaHostAlloc(&p->buffer[b].host, BUFFER_BYTES, cudaHostAllocDefault);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&p->buffer[b].arrived, cudaEventDisableTiming);
    }
    return check(p, error);
}

static pc_status create(pc_context *context, pci_evaluation *evaluation, pci_passes **passes)
{
    pci_gpu_device device;
    int n = 0, index[PCI_MAX_DEVICES];
    pc_status status = pci_gpu_devices_wanted(context, &n, index);
    if (status == PC_OK)
        status = pci_gpu_device_open(context, index[0], &device);
    if (status != PC_OK)
        return status;
    pci_passes *p = pci_alloc_zero(context, 1, sizeof *p);
    if (!p)
        return pci_fail_memory(context, "simple paths on a device", sizeof *p);
    p->context = context;
    p->evaluation = evaluation;
    p->device = device;
    status = allocate(p);
    if (status == PC_OK)
        *passes = p;
    else
        free_passes(p);
    return status;
}

/* ---- What instructions look at --------------------------------------------------------------- */

static pc_status upload_base(pci_passes *p, uint32_t b)
{
    const pci_formula_base *base = &p->evaluation->base[b];
    pci_gpu_matrix *matrix = &p->base[b];
    if (matrix->row_start)
        return PC_OK;
    matrix->n_rows = base->n_rows;
    matrix->n_columns = base->n_columns;
    pc_status status =
        pci_gpu_upload(p->context, base->row_start, (base->n_rows + 1) * sizeof *base->row_start,
                       (void **)&matrix->row_start);
    if (status == PC_OK)
        status = pci_gpu_upload(p->context, base->column,
                                pci_base_n_entries(base) * sizeof *base->column,
                                (void **)&matrix->column);
    return status;
}

/* Copies values to the device, unless they are there or are ones. */
static pc_status upload_values(pci_passes *p, uint16_t number)
{
    const pci_evaluation *e = p->evaluation;
    if (number == PCI_NO_VALUES || !e->values[number] || p->values[number])
        return PC_OK;
    return pci_gpu_upload(p->context, e->values[number],
                          pci_evaluation_n_values(e, number) * pci_number_bytes(e->numbers),
                          &p->values[number]);
}

static pc_status prepare(pci_passes *p, const pci_instruction *made)
{
    const pci_evaluation *e = p->evaluation;
    const pci_formula *f = e->program->formula;
    pc_status status = PC_OK;
    if (made->matrix != PCI_NO_VALUES)
        status = upload_base(p, pci_formula_base_of(f, made->matrix));
    if (status == PC_OK && made->kind == PCI_MAKE_PICK)
        status = upload_base(p, pci_formula_base_of_factor(f, made->made));
    uint16_t given[] = {made->matrix, made->vector, made->scale, made->made};
    for (int i = 0; i < 4 && status == PC_OK; i++)
        status = upload_values(p, given[i]);
    return status;
}

static const void *values_of(const pci_passes *p, uint16_t number)
{
    return number == PCI_NO_VALUES ? NULL : p->values[number];
}

static void *register_of(const pci_passes *p, uint32_t number)
{
    return p->registers + number * p->register_bytes;
}

/* Puts the launches of an instruction into the stream; n_of[r]: vertices that register r has numbers for. */
static cudaError_t launch(pci_passes *p, const pci_gpu_lanes *lanes, const pci_instruction *made,
                          uint64_t *n_of)
{
    const pci_formula *f = p->evaluation->program->formula;
    void *to = register_of(p, made->to);
    const void *from = register_of(p, made->from);
    pci_gpu_summand summand = {.coefficient = made->coefficient,
                               .is_first = made->is_first,
                               .scale = values_of(p, made->scale),
                               .vector = values_of(p, made->vector),
                               .from = made->has_from ? from : NULL};
    pci_gpu_matrix matrix = {0};
    cudaError_t error = cudaSuccess;
    if (made->matrix != PCI_NO_VALUES)
        matrix = p->base[pci_formula_base_of(f, made->matrix)];
    matrix.value = values_of(p, made->matrix);
    switch ((pci_instruction_kind)made->kind) {
    case PCI_ALONG:
        n_of[made->to] = matrix.n_rows;
        return pci_gpu_pass_along(lanes, &matrix, from, to);
    case PCI_MULTIPLY:
        n_of[made->to] = n_of[made->from];
        return pci_gpu_pass_multiply(lanes, n_of[made->from], from, register_of(p, made->other),
                                     to);
    case PCI_ADD:
        n_of[made->to] = n_of[made->from];
        return pci_gpu_pass_add(lanes, n_of[made->from], &summand, to);
    case PCI_ADD_ARCS:
        if (made->is_first) {
            n_of[made->to] = matrix.n_columns;
            error = cudaMemsetAsync(
                to, 0, matrix.n_columns * lanes->n_lanes * pci_number_bytes(p->evaluation->numbers),
                p->stream);
        }
        return error == cudaSuccess ? pci_gpu_pass_add_arcs(lanes, &matrix, &summand, to) : error;
    case PCI_MAKE_TOTAL:
        if (matrix.row_start)
            return pci_gpu_pass_total_arcs(lanes, &matrix, &summand, p->values[made->made]);
        return pci_gpu_pass_total(lanes, n_of[made->from], summand.vector, from,
                                  p->values[made->made]);
    case PCI_MAKE_PICK:
        matrix = p->base[pci_formula_base_of_factor(f, made->made)];
        return pci_gpu_pass_pick(lanes, &matrix, from, p->values[made->made]);
    }
    return cudaErrorInvalidValue;
}

/* ---- Results --------------------------------------------------------------------------------- */

/* Waits for a piece and puts it where it belongs. */
static cudaError_t finish(const pci_passes *p, transfer *buffer)
{
    if (!buffer->to)
        return cudaSuccess;
    cudaError_t error = cudaEventSynchronize(buffer->arrived);
    int n_threads = pci_threads_for(p->context, (double)buffer->bytes / 8);
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (size_t at = 0; at < buffer->bytes; at += PART_BYTES)
        memcpy(buffer->to + at, (uint8_t *)buffer->host + at,
               buffer->bytes - at < PART_BYTES ? buffer->bytes - at : PART_BYTES);
    buffer->to = NULL;
    return error;
}

/* Copies rows to the host, piece by piece: while one is on its way, the one before is put where it belongs. */
static cudaError_t copy_rows(pci_passes *p, size_t n_bytes, const uint8_t *from, uint8_t *to)
{
    cudaError_t error = cudaSuccess;
    uint64_t n_pieces = 0;
    for (size_t at = 0; at < n_bytes && error == cudaSuccess; at += BUFFER_BYTES) {
        transfer *buffer = &p->buffer[n_pieces++ % N_BUFFERS];
        size_t bytes = n_bytes - at < BUFFER_BYTES ? n_bytes - at : BUFFER_BYTES;
        error = finish(p, buffer);
        if (error == cudaSuccess)
            error =
                cudaMemcpyAsync(buffer->host, from + at, bytes, cudaMemcpyDeviceToHost, p->stream);
        if (error == cudaSuccess)
            error = cudaEventRecord(buffer->arrived, p->stream);
        buffer->to = to + at;
        buffer->bytes = bytes;
    }
    for (int b = 0; b < N_BUFFERS; b++) {
        cudaError_t finished = finish(p, &p->buffer[(n_pieces + (uint64_t)b) % N_BUFFERS]);
        error = error == cudaSuccess ? finished : error;
    }
    return error;
}

/* Runs a pass for the sources of a block, which are on the host. */
static cudaError_t run_block(pci_passes *p, const pci_pass *pass, uint32_t n_sources, uint8_t *rows)
{
    const pci_evaluation *e = p->evaluation;
    const pci_program *program = e->program;
    uint64_t n_of[PCI_PROGRAM_REGISTERS] = {0};
    pci_gpu_lanes lanes = {.n_lanes =
                               (n_sources + PCI_PASS_LANES - 1) / PCI_PASS_LANES * PCI_PASS_LANES,
                           .n_sources = n_sources,
                           .source = p->source,
                           .is_wide = e->numbers == PCI_NUMBERS_128,
                           .stream = p->stream};
    cudaError_t error = cudaMemcpyAsync(p->source, p->sources_here, n_sources * sizeof *p->source,
                                        cudaMemcpyHostToDevice, p->stream);
    for (uint32_t i = pass->first; i < pass->first + pass->n && error == cudaSuccess; i++)
        error = launch(p, &lanes, &program->instruction[i], n_of);
    uint64_t n = rows ? n_of[program->result] : 0;
    uint8_t *made = register_of(p, program->n_registers);
    if (rows && error == cudaSuccess)
        error = pci_gpu_pass_rows(&lanes, n, program->formula->is_square,
                                  register_of(p, program->result), made);
    if (rows && error == cudaSuccess)
        error = copy_rows(p, n_sources * n * pci_number_bytes(e->numbers), made, rows);
    return error == cudaSuccess ? cudaStreamSynchronize(p->stream) : error;
}

static pc_status run(pci_passes *p, uint32_t number, uint64_t n, const uint64_t *source, void *rows)
{
    const pci_evaluation *e = p->evaluation;
    const pci_pass *pass = &e->program->pass[number];
    uint64_t row_bytes =
        e->base[e->program->formula->last_base].n_columns * pci_number_bytes(e->numbers);
    pc_status status = check(p, cudaSetDevice(p->device.index));
    for (uint32_t i = pass->first; i < pass->first + pass->n && status == PC_OK; i++)
        status = prepare(p, &e->program->instruction[i]);
    for (uint64_t first = 0; first < n && status == PC_OK; first += p->most_lanes) {
        uint64_t n_block = n - first < p->most_lanes ? n - first : p->most_lanes;
        for (uint64_t i = 0; i < n_block; i++)
            p->sources_here[i] = (uint32_t)(source ? source[first + i] : first + i);
        status = pci_progress(p->context, "paths", (double)first / (double)n);
        if (status == PC_OK)
            status = check(p, run_block(p, pass, (uint32_t)n_block,
                                        rows ? (uint8_t *)rows + first * row_bytes : NULL));
    }
    for (uint32_t i = pass->first; i < pass->first + pass->n && status == PC_OK; i++) {
        uint16_t made = e->program->instruction[i].made;
        if (made != PCI_NO_VALUES)
            status =
                check(p, cudaMemcpy(e->values[made], p->values[made],
                                    pci_evaluation_n_values(e, made) * pci_number_bytes(e->numbers),
                                    cudaMemcpyDeviceToHost));
    }
    return status;
}

const pci_pass_ops pci_gpu_passes = {.create = create, .free = free_passes, .run = run};
