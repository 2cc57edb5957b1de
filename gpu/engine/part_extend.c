/* Base extension of a part: residues modulo further moduli, from those of all parts.
 *
 * A GPU reads the residues of the others from their memory. Where there are wide moduli among the new ones, two kernels
 * read them, and that of wide ones in pieces of 32 bytes: at 340 and 210 GB/s on two H200s, which took as long as on one
 * GPU the whole extension. So rows of the others' planes are then copied to free slots first, a piece while the piece before
 * is used. That takes pieces of some megabytes; narrow moduli alone gain nothing by it. */
#include "gpu/engine/part.h"

#include "gpu/engine/mma_lines.h"

enum { BUFFERS = 2, LEAST_PIECE_BYTES = 4 << 20 /* copied at 170 GB/s; 14 MB at 270 */ };

typedef struct extension {
    const pci_gpu_tables *tables;
    pci_gpu_recombination on_device;
    uint32_t n_old, n_new;
    pci_gpu_extension out[PCI_N_NOT_FULL]; /* of the rows that come next */
} extension;

/* The first n_old moduli of the run, then the new ones of the part. */
static pci_moduli base_and_own(const pci_gpu_part *part, uint32_t n_old, uint32_t n_new)
{
    pci_moduli list = *part->parts->moduli;
    for (uint32_t c = 0; c < n_new; c++)
        list.m[n_old + c] = part->moduli.m[part->n_moduli + c];
    return list;
}

/* Makes the next n_rows rows of the new planes. */
static cudaError_t extend_rows(const pci_gpu_part *part, extension *e, pci_gpu_residues residues,
                               uint64_t n_rows)
{
    pci_gpu_crt crt = {e->n_old, pci_gpu_tables_fraction(e->on_device.tables)};
    cudaError_t error = (pci_gpu_can_extend_mma(e->n_old) ? pci_gpu_extend_mma : pci_gpu_extend)(
        &part->layout, &crt, pci_gpu_tables_weight(e->tables, e->on_device.tables),
        pci_gpu_tables_modulus(e->tables, e->on_device.tables), residues, n_rows, e->n_new, e->out,
        part->stream);
    for (uint32_t c = 0; c < e->n_new; c++)
        for (uint32_t d = 0; d < 3; d++)
            if (e->out[c].digit[d])
                e->out[c].digit[d] += n_rows * part->layout.n_padded;
    return error;
}

static cudaError_t extend_all(const pci_gpu_part *part, extension *e)
{
    const int8_t *narrow[PCI_N_NARROW];
    pci_gpu_residues residues;
    cudaError_t error =
        pci_gpu_residues_at(part, e->n_old, 0, narrow, e->on_device.table, part->stream, &residues);
    return error == cudaSuccess ? extend_rows(part, e, residues, part->graph->n) : error;
}

/* ---- Copies of rows of the other parts ------------------------------------------------------- */

typedef struct copies {
    cudaStream_t stream;
    uint64_t n_piece; /* rows */
    struct {
        uint32_t slot;
        cudaEvent_t is_filled, is_used;
    } buffer[BUFFERS];
} copies;

static bool is_own(const pci_gpu_part *part, uint32_t modulus)
{
    return part->parts->part[modulus % part->parts->n] == part;
}

/* Rows of the other parts' digits that fit into a slot; 0 where they need not be copied, or cannot. */
static uint64_t find_piece(const pci_gpu_part *part, const extension *e)
{
    uint32_t n_digits = 0, n_free = 0;
    bool has_wide = false;
    for (uint32_t i = 0; i < e->n_old; i++)
        n_digits += is_own(part, i) ? 0 : pci_modulus_is_wide(i) ? 2 : 1;
    for (uint32_t s = 0; s < part->needs.n_slots; s++)
        n_free += !part->slot_is_taken[s];
    for (uint32_t c = 0; c < e->n_new; c++)
        has_wide |= e->out[c].to.wide;
    uint64_t n_rows = n_digits ? part->layout.n_padded / n_digits : 0;
    return has_wide && n_free >= BUFFERS && n_rows * part->layout.n_padded >= LEAST_PIECE_BYTES
               ? n_rows
               : 0;
}

/* Lists the digits of all old moduli from row first_row on, those of the other parts in a buffer, and starts to fill it. */
static cudaError_t fill_buffer(const pci_gpu_part *part, const extension *e, const copies *c,
                               uint32_t b, uint64_t first_row, uint64_t n_rows,
                               const int8_t *digits[][3])
{
    size_t offset = first_row * part->layout.n_padded, bytes = n_rows * part->layout.n_padded;
    int8_t *to = pci_gpu_slot_plane(part, c->buffer[b].slot);
    cudaError_t error = cudaStreamWaitEvent(c->stream, c->buffer[b].is_used, 0);
    for (uint32_t i = 0; i < e->n_old; i++) {
        int8_t *digit[3];
        pci_gpu_digits_of(part->parts->part[i % part->parts->n], i / part->parts->n, digit);
        for (uint32_t d = 0; d < 3; d++) {
            bool is_read = digit[d] && d < 2; /* the third digit is the sum of the others */
            digits[i][d] = is_read ? digit[d] + offset : NULL;
            if (!is_read || is_own(part, i) || error != cudaSuccess)
                continue;
            error = cudaMemcpyAsync(to, digits[i][d], bytes, cudaMemcpyDefault, c->stream);
            digits[i][d] = to;
            to += bytes;
        }
    }
    return error == cudaSuccess ? cudaEventRecord(c->buffer[b].is_filled, c->stream) : error;
}

