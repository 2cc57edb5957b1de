/* By libarchive, as a plain stream. */
#include "tests/support/pack_text.h"

#include "tests/support/fixture.h"

#include <archive.h>
#include <archive_entry.h>

size_t pack_text(const char *packing, const char *text, size_t n_bytes, char *packed, size_t room)
{
    size_t n_packed = 0;
    struct archive *packer = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_write_add_filter_by_name(packer, packing);
    archive_write_set_format_raw(packer);
    archive_write_set_bytes_in_last_block(packer, 1);
    archive_entry_set_filetype(entry, AE_IFREG);
    CU_ASSERT_EQUAL_FATAL(archive_write_open_memory(packer, packed, room, &n_packed), 0);
    CU_ASSERT_EQUAL_FATAL(archive_write_header(packer, entry), 0);
    CU_ASSERT_EQUAL_FATAL(archive_write_data(packer, text, n_bytes), (la_ssize_t)n_bytes);
    CU_ASSERT_EQUAL_FATAL(archive_write_close(packer), 0);
    archive_entry_free(entry);
    archive_write_free(packer);
    return n_packed;
}
