/* Packing by libdeflate and libzstd. Both write the same bytes on all processors. */
#include "io/pack.h"

#include "io/library.h"
#include "src/core/letters.h"

#include <libdeflate.h>
#include <string.h>
#include <zstd.h>

enum { LEVEL = 1 }; /* digits hardly repeat: higher levels take 3 times as long for 5% less */

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && pci_equal_any_case(path + length - end_length, end, end_length);
}

const pc_file_format *pci_written_format(const char *path, pci_packing *packing)
{
    size_t stem;
    const pc_file_format *format = pc_file_format_of(path, &stem);
    *packing = ends_with(path, ".gz")    ? PCI_PACK_GZIP
               : ends_with(path, ".zst") ? PCI_PACK_ZSTD
                                         : PCI_PACK_NONE;
    if (!format || stem == 0 || (*packing != PCI_PACK_NONE && format->is_archive))
        return NULL;
    const char *last = strrchr(path, '.'), *end = path + stem + strlen(format->ending);
    return end == (*packing != PCI_PACK_NONE ? last : path + strlen(path)) ? format : NULL;
}

size_t pci_pack_bound(size_t n_bytes)
{
    return n_bytes + n_bytes / 64 + 4096;
}

pc_status pci_packer_open(pc_context *context, pci_packing packing, pci_packer *packer)
{
    static const char *const gzip[PCI_PACK_FUNCTIONS] = {
        "libdeflate_alloc_compressor", "libdeflate_gzip_compress", "libdeflate_free_compressor"};
    static const char *const zstd[PCI_PACK_FUNCTIONS] = {"ZSTD_createCCtx",
                                                         "ZSTD_CCtx_setParameter", "ZSTD_compress2",
                                                         "ZSTD_freeCCtx", "ZSTD_isError"};
    packer->packing = packing;
    if (packing == PCI_PACK_NONE)
        return PC_OK;
    return packing == PCI_PACK_GZIP
               ? pci_library_find(context, PCI_LIBDEFLATE, 3, gzip, packer->function)
               : pci_library_find(context, PCI_LIBZSTD, PCI_PACK_FUNCTIONS, zstd, packer->function);
}

static pc_status pack_gzip(const pci_packer *packer, const void *bytes, size_t n_bytes,
                           void *packed, size_t *n_packed)
{
    __typeof__(&libdeflate_alloc_compressor) create = packer->function[0];
    __typeof__(&libdeflate_gzip_compress) compress = packer->function[1];
    __typeof__(&libdeflate_free_compressor) release = packer->function[2];
    struct libdeflate_compressor *compressor = create(LEVEL);
    if (!compressor)
        return PC_ERR_MEMORY;
    *n_packed = compress(compressor, bytes, n_bytes, packed, pci_pack_bound(n_bytes));
    release(compressor);
    return *n_packed > 0 ? PC_OK : PC_ERR_MEMORY;
}

/* With a check sum of the content, as zstd itself writes: a reader finds damage. */
static pc_status pack_zstd(const pci_packer *packer, const void *bytes, size_t n_bytes,
                           void *packed, size_t *n_packed)
{
    __typeof__(&ZSTD_createCCtx) create = packer->function[0];
    __typeof__(&ZSTD_CCtx_setParameter) set = packer->function[1];
    __typeof__(&ZSTD_compress2) compress = packer->function[2];
    __typeof__(&ZSTD_freeCCtx) release = packer->function[3];
    __typeof__(&ZSTD_isError) is_error = packer->function[4];
    ZSTD_CCtx *compressor = create();
    if (!compressor)
        return PC_ERR_MEMORY;
    set(compressor, ZSTD_c_compressionLevel, LEVEL);
    set(compressor, ZSTD_c_checksumFlag, 1);
    *n_packed = compress(compressor, packed, pci_pack_bound(n_bytes), bytes, n_bytes);
    release(compressor);
    return is_error(*n_packed) ? PC_ERR_MEMORY : PC_OK;
}

pc_status pci_pack(const pci_packer *packer, const void *bytes, size_t n_bytes, void *packed,
                   size_t *n_packed)
{
    return packer->packing == PCI_PACK_GZIP ? pack_gzip(packer, bytes, n_bytes, packed, n_packed)
                                            : pack_zstd(packer, bytes, n_bytes, packed, n_packed);
}
