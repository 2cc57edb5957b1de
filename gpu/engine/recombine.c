/* Everything that needs the residues of all parts: rows of integers on the host, words modulo a number, and residues
 * modulo further moduli.
 *
 * While the caller reads one block of rows, the next block is recombined and copied to page-locked
 * memory in a stream of its own. There are two page-locked buffers. The rows are lent from them to
 * the code that certifies and writes them. A block is a 32nd of the result, from 1 to 32 MiB
 * (src/engine/engine.h). With 4 MiB for every result the summary of 16384 vertices took half as
 * long again. */
#include "gpu/engine/part.h"

/* The residues modulo n_moduli whose digits are there, as kernels take them. narrow has room for the
 * addresses of a narrow base. Those of another base are copied to table on the device, in stream. */
static cudaError_t residues_in(const int8_t *(*digits)[3], uint32_t n_moduli,
                               const int8_t *narrow[PCI_N_NARROW], pci_gpu_pointers *table,
                               cudaStream_t stream, pci_gpu_residues *residues)
{
    if (n_moduli <= PCI_N_NARROW) {
        for (uint32_t i = 0; i < n_moduli; i++)
            narrow[i] = digits[i][0];
        *residues = (pci_gpu_residues){.narrow = narrow};
        return cudaSuccess;
    }
    *residues = (pci_gpu_residues){.any = (const int8_t *const *)table};
    return cudaMemcpyAsync(table, digits, n_moduli * sizeof *digits, cudaMemcpyHostToDevice,
                           stream);
}

cudaError_t pci_gpu_residues_of(const pci_gpu_part *part, uint32_t n_moduli,
                                pci_gpu_digits_fn digits_of, size_t offset,
                                const int8_t *narrow[PCI_N_NARROW], pci_gpu_pointers *table,
                                cudaStream_t stream, pci_gpu_residues *residues)
{
    const int8_t *digits[PCI_N_NOT_FULL][3];
    const pci_gpu_parts *parts = part->parts;
    for (uint32_t i = 0; i < n_moduli; i++) {
        int8_t *digit[3];
        digits_of(parts->part[i % parts->n], i / parts->n, digit);
        for (uint32_t d = 0; d < 3; d++)
            digits[i][d] = digit[d] ? digit[d] + offset : NULL;
    }
    return residues_in(digits, n_moduli, narrow, table, stream, residues);
}

/* ---- Rows of integers ------------------------------------------------------------------------ */

/* Tables for integers of n_limbs words, unless they are there. */
static pc_status prepare_tables(pci_gpu_part *part, uint32_t n_limbs)
{
    pci_gpu_collector *c = &part->collector;
    uint32_t n_moduli = pci_gpu_n_all_moduli(part);
    if (!n_moduli || c->n_limbs == n_limbs)
        return PC_OK;
    pci_gpu_recombination_free(part, &c->base);
    c->n_limbs = 0;
    pc_status status = pci_gpu_tables_digits(part->context, part->parts->moduli, n_moduli,
                                             2 * n_limbs, &c->base.host);
    if (status == PC_OK)
        status = pci_gpu_recombination_upload(part, &c->base);
    if (status == PC_OK)
        c->n_limbs = n_limbs;
    return status;
}

static pc_status prepare_buffers(pci_gpu_part *part, uint64_t n_words)
{
    pci_gpu_collector *c = &part->collector;
    cudaError_t error = cudaSuccess;
    if (n_words <= c->buffer_words)
        return PC_OK;
    c->buffer_words = 0;
    for (int b = 0; b < PCI_GPU_BUFFERS && error == cudaSuccess; b++) {
        pci_gpu_buffer *buffer = &c->buffer[b];
        cudaFree(buffer->device);
        cudaFree(buffer->residues);
        cudaFreeHost(buffer->host);
        *buffer = (pci_gpu_buffer){.stream = buffer->stream, .table = buffer->table};
        if (!buffer->stream)
            error = cudaStreamCreateWithFlags(&buffer->stream, cudaStreamNonBlocking);
        if (error == cudaSuccess && !buffer->table)
            error = cudaMalloc((void **)&buffer->table,
                               (pci_gpu_n_all_moduli(part) + 1) * sizeof *buffer->table);
        if (error == cudaSuccess)
            error = cudaMalloc((void **)&buffer->device,
                               pci_gpu_odd_bytes(n_words * sizeof *buffer->device));
    }
    if (error == cudaSuccess)
        c->buffer_words = n_words;
    return pci_gpu_check(part->context, error, "memory for a block of rows");
}

