/* Gathering, packing in slices, writing. */
#include "io/packed_output.h"

#include <string.h>

enum { SLICE_BYTES = 1 << 20 };

pc_status pci_packed_output_open(pc_context *context, const char *path, pci_packing packing,
                                 pci_packed_output *made)
{
    *made = (pci_packed_output){.context = context, .path = path};
    pc_status status = pci_packer_open(context, packing, &made->packer);
    return status == PC_OK ? pc_output_open(context, path, &made->output) : status;
}

void pci_packed_output_free(pci_packed_output *to)
{
    pc_output_free(to->output);
    if (to->context)
        pci_free(to->context, to->text);
    *to = (pci_packed_output){0};
}

/* Makes room for n_bytes more. */
static pc_status reserve(pci_packed_output *to, size_t n_bytes)
{
    if (n_bytes <= to->room_bytes - to->n_bytes)
        return PC_OK;
    size_t room_bytes = 2 * (to->n_bytes + n_bytes);
    char *text = pci_alloc(to->context, room_bytes);
    if (!text)
        return pci_fail_memory(to->context, "text to be packed", room_bytes);
    if (to->n_bytes > 0)
        memcpy(text, to->text, to->n_bytes);
    pci_free(to->context, to->text);
    to->text = text;
    to->room_bytes = room_bytes;
    return PC_OK;
}

pc_status pci_packed_output_write(pci_packed_output *to, const void *bytes, size_t n_bytes)
{
    if (!pci_packed_output_packs(to))
        return pc_output_write(to->output, bytes, n_bytes);
    pc_status status = n_bytes > 0 ? reserve(to, n_bytes) : PC_OK;
    if (status == PC_OK && n_bytes > 0) {
        memcpy(to->text + to->n_bytes, bytes, n_bytes);
        to->n_bytes += n_bytes;
    }
    return status;
}

static void pack_slice(void *user, pc_piece *piece)
{
    const pci_packed_output *to = user;
    size_t at = piece->first * SLICE_BYTES, left = to->n_bytes - at;
    piece->status = pci_pack(&to->packer, to->text + at, left < SLICE_BYTES ? left : SLICE_BYTES,
                             piece->room, &piece->n_bytes);
}

static pc_status write_slice(void *user, const pc_piece *piece)
{
    const pci_packed_output *to = user;
    if (piece->status != PC_OK)
        return pci_fail(to->context, piece->status, "cannot pack '%s': %s", to->path,
                        pc_status_text(piece->status));
    return pc_output_write(to->output, piece->text, piece->n_bytes);
}

static pc_status pack_slices(pci_packed_output *to, size_t n_slices)
{
    pc_pieces pieces = {.n_items = n_slices,
                        .piece_items = 1,
                        .piece_bytes = pci_pack_bound(SLICE_BYTES),
                        .make = pack_slice,
                        .put = write_slice,
                        .user = to};
    pc_status status = pc_pieces_put(to->context, &pieces);
    size_t n_packed = n_slices * SLICE_BYTES;
    n_packed = n_packed < to->n_bytes ? n_packed : to->n_bytes;
    if (status == PC_OK && n_packed > 0) {
        memmove(to->text, to->text + n_packed, to->n_bytes - n_packed);
        to->n_bytes -= n_packed;
    }
    return status;
}

pc_status pci_packed_output_advance(pci_packed_output *to)
{
    size_t n_slices = to->n_bytes / SLICE_BYTES;
    return n_slices >= (size_t)pci_n_threads(to->context) ? pack_slices(to, n_slices) : PC_OK;
}

pc_status pci_packed_output_finish(pci_packed_output *to)
{
    return pack_slices(to, (to->n_bytes + SLICE_BYTES - 1) / SLICE_BYTES);
}