static cudaError_t extend_pieces(const pci_gpu_part *part, extension *e, const copies *c)
{
    const int8_t *digits[PCI_N_NOT_FULL][3], *narrow[PCI_N_NARROW];
    pci_gpu_residues residues;
    uint64_t n = part->graph->n;
    cudaError_t error = cudaSuccess;
    for (uint64_t at = 0; at < n && error == cudaSuccess; at += c->n_piece) {
        uint32_t b = at / c->n_piece % BUFFERS;
        uint64_t n_rows = n - at < c->n_piece ? n - at : c->n_piece;
        error = fill_buffer(part, e, c, b, at, n_rows, digits);
        if (error == cudaSuccess)
            error = cudaStreamWaitEvent(part->stream, c->buffer[b].is_filled, 0);
        if (error == cudaSuccess)
            error = pci_gpu_residues_in(digits, e->n_old, narrow, e->on_device.table, part->stream,
                                        &residues);
        if (error == cudaSuccess)
            error = extend_rows(part, e, residues, n_rows);
        if (error == cudaSuccess)
            error = cudaEventRecord(c->buffer[b].is_used, part->stream);
    }
    return error;
}

static cudaError_t begin_copies(pci_gpu_part *part, copies *c)
{
    cudaError_t error = cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking);
    for (uint32_t b = 0; b < BUFFERS; b++) {
        c->buffer[b].slot = pci_gpu_slot_take(part);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&c->buffer[b].is_filled, cudaEventDisableTiming);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&c->buffer[b].is_used, cudaEventDisableTiming);
    }
    return error;
}

/* Free slots have zeros in the padding of their planes. */
static cudaError_t end_copies(pci_gpu_part *part, copies *c, cudaError_t error)
{
    for (uint32_t b = 0; b < BUFFERS; b++) {
        if (error == cudaSuccess)
            error = cudaMemsetAsync(pci_gpu_slot_plane(part, c->buffer[b].slot), 0,
                                    part->layout.plane_bytes, part->stream);
        pci_gpu_slot_free(part, c->buffer[b].slot);
        if (c->buffer[b].is_filled)
            cudaEventDestroy(c->buffer[b].is_filled);
        if (c->buffer[b].is_used)
            cudaEventDestroy(c->buffer[b].is_used);
    }
    if (c->stream)
        cudaStreamDestroy(c->stream);
    return error;
}

/* ---- The whole extension --------------------------------------------------------------------- */

static cudaError_t extend(pci_gpu_part *part, extension *e)
{
    copies c = {.n_piece = find_piece(part, e)};
    if (!c.n_piece)
        return extend_all(part, e);
    cudaError_t error = begin_copies(part, &c);
    if (error == cudaSuccess)
        error = extend_pieces(part, e, &c);
    return end_copies(part, &c, error);
}

static pc_status extend_with(pci_gpu_part *part, const pci_gpu_tables *tables, uint32_t n_old,
                             uint32_t n_new)
{
    uint32_t n_own = part->n_moduli + n_new, n = part->n_planes;
    extension e = {.tables = tables, .n_old = n_old, .n_new = n_new};
    pc_status status = pci_gpu_recombination_make(part, tables, n_old, &e.on_device);
    if (status != PC_OK)
        goto done;
    for (uint32_t c = 0; c < n_new; c++) {
        e.out[c].to = pci_gpu_modulus_of(part, n_own, part->n_moduli + c);
        pci_gpu_digits_take(part, n_own, part->n_moduli + c, &part->slot[n], e.out[c].digit);
        n += e.out[c].to.wide ? 3 : 1;
    }
    cudaError_t error = extend(part, &e);
    part->n_planes = n;
    part->n_moduli = n_own;
    status = pci_gpu_check(part->context, error, "extending residues");
    if (status == PC_OK)
        status = pci_gpu_wait(part, "extending residues");
done:
    pci_gpu_recombination_free(&e.on_device);
    return status;
}

pc_status pci_gpu_part_extend(pci_gpu_part *part, uint32_t n_own)
{
    pci_gpu_tables tables = {0};
    uint32_t n_old = part->parts->n_old;
    if (n_own <= part->n_moduli)
        return PC_OK;
    uint32_t n_new = n_own - part->n_moduli;
    pci_moduli list = base_and_own(part, n_old, n_new);
    pc_status status = pci_gpu_tables_extension(part->context, &list, n_old, n_new, &tables);
    if (status == PC_OK)
        status = extend_with(part, &tables, n_old, n_new);
    pci_gpu_tables_free(part->context, &tables);
    return status;
}