pc_status pci_gpu_part_prepare_rows(pci_gpu_part *part, uint32_t n_limbs, uint64_t n_words)
{
    pc_status status =
        pci_gpu_check(part->context, cudaSetDevice(part->device.index), "choosing the device");
    if (status == PC_OK)
        status = prepare_tables(part, n_limbs);
    return status == PC_OK ? prepare_buffers(part, n_words) : status;
}

/* The residues of rows. Those of planes that are on the host are copied to the buffer first. */
static cudaError_t residues_for(const pci_gpu_part *part, pci_gpu_buffer *buffer, size_t pitch,
                                uint64_t first_row, uint64_t n_rows,
                                const int8_t *narrow[PCI_N_NARROW], cudaStream_t stream,
                                pci_gpu_residues *residues)
{
    const pci_gpu_parts *parts = part->parts;
    size_t bytes = n_rows * pitch;
    cudaError_t error = cudaSuccess;
    if (!parts->on_host)
        return pci_gpu_residues_of(part, pci_gpu_n_all_moduli(part), pci_gpu_digits_of,
                                   first_row * part->layout.n_padded, narrow, buffer->table, stream,
                                   residues);
    *residues = (pci_gpu_residues){.narrow = narrow};
    if (!buffer->residues) /* the first block is the largest */
        error = cudaMalloc((void **)&buffer->residues, parts->n_on_host * bytes);
    for (uint32_t i = 0; i < parts->n_on_host && error == cudaSuccess; i++) {
        error = cudaMemcpyAsync(buffer->residues + i * bytes, parts->on_host[i] + first_row * pitch,
                                bytes, cudaMemcpyHostToDevice, buffer->stream);
        narrow[i] = buffer->residues + i * bytes;
    }
    return error;
}

/* In a given stream. */
static cudaError_t make_rows(const pci_gpu_part *part, pci_gpu_buffer *buffer, uint64_t first_row,
                             const uint32_t *rows, uint64_t n_rows, uint32_t n_limbs,
                             uint64_t *limbs, cudaStream_t stream)
{
    pci_gpu_layout layout = pci_gpu_layout_of(part->parts->n_rows);
    if (!part->parts->on_host) /* else planes have the pitch of their own rows */
        layout.n_padded = part->layout.n_padded;
    if (!pci_gpu_n_all_moduli(part))
        return pci_gpu_collect_plain(
            &layout, pci_gpu_slot_plane(part, part->slot[0]) + first_row * part->layout.n_padded,
            n_rows, n_limbs, limbs, stream);
    const pci_gpu_recombination *r = &part->collector.base;
    const int8_t *narrow[PCI_N_NARROW];
    pci_gpu_residues residues;
    cudaError_t error =
        residues_for(part, buffer, layout.n_padded, first_row, n_rows, narrow, stream, &residues);
    if (error != cudaSuccess)
        return error;
    residues.rows = rows;
    bool by_mma =
        r->crt.r >= PCI_COLLECT_MMA_LEAST && pci_gpu_can_collect_mma(r->crt.r, 2 * n_limbs);
    return (by_mma ? pci_gpu_collect_mma : pci_gpu_collect)(
        &layout, &r->crt, r->weight, r->modulus, 2 * n_limbs, residues, n_rows, limbs, stream);
}

cudaError_t pci_gpu_part_make_rows(const pci_gpu_part *part, pci_gpu_buffer *buffer,
                                   uint64_t first_row, const uint32_t *rows, uint64_t n_rows,
                                   uint32_t n_limbs)
{
    return make_rows(part, buffer, first_row, rows, n_rows, n_limbs, buffer->device,
                     buffer->stream);
}

