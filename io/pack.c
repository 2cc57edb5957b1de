/* Pieces of text that several threads make, packing by libdeflate and libzstd, and files with a
 * buffer. */
#include "io/output.h"

#include "graphs/sort.h"
#include "io/input.h"
#include "src/core/number.h"

#include <libdeflate.h>
#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <zstd.h>

enum {
    ALIGNMENT = 64,
    LEVEL = 1, /* digits hardly repeat: higher levels take 3 times as long for 5% less */
    SLICE_BYTES = 1 << 20
};

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* The order of pieces. A thread whose piece is not the next one sleeps: on a busy machine a
 * spinning thread would keep the one that passes its piece on from running. */
typedef struct order {
    pthread_mutex_t lock;
    pthread_cond_t advanced;
    uint64_t next; /* piece to be passed on */
    pc_status status;
} order;

/* Makes piece number p, and passes it on when it is the next one. */
static void make_and_put(const pc_pieces *pieces, uint64_t p, char *room, order *order)
{
    uint64_t first = p * pieces->piece_items, left = pieces->n_items - first;
    uint64_t n_items = left < pieces->piece_items ? left : pieces->piece_items;
    pc_piece piece = {.first = first, .end = first + n_items, .room = room, .text = room};
    pthread_mutex_lock(&order->lock);
    bool has_failed = order->status != PC_OK;
    pthread_mutex_unlock(&order->lock);
    if (!has_failed)
        pieces->make(pieces->user, &piece);
    pthread_mutex_lock(&order->lock);
    while (order->next != p)
        pthread_cond_wait(&order->advanced, &order->lock);
    if (order->status == PC_OK)
        order->status = pieces->put(pieces->user, &piece);
    order->next++;
    pthread_cond_broadcast(&order->advanced);
    pthread_mutex_unlock(&order->lock);
}

/* The number of threads does not change which items a piece has. Pieces are begun in order, so
 * the next one to be passed on has always been begun. */
pc_status pc_pieces_put(pc_context *context, const pc_pieces *pieces)
{
    if (!context || !pieces || !pieces->make || !pieces->put)
        return pci_fail_null(context, "pieces, make or put");
    if (pieces->n_items == 0)
        return PC_OK;
    if (pieces->piece_items == 0)
        return pci_fail(context, PC_ERR_ARGUMENT, "pieces of no items");
    uint64_t n_pieces = (pieces->n_items - 1) / pieces->piece_items + 1;
    uint64_t n_threads = n_pieces == 1 ? 1 : (uint64_t)pci_n_threads(context);
    size_t room_bytes = (pieces->piece_bytes + ALIGNMENT - 1) & -(size_t)ALIGNMENT;
    char *rooms = pci_alloc(context, n_threads * room_bytes);
    if (!rooms)
        return pci_fail_memory(context, "text", n_threads * room_bytes);
    order order = {.lock = PTHREAD_MUTEX_INITIALIZER, .advanced = PTHREAD_COND_INITIALIZER};
    if (n_threads == 1) { /* a region of one thread would end the others (pci_threads_for) */
        for (uint64_t p = 0; p < n_pieces; p++)
            make_and_put(pieces, p, rooms, &order);
    } else {
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads((int)n_threads)
        for (uint64_t p = 0; p < n_pieces; p++)
            make_and_put(pieces, p, rooms + (size_t)omp_get_thread_num() * room_bytes, &order);
    }
    pci_free(context, rooms);
    return order.status;
}

/* ---- Packing --------------------------------------------------------------------------------- */

const pc_file_format *pci_written_format(const char *path, pci_packing *packing)
{
    size_t stem, length = strlen(path);
    const pc_file_format *format = pc_file_format_of(path, &stem);
    bool is_gzip = length > 3 && pci_equal_any_case(path + length - 3, ".gz", 3);
    bool is_zstd = length > 4 && pci_equal_any_case(path + length - 4, ".zst", 4);
    *packing = is_gzip ? PCI_PACK_GZIP : is_zstd ? PCI_PACK_ZSTD : PCI_PACK_NONE;
    if (!format || stem == 0 || (*packing != PCI_PACK_NONE && format->is_archive))
        return NULL;
    size_t packing_bytes = is_gzip ? 3 : is_zstd ? 4 : 0;
    return stem + strlen(format->ending) + packing_bytes == length ? format : NULL;
}

/* Bytes that suffice for any n_bytes packed. */
static size_t pack_bound(size_t n_bytes)
{
    return n_bytes + n_bytes / 64 + 4096;
}

/* Opens the library that packs so. */
static pc_status open_packer(pc_context *context, pci_packing packing, pci_packer *packer)
{
    static const char *const names[][PCI_PACK_FUNCTIONS] = {
        [PCI_PACK_GZIP] = {"libdeflate_alloc_compressor", "libdeflate_gzip_compress",
                           "libdeflate_free_compressor"},
        [PCI_PACK_ZSTD] = {"ZSTD_createCCtx", "ZSTD_compress2", "ZSTD_freeCCtx",
                           "ZSTD_CCtx_setParameter", "ZSTD_isError"},
    };
    packer->packing = packing;
    if (packing == PCI_PACK_NONE)
        return PC_OK;
    bool is_gzip = packing == PCI_PACK_GZIP;
    return pci_library_find(context, is_gzip ? PCI_LIBDEFLATE : PCI_LIBZSTD,
                            is_gzip ? 3 : PCI_PACK_FUNCTIONS, names[packing], packer->function);
}

/* ---- Files ----------------------------------------------------------------------------------- */

