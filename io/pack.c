/* Packing through libarchive: its "raw" format is the bytes themselves, its filters pack them. */
#include "io/pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

bool pci_ends_with(const char *path, size_t length, const char *end)
{
    size_t end_length = strlen(end);
    return length > end_length && memcmp(path + length - end_length, end, end_length) == 0;
}

pci_packing pci_packing_of(const char *path, size_t *length)
{
    *length = strlen(path);
    pci_packing packing = pci_ends_with(path, *length, ".gz")    ? PCI_PACK_GZIP
                          : pci_ends_with(path, *length, ".zst") ? PCI_PACK_ZSTD
                                                                 : PCI_PACK_NONE;
    if (packing != PCI_PACK_NONE)
        *length = (size_t)(strrchr(path, '.') - path);
    return packing;
}

size_t pci_pack_bound(size_t n_bytes)
{
    return n_bytes + n_bytes / 64 + 4096;
}

/* Level 1: digits hardly repeat, so that higher levels take 5 times as long for 5% less. */
static pc_status add_filter(struct archive *archive, pci_packing packing)
{
    bool gzip = packing == PCI_PACK_GZIP;
    int result =
        gzip ? archive_write_add_filter_gzip(archive) : archive_write_add_filter_zstd(archive);
    if (result == ARCHIVE_OK)
        result = archive_write_set_filter_option(archive, gzip ? "gzip" : "zstd",
                                                 "compression-level", "1");
    if (result == ARCHIVE_OK && gzip) /* the same bytes whatever the time */
        result = archive_write_set_filter_option(archive, "gzip", "timestamp", NULL);
    return result == ARCHIVE_OK ? PC_OK : PC_ERR_ENGINE;
}

pc_status pci_pack(pci_packing packing, const void *bytes, size_t n_bytes, void *packed,
                   size_t *n_packed)
{
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    size_t n_used = 0;
    pc_status status = archive && entry ? add_filter(archive, packing) : PC_ERR_MEMORY;
    if (status != PC_OK)
        goto done;
    archive_entry_set_filetype(entry, AE_IFREG);
    if (archive_write_set_format_raw(archive) != ARCHIVE_OK ||
        archive_write_open_memory(archive, packed, pci_pack_bound(n_bytes), &n_used) !=
            ARCHIVE_OK ||
        archive_write_header(archive, entry) != ARCHIVE_OK ||
        archive_write_data(archive, bytes, n_bytes) != (la_ssize_t)n_bytes ||
        archive_write_close(archive) != ARCHIVE_OK)
        status = PC_ERR_MEMORY;
    else
        *n_packed = n_used;
done:
    archive_entry_free(entry);
    archive_write_free(archive);
    return status;
}