/* Page-locked memory takes long to get: only rows that leave the device need it. */
pc_status pci_gpu_part_collect_start(pci_gpu_part *part, uint64_t first_row, uint64_t n_rows,
                                     uint32_t n_limbs, int b)
{
    pci_gpu_buffer *buffer = &part->collector.buffer[b];
    uint64_t n_words = n_rows * part->parts->n_rows * n_limbs;
    cudaError_t error = cudaSuccess;
    if (buffer->n_rows == n_rows && buffer->first_row == first_row)
        return PC_OK;
    pc_status status = pci_gpu_part_prepare_rows(part, n_limbs, n_words);
    if (status != PC_OK)
        return status;
    buffer->first_row = first_row;
    buffer->n_rows = n_rows;
    if (!buffer->host)
        error = cudaHostAlloc((void **)&buffer->host,
                              part->collector.buffer_words * sizeof *buffer->host,
                              cudaHostAllocDefault);
    if (error == cudaSuccess)
        error = pci_gpu_part_make_rows(part, buffer, first_row, NULL, n_rows, n_limbs);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(buffer->host, buffer->device, n_words * sizeof *buffer->host,
                                cudaMemcpyDeviceToHost, buffer->stream);
    return pci_gpu_check(part->context, error, "collecting rows");
}

pc_status pci_gpu_part_collect_finish(pci_gpu_part *part, int buffer, const uint64_t **limbs)
{
    const pci_gpu_buffer *from = &part->collector.buffer[buffer];
    *limbs = from->host;
    return pci_gpu_check(part->context, cudaStreamSynchronize(from->stream), "collecting rows");
}

pc_status pci_gpu_part_collect_device(pci_gpu_part *part, uint32_t n_limbs, uint64_t *limbs)
{
    pc_status status = prepare_tables(part, n_limbs);
    if (status == PC_OK)
        status = prepare_buffers(part, 1);
    return status == PC_OK
               ? pci_gpu_finish(part,
                                make_rows(part, &part->collector.buffer[0], 0, NULL,
                                          part->parts->n_rows, n_limbs, limbs, part->stream),
                                "collecting rows")
               : status;
}

/* ---- Words modulo a number ------------------------------------------------------------------- */

/* For the host, or as the P that the next level begins with. Every part makes the words of all rows, each from the planes
 * of all parts, and keeps the residues for its own moduli. The words of a block are whole in every part before any part
 * overwrites these rows of its planes. */

pc_status pci_gpu_words_begin(pci_gpu_part *part, uint64_t number, pci_gpu_words *words)
{
    uint64_t n = part->graph->n;
    *words = (pci_gpu_words){.number = number, .n_block = pci_gpu_words_rows(n)};
    pc_status status = pci_gpu_tables_modular(
        part->context, part->parts->moduli, pci_gpu_n_all_moduli(part), number, &words->base.host);
    if (status == PC_OK)
        status = pci_gpu_recombination_upload(part, &words->base);
    if (status == PC_OK)
        status = pci_gpu_check(
            part->context,
            cudaMalloc((void **)&words->block, words->n_block * n * sizeof *words->block),
            "memory for words");
    return status;
}

void pci_gpu_words_end(const pci_gpu_part *part, pci_gpu_words *words)
{
    cudaFree(words->block);
    pci_gpu_recombination_free(part, &words->base);
    *words = (pci_gpu_words){0};
}

pc_status pci_gpu_words_make(pci_gpu_part *part, const pci_gpu_words *words, uint64_t first_row,
                             uint64_t n_rows)
{
    const int8_t *narrow[PCI_N_NARROW];
    const pci_gpu_recombination *r = &words->base;
    const uint64_t *modulus = pci_gpu_tables_modulus(&r->host, r->host.block);
    pci_gpu_residues residues;
    cudaError_t error =
        pci_gpu_residues_of(part, r->crt.r, pci_gpu_digits_of, first_row * part->layout.n_padded,
                            narrow, r->table, part->stream, &residues);
    if (error == cudaSuccess)
        error = pci_gpu_collect_modular(&part->layout, &r->crt, r->weight, *modulus, words->number,
                                        residues, n_rows, words->block, part->stream);
    return pci_gpu_finish(part, error, "making words");
}

pc_status pci_gpu_words_split(pci_gpu_part *part, const pci_gpu_words *words, uint64_t first_row,
                              uint64_t n_rows)
{
    return pci_gpu_finish(part, pci_gpu_split_rows(part, words->block, first_row, n_rows),
                          "splitting words into residues");
}

