/* Streams and packed files into memory, by libarchive. It does not compare the check sum at the end
 * of a gz file with what it unpacked, so a damaged file could pass for another graph: that is done
 * here, for the last member of the file, which nearly always is the only one. */
#include "io/unpack.h"

#include "graphs/grow.h"

#include <archive.h>
#include <archive_entry.h>
#include <endian.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1 << 18, GZ_TRAILER_BYTES = 8, CRC_TABLES = 8 };

static const char GZ_MAGIC[] = "\x1f\x8b";

/* The packed bytes on their way to libarchive. */
typedef struct source {
    int file;
    int read_error;                 /* errno of a read that failed; 0: none did */
    bool is_gz, is_packed;          /* by its first bytes; BZh might be the begin of a text, too */
    uint64_t n_bytes;               /* read so far */
    char trailer[GZ_TRAILER_BYTES]; /* the last of them */
    char block[BLOCK_BYTES];
} source;

bool pci_is_packed(const char *begin, size_t n_bytes)
{
    static const struct {
        const char *bytes;
        size_t n_bytes;
    } known[] = {{GZ_MAGIC, 2},
                 {"\x28\xb5\x2f\xfd", 4},
                 {"\xfd"
                  "7zXZ",
                  6},
                 {"BZh", 3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (n_bytes >= known[i].n_bytes && memcmp(begin, known[i].bytes, known[i].n_bytes) == 0)
            return true;
    return false;
}

/* Keeps the last bytes of all that was read. */
static void keep_trailer(source *from, size_t n_read)
{
    if (n_read >= GZ_TRAILER_BYTES) {
        memcpy(from->trailer, from->block + n_read - GZ_TRAILER_BYTES, GZ_TRAILER_BYTES);
        return;
    }
    memmove(from->trailer, from->trailer + n_read, GZ_TRAILER_BYTES - n_read);
    memcpy(from->trailer + GZ_TRAILER_BYTES - n_read, from->block, n_read);
}

/* Fills the block as far as the stream gives bytes, so that even a slow pipe shows its magic. */
static la_ssize_t read_block(struct archive *unpacker, void *user, const void **block)
{
    source *from = user;
    size_t n_read = 0;
    ssize_t n_now = 1;
    while (n_now > 0 && n_read < BLOCK_BYTES) {
        n_now = read(from->file, from->block + n_read, BLOCK_BYTES - n_read);
        if (n_now < 0 && errno == EINTR)
            n_now = 1;
        else if (n_now > 0)
            n_read += (size_t)n_now;
    }
    if (n_now < 0) {
        from->read_error = errno;
        archive_set_error(unpacker, errno, "read error");
        return ARCHIVE_FATAL;
    }
    if (from->n_bytes == 0) {
        from->is_gz = n_read >= 2 && memcmp(from->block, GZ_MAGIC, 2) == 0;
        from->is_packed = pci_is_packed(from->block, n_read) && from->block[0] != 'B';
    }
    keep_trailer(from, n_read);
    from->n_bytes += n_read;
    *block = from->block;
    return (la_ssize_t)n_read;
}

static pc_status fail_damaged(const pci_input *input, const char *reason)
{
    return pci_input_fail(input, input->text + input->n_bytes,
                          "the packed file is damaged or cut short here: %s", reason);
}

static pc_status fail_unpacking(const pci_input *input, const source *from,
                                struct archive *unpacker)
{
    const char *reason = archive_error_string(unpacker);
    if (from->read_error) {
        errno = from->read_error;
        return pci_fail(input->context, PC_ERR_IO, "%s: cannot be read: %m", input->name);
    }
    if (archive_errno(unpacker) == ENOMEM)
        return pci_fail(input->context, PC_ERR_MEMORY, "%s: no memory to unpack it", input->name);
    return fail_damaged(input, reason ? reason : "no further reason known");
}

/* ---- The check sum of gz --------------------------------------------------------------------- */

/* CRC-32 as in ISO 3309, eight bytes at a time: table[t] advances a byte over t more bytes. */
static uint32_t check_sum(const char *text, size_t n_bytes)
{
    uint32_t table[CRC_TABLES][256], sum = UINT32_MAX;
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? UINT32_C(0xedb88320) : 0);
        table[0][byte] = value;
    }
    for (int t = 1; t < CRC_TABLES; t++)
        for (int byte = 0; byte < 256; byte++)
            table[t][byte] = table[t - 1][byte] >> 8 ^ table[0][table[t - 1][byte] & 255];
    for (; n_bytes >= CRC_TABLES; text += CRC_TABLES, n_bytes -= CRC_TABLES) {
        uint64_t bytes;
        memcpy(&bytes, text, sizeof bytes);
        bytes = le64toh(bytes) ^ sum;
        sum = 0;
        for (int t = 0; t < CRC_TABLES; t++)
            sum ^= table[CRC_TABLES - 1 - t][bytes >> 8 * t & 255];
    }
    for (; n_bytes > 0; text++, n_bytes--)
        sum = sum >> 8 ^ table[0][(sum ^ (unsigned char)*text) & 255];
    return ~sum;
}