pc_status pci_file_open(pc_context *context, const char *path, pci_packing packing, pci_file *file)
{
    *file = (pci_file){.context = context, .path = path};
    file->status = open_packer(context, packing, &file->packer);
    if (file->status == PC_OK)
        file->status = pc_output_open(context, path, &file->output);
    return file->status;
}

void pci_file_free(pci_file *file)
{
    pc_output_free(file->output);
    if (file->context)
        pci_free(file->context, file->text);
    *file = (pci_file){0};
}

/* Packs a slice, with a check sum of the content, as zstd itself adds it, so that a reader finds damage. */
static void pack_slice(void *user, pc_piece *piece)
{
    const pci_file *file = user;
    void *const *function = file->packer.function;
    size_t at = piece->first * SLICE_BYTES, left = file->n_bytes - at;
    size_t n_bytes = left < SLICE_BYTES ? left : SLICE_BYTES, most = pack_bound(n_bytes);
    if (file->packer.packing == PCI_PACK_GZIP) {
        __typeof__(&libdeflate_alloc_compressor) create = function[0];
        __typeof__(&libdeflate_gzip_compress) compress = function[1];
        __typeof__(&libdeflate_free_compressor) release = function[2];
        struct libdeflate_compressor *compressor = create(LEVEL);
        if (compressor)
            piece->n_bytes = compress(compressor, file->text + at, n_bytes, piece->room, most);
        release(compressor);
    } else {
        __typeof__(&ZSTD_createCCtx) create = function[0];
        __typeof__(&ZSTD_compress2) compress = function[1];
        __typeof__(&ZSTD_freeCCtx) release = function[2];
        __typeof__(&ZSTD_CCtx_setParameter) set = function[3];
        __typeof__(&ZSTD_isError) is_error = function[4];
        ZSTD_CCtx *compressor = create();
        if (compressor) {
            set(compressor, ZSTD_c_compressionLevel, LEVEL);
            set(compressor, ZSTD_c_checksumFlag, 1);
            piece->n_bytes = compress(compressor, piece->room, most, file->text + at, n_bytes);
            piece->n_bytes = is_error(piece->n_bytes) ? 0 : piece->n_bytes;
        }
        release(compressor);
    }
    piece->status = piece->n_bytes > 0 ? PC_OK : PC_ERR_MEMORY;
}

static pc_status write_slice(void *user, const pc_piece *piece)
{
    const pci_file *file = user;
    if (piece->status != PC_OK)
        return pci_fail(file->context, piece->status, "cannot pack '%s': %s", file->path,
                        pc_status_text(piece->status));
    return pc_output_write(file->output, piece->text, piece->n_bytes);
}

/* Writes the first n_bytes of the buffer: whole slices, or all. */
static pc_status write_gathered(pci_file *file, size_t n_bytes)
{
    if (file->status != PC_OK || n_bytes == 0)
        return file->status;
    pc_pieces pieces = {.n_items = (n_bytes + SLICE_BYTES - 1) / SLICE_BYTES,
                        .piece_items = 1,
                        .piece_bytes = pack_bound(SLICE_BYTES),
                        .make = pack_slice,
                        .put = write_slice,
                        .user = file};
    file->status = file->packer.packing != PCI_PACK_NONE
                       ? pc_pieces_put(file->context, &pieces)
                       : pc_output_write(file->output, file->text, n_bytes);
    file->n_bytes -= n_bytes;
    memmove(file->text, file->text + n_bytes, file->n_bytes);
    return file->status;
}

pc_status pci_file_advance(pci_file *file)
{
    size_t n_slices = file->n_bytes / SLICE_BYTES;
    if (n_slices == 0 || file->packer.packing == PCI_PACK_NONE)
        return n_slices > 0 ? pci_file_flush(file) : file->status;
    return n_slices >= (size_t)pci_n_threads(file->context)
               ? write_gathered(file, n_slices * SLICE_BYTES)
               : file->status;
}

pc_status pci_file_flush(pci_file *file)
{
    return write_gathered(file, file->n_bytes);
}

void pci_file_put(pci_file *file, const void *bytes, size_t n_bytes)
{
    bool is_plain = file->packer.packing == PCI_PACK_NONE;
    uint64_t n_needed = file->n_bytes + n_bytes;
    file->n_put += n_bytes;
    if (is_plain && n_bytes >= SLICE_BYTES) {
        if (pci_file_flush(file) == PC_OK)
            file->status = pc_output_write(file->output, bytes, n_bytes);
        return;
    }
    if (file->status != PC_OK || n_bytes == 0)
        return;
    char *text = pci_grow(file->context, file->text, &file->room_bytes, file->n_bytes, n_needed, 1);
    if (!text) {
        file->status = pci_fail_memory(file->context, "text to be written", n_needed);
        return;
    }
    memcpy(text + file->n_bytes, bytes, n_bytes);
    file->text = text;
    file->n_bytes = n_needed;
    if (is_plain && n_needed >= SLICE_BYTES)
        pci_file_flush(file);
}

void pci_file_put_text(pci_file *file, const char *text)
{
    pci_file_put(file, text, strlen(text));
}

void pci_file_put_number(pci_file *file, uint64_t number)
{
    char text[PCI_U64_TEXT_BYTES];
    pci_file_put(file, text, pci_number_u64_text(number, text));
}

pc_status pci_file_commit(pci_file *file)
{
    pc_status status = pci_file_flush(file);
    if (status == PC_OK) {
        status = pc_output_commit(file->output);
        file->output = NULL;
    }
    pci_file_free(file);
    return status;
}