pc_status pci_gpu_part_collect_modular(pci_gpu_part *part, uint64_t modulus, uint64_t *words)
{
    uint64_t n = part->graph->n;
    pci_gpu_words made;
    pc_status status = pci_gpu_words_begin(part, modulus, &made);
    for (uint64_t first = 0; first < n && status == PC_OK; first += made.n_block) {
        uint64_t n_rows = n - first < made.n_block ? n - first : made.n_block;
        status = pci_gpu_words_make(part, &made, first, n_rows);
        if (status == PC_OK)
            status = pci_gpu_check(part->context,
                                   cudaMemcpy(words + first * n, made.block,
                                              n_rows * n * sizeof *words, cudaMemcpyDeviceToHost),
                                   "collecting words");
    }
    pci_gpu_words_end(part, &made);
    return status;
}

/* ---- Base extension: residues modulo further moduli ------------------------------------------ */

/* A GPU reads the residues of the others from their memory. Where there are wide moduli among the new ones, two kernels
 * read them, and that of wide ones in pieces of 32 bytes: at 340 and 210 GB/s on two H200s, which took as long as on one
 * GPU the whole extension. So rows of the others' planes are then copied to free slots first, a piece while the piece before
 * is used. That takes pieces of some megabytes; narrow moduli alone gain nothing by it. */

enum { COPIES = 2, LEAST_PIECE_BYTES = 4 << 20 /* copied at 170 GB/s; 14 MB at 270 */ };

typedef struct extension {
    pci_gpu_recombination base;
    uint32_t n_new;
    pci_gpu_extension out[PCI_N_NOT_FULL]; /* of the rows that come next */
} extension;

/* Makes the next n_rows rows of the new planes. */
static cudaError_t extend_rows(const pci_gpu_part *part, extension *e, pci_gpu_residues residues,
                               uint64_t n_rows)
{
    const pci_gpu_recombination *r = &e->base;
    cudaError_t error = (pci_gpu_can_extend_mma(r->crt.r) ? pci_gpu_extend_mma : pci_gpu_extend)(
        &part->layout, &r->crt, r->weight, r->modulus, residues, n_rows, e->n_new, e->out,
        part->stream);
    for (uint32_t c = 0; c < e->n_new; c++)
        for (uint32_t d = 0; d < 3; d++)
            if (e->out[c].digit[d])
                e->out[c].digit[d] += n_rows * part->layout.n_padded;
    return error;
}

static bool is_own(const pci_gpu_part *part, uint32_t modulus)
{
    return part->parts->part[modulus % part->parts->n] == part;
}

/* Rows of the other parts' digits that fit into a slot; 0 where they need not be copied, or cannot. */
static uint64_t find_piece(const pci_gpu_part *part, const extension *e)
{
    uint32_t n_digits = 0, n_free = 0;
    bool has_wide = false;
    for (uint32_t i = 0; i < e->base.crt.r; i++)
        n_digits += is_own(part, i) ? 0 : pci_modulus_is_wide(i) ? 2 : 1;
    for (uint32_t s = 0; s < part->needs.n_slots; s++)
        n_free += !part->slot_is_taken[s];
    for (uint32_t c = 0; c < e->n_new; c++)
        has_wide |= e->out[c].to.wide;
    uint64_t n_rows = n_digits ? part->layout.n_padded / n_digits : 0;
    return has_wide && n_free >= COPIES && n_rows * part->layout.n_padded >= LEAST_PIECE_BYTES
               ? n_rows
               : 0;
}

/* A slot for rows of the other parts' planes. */
typedef struct row_copy {
    uint32_t slot;
    cudaEvent_t is_filled, is_used;
} row_copy;

/* Lists the digits of all old moduli from row first_row on, those of the other parts in a copy, and starts to fill it. */
static cudaError_t fill_copy(const pci_gpu_part *part, const extension *e, const row_copy *copy,
                             cudaStream_t stream, uint64_t first_row, uint64_t n_rows,
                             const int8_t *digits[][3])
{
    size_t offset = first_row * part->layout.n_padded, bytes = n_rows * part->layout.n_padded;
    int8_t *to = pci_gpu_slot_plane(part, copy->slot);
    cudaError_t error = cudaStreamWaitEvent(stream, copy->is_used, 0);
    for (uint32_t i = 0; i < e->base.crt.r; i++) {
        int8_t *digit[3];
        pci_gpu_digits_of(part->parts->part[i % part->parts->n], i / part->parts->n, digit);
        for (uint32_t d = 0; d < 3; d++) {
            bool is_read = digit[d] && d < 2; /* the third digit is the sum of the others */
            digits[i][d] = is_read ? digit[d] + offset : NULL;
            if (!is_read || is_own(part, i) || error != cudaSuccess)
                continue;
            error = cudaMemcpyAsync(to, digits[i][d], bytes, cudaMemcpyDefault, stream);
            digits[i][d] = to;
            to += bytes;
        }
    }
    return error == cudaSuccess ? cudaEventRecord(copy->is_filled, stream) : error;
}