/* A gz member ends with the check sum and the size (modulo 2^32) of what is packed in it. */
static pc_status check_gz(const pci_input *input, const source *from)
{
    uint32_t sum, size;
    memcpy(&sum, from->trailer, sizeof sum);
    memcpy(&size, from->trailer + sizeof sum, sizeof size);
    uint64_t n_bytes = le32toh(size);
    if (n_bytes == (uint32_t)input->n_bytes)
        n_bytes = input->n_bytes;
    if (n_bytes <= input->n_bytes &&
        check_sum(input->text + input->n_bytes - n_bytes, n_bytes) == le32toh(sum))
        return PC_OK;
    return fail_damaged(input, "the check sum at its end is not that of its content");
}

/* ---- Reading --------------------------------------------------------------------------------- */

static pc_status append(pci_input *input, uint64_t *capacity, uint64_t available, const void *block,
                        size_t n_bytes)
{
    uint64_t needed = input->n_bytes + n_bytes;
    char *memory = needed <= available ? pci_grow(input->context, input->memory, capacity,
                                                  input->n_bytes, needed, 1)
                                       : NULL;
    if (!memory)
        return pci_fail(input->context, PC_ERR_MEMORY,
                        "%s: no memory for its text (more than %zu bytes)", input->name,
                        input->n_bytes);
    memcpy(memory + input->n_bytes, block, n_bytes);
    input->text = input->memory = memory;
    input->n_bytes = needed;
    return pci_progress(input->context, "read", 0);
}

/* Reads what the unpacker gives up to its end. */
static pc_status read_blocks(struct archive *unpacker, const source *from, pci_input *input)
{
    uint64_t capacity = 0, available = pci_memory_available(input->context);
    for (;;) {
        const void *block;
        size_t n_bytes;
        la_int64_t offset;
        int result = archive_read_data_block(unpacker, &block, &n_bytes, &offset);
        if (result == ARCHIVE_EOF)
            return PC_OK;
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
            return fail_unpacking(input, from, unpacker);
        pc_status status = append(input, &capacity, available, block, n_bytes);
        if (status)
            return status;
    }
}

static pc_status unpack_from(source *from, struct archive *unpacker, pci_input *input)
{
    struct archive_entry *entry;
    archive_read_support_filter_gzip(unpacker);
    archive_read_support_filter_zstd(unpacker);
    archive_read_support_filter_xz(unpacker);
    archive_read_support_filter_bzip2(unpacker);
    archive_read_support_format_raw(unpacker);
    archive_read_support_format_empty(unpacker);
    if (archive_read_open(unpacker, from, NULL, read_block, NULL) != ARCHIVE_OK)
        return fail_unpacking(input, from, unpacker);
    int result = archive_read_next_header(unpacker, &entry);
    if (result == ARCHIVE_EOF) /* an empty file */
        return PC_OK;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
        return fail_unpacking(input, from, unpacker);
    if (from->is_packed && archive_filter_code(unpacker, 0) == ARCHIVE_FILTER_NONE)
        return fail_damaged(input, "its header is not whole");
    pc_status status = read_blocks(unpacker, from, input);
    return status == PC_OK && from->is_gz ? check_gz(input, from) : status;
}

pc_status pci_unpack(int file, pci_input *input)
{
    source *from = pci_alloc_zero(input->context, 1, sizeof *from);
    struct archive *unpacker = archive_read_new();
    pc_status status;
    input->text = "";
    if (from && unpacker) {
        from->file = file;
        status = unpack_from(from, unpacker, input);
    } else {
        status = pci_fail_memory(input->context, "unpacking", sizeof *from);
    }
    archive_read_free(unpacker);
    pci_free(input->context, from);
    return status;
}