static cudaError_t extend_pieces(pci_gpu_part *part, extension *e, uint64_t n_piece)
{
    const int8_t *digits[PCI_N_NOT_FULL][3], *narrow[PCI_N_NARROW];
    pci_gpu_residues residues;
    row_copy copies[COPIES] = {0};
    cudaStream_t stream = NULL;
    uint64_t n = part->graph->n;
    cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (uint32_t b = 0; b < COPIES; b++) {
        copies[b].slot = pci_gpu_slot_take(part);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&copies[b].is_filled, cudaEventDisableTiming);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&copies[b].is_used, cudaEventDisableTiming);
    }
    for (uint64_t at = 0; at < n && error == cudaSuccess; at += n_piece) {
        const row_copy *copy = &copies[at / n_piece % COPIES];
        uint64_t n_rows = n - at < n_piece ? n - at : n_piece;
        error = fill_copy(part, e, copy, stream, at, n_rows, digits);
        if (error == cudaSuccess)
            error = cudaStreamWaitEvent(part->stream, copy->is_filled, 0);
        if (error == cudaSuccess)
            error =
                residues_in(digits, e->base.crt.r, narrow, e->base.table, part->stream, &residues);
        if (error == cudaSuccess)
            error = extend_rows(part, e, residues, n_rows);
        if (error == cudaSuccess)
            error = cudaEventRecord(copy->is_used, part->stream);
    }
    for (uint32_t b = 0; b < COPIES; b++) {
        if (error == cudaSuccess) /* free slots have zeros in the padding of their planes */
            error = cudaMemsetAsync(pci_gpu_slot_plane(part, copies[b].slot), 0,
                                    part->layout.plane_bytes, part->stream);
        pci_gpu_slot_free(part, copies[b].slot);
        if (copies[b].is_filled)
            cudaEventDestroy(copies[b].is_filled);
        if (copies[b].is_used)
            cudaEventDestroy(copies[b].is_used);
    }
    if (stream)
        cudaStreamDestroy(stream);
    return error;
}

pc_status pci_gpu_part_extend(pci_gpu_part *part, uint32_t n_own)
{
    uint32_t n_old = part->parts->n_old, n_new = n_own - part->n_moduli, n = part->n_planes;
    extension e = {.n_new = n_new};
    pci_moduli list = *part->parts->moduli; /* the first n_old, then the new ones of the part */
    if (n_own <= part->n_moduli)
        return PC_OK;
    for (uint32_t c = 0; c < n_new; c++)
        list.m[n_old + c] = part->moduli.m[part->n_moduli + c];
    pc_status status = pci_gpu_tables_extension(part->context, &list, n_old, n_new, &e.base.host);
    if (status == PC_OK)
        status = pci_gpu_recombination_upload(part, &e.base);
    if (status == PC_OK) {
        const int8_t *narrow[PCI_N_NARROW];
        pci_gpu_residues residues;
        cudaError_t error;
        for (uint32_t c = 0; c < n_new; c++) {
            e.out[c].to = pci_gpu_modulus_of(part, n_own, part->n_moduli + c);
            pci_gpu_digits_take(part, n_own, part->n_moduli + c, &part->slot[n], e.out[c].digit);
            n += e.out[c].to.wide ? 3 : 1;
        }
        uint64_t n_piece = find_piece(part, &e);
        if (n_piece) {
            error = extend_pieces(part, &e, n_piece);
        } else {
            error = pci_gpu_residues_of(part, n_old, pci_gpu_digits_of, 0, narrow, e.base.table,
                                        part->stream, &residues);
            if (error == cudaSuccess)
                error = extend_rows(part, &e, residues, part->graph->n);
        }
        part->n_planes = n;
        part->n_moduli = n_own;
        status = pci_gpu_finish(part, error, "extending residues");
    }
    pci_gpu_recombination_free(part, &e.base);
    return status;
}
