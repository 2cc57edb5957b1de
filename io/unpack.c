/* Streams, and packed files by libarchive. It does not compare the check sum at the end of a gz
 * file with the content, so a damaged file could be read as another graph. This is done here, for
 * the last member of the file, which nearly always is the only one. */
#include "io/input.h"

#include "graphs/sort.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <libdeflate.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1 << 18, GZ_TRAILER_BYTES = 8 };

/* ---- Libraries ------------------------------------------------------------------------------- */

void pc_packing_open(void)
{
    static const char *const files[] = {PCI_LIBARCHIVE, PCI_LIBDEFLATE, PCI_LIBZSTD};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        dlopen(files[f], RTLD_NOW | RTLD_LOCAL);
}

/* Opening a library again gives the same object: the dynamic linker keeps all the state there
 * is. */
pc_status pci_library_find(pc_context *context, const char *file, size_t n,
                           const char *const *names, void **functions)
{
    errno = 0;
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    bool is_found = library != NULL;
    for (size_t i = 0; i < n && is_found; i++)
        is_found = (functions[i] = dlsym(library, names[i])) != NULL;
    if (is_found)
        return PC_OK;
    bool is_full = errno == ENOMEM;
    const char *error = dlerror();
    return pci_fail(context, is_full ? PC_ERR_MEMORY : PC_ERR_ENGINE,
                    "packed files need a library: %s", error ? error : file);
}

/* The functions of libarchive, and of each its name, or a field of its type for its address. */
#define NAME(function)  #function,
#define FIELD(function) __typeof__(&function) function;
#define FUNCTIONS(F)                                                                               \
    F(archive_entry_pathname)                                                                      \
    F(archive_errno)                                                                               \
    F(archive_error_string)                                                                        \
    F(archive_filter_code)                                                                         \
    F(archive_read_data_block)                                                                     \
    F(archive_read_free)                                                                           \
    F(archive_read_new)                                                                            \
    F(archive_read_next_header)                                                                    \
    F(archive_read_open)                                                                           \
    F(archive_read_open_memory)                                                                    \
    F(archive_read_support_filter_bzip2)                                                           \
    F(archive_read_support_filter_gzip)                                                            \
    F(archive_read_support_filter_xz)                                                              \
    F(archive_read_support_filter_zstd)                                                            \
    F(archive_read_support_format_empty)                                                           \
    F(archive_read_support_format_raw)                                                             \
    F(archive_read_support_format_zip_seekable)                                                    \
    F(archive_set_error)

typedef struct library {
    FUNCTIONS(FIELD)
} library;

static pc_status find_libarchive(pc_context *context, library *call)
{
    static const char *const names[] = {FUNCTIONS(NAME)};
    enum { N_FUNCTIONS = sizeof names / sizeof *names };
    void *functions[N_FUNCTIONS];
    pc_status status = pci_library_find(context, PCI_LIBARCHIVE, N_FUNCTIONS, names, functions);
    if (status == PC_OK)
        memcpy(call, functions, sizeof functions);
    return status;
}

/* ---- Packed bytes ---------------------------------------------------------------------------- */

struct pci_unpacker {
    pc_context *context;
    const char *name;
    library call;
    __typeof__(&libdeflate_crc32) check_sum;
    struct archive *archive; /* NULL: the stream is not packed */
    /* The packed bytes on their way to libarchive. */
    int file;
    int read_error;                 /* errno of a read that failed; 0: none did */
    bool is_gz;                     /* by its first bytes */
    bool is_first;                  /* nobody has taken the first block yet */
    bool at_end;                    /* nothing more comes */
    uint64_t n_read;                /* bytes so far */
    char trailer[GZ_TRAILER_BYTES]; /* the last of them */
    /* The unpacked bytes. */
    uint64_t n_unpacked, n_lines;
    uint32_t sum;   /* CRC-32 of it, when it is gz */
    size_t n_last;  /* bytes of the last block that had any */
    size_t n_block; /* bytes of the block */
    char block[BLOCK_BYTES];
};

/* That of xz ends with a NUL. */
static const struct magic {
    const char *text;
    size_t n_bytes;
} magics[] = {{"\x1f\x8b", 2}, {"\x28\xb5\x2f\xfd", 4}, {"\xfd\x37zXZ", 6}, {"BZh", 3}};

/* Tells if the bytes agree with one of these, which are longer than them or not. */
static bool agrees(const char *begin, size_t n_bytes, bool are_longer)
{
    bool agrees = false;
    for (const struct magic *m = magics; m < magics + sizeof magics / sizeof *magics; m++)
        agrees |= (n_bytes < m->n_bytes) == are_longer &&
                  memcmp(begin, m->text, are_longer ? n_bytes : m->n_bytes) == 0;
    return agrees;
}

bool pci_is_packed(const char *begin, size_t n_bytes)
{
    return agrees(begin, n_bytes, false);
}

bool pci_may_be_packed(const char *begin, size_t n_bytes)
{
    return agrees(begin, n_bytes, true);
}

/* Fills the block behind n_held bytes as long as the stream gives some, so that the magic number
 * is complete even from a slow pipe, and keeps the last bytes of all. False when the stream
 * cannot be read. */
static bool fill_block(pci_unpacker *from, size_t n_held)
{
    size_t n = n_held;
    for (ssize_t n_now = 1; n_now != 0 && n < BLOCK_BYTES;) {
        n_now = read(from->file, from->block + n, BLOCK_BYTES - n);
        if (n_now < 0 && errno != EINTR) {
            from->read_error = errno;
            return false;
        }
        n += n_now > 0 ? (size_t)n_now : 0;
    }
    size_t n_new = n < GZ_TRAILER_BYTES ? n : GZ_TRAILER_BYTES;
    memmove(from->trailer, from->trailer + n_new, GZ_TRAILER_BYTES - n_new);
    memcpy(from->trailer + GZ_TRAILER_BYTES - n_new, from->block + n - n_new, n_new);
    from->n_last = n > 0 ? n : from->n_last;
    from->n_read += n;
    from->n_block = n;
    return true;
}

/* Moves on to the next block, unless the first one is still there. */
static bool take_block(pci_unpacker *from)
{
    bool is_there = from->is_first;
    from->is_first = false;
    return is_there || fill_block(from, 0);
}

static la_ssize_t give_block(struct archive *archive, void *user, const void **block)
{
    pci_unpacker *from = user;
    *block = from->block;
    if (take_block(from))
        return (la_ssize_t)from->n_block;
    from->call.archive_set_error(archive, from->read_error, "read error");
    return ARCHIVE_FATAL;
}

uint64_t pci_unpacker_n_read(const pci_unpacker *unpacker)
{
    return unpacker->n_read;
}

static pc_status fail_damaged(const pci_unpacker *from, const char *reason)
{
    return pci_fail(from->context, PC_ERR_DATA,
                    "%s:%" PRIu64 ": the packed file is damaged or cut short here: %s", from->name,
                    from->n_lines + 1, reason);
}

/* libarchive does not always keep the reason of a failure; a lack of memory is in errno too,
 * which was 0 before. */
static bool lacks_memory(const library *call, struct archive *archive)
{
    return errno == ENOMEM || call->archive_errno(archive) == ENOMEM;
}

static pc_status fail_unpacking(const pci_unpacker *from)
{
    if (from->read_error) {
        errno = from->read_error;
        return pci_fail(from->context, PC_ERR_IO, "%s: cannot be read: %m", from->name);
    }
    if (lacks_memory(&from->call, from->archive))
        return pci_fail(from->context, PC_ERR_MEMORY, "%s: no memory to unpack it", from->name);
    const char *reason = from->call.archive_error_string(from->archive);
    return fail_damaged(from, reason ? reason : "perhaps its end is missing");
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Makes libarchive recognise the packing. A text, too, may begin as bz2 does, by BZh. */
static pc_status start(pci_unpacker *from)
{
    static const char *const sum_name = "libdeflate_crc32";
    struct archive_entry *entry;
    void *sum = NULL;
    bool may_be_text = from->block[0] == 'B';
    pc_status status = find_libarchive(from->context, &from->call);
    if (status == PC_OK)
        status = pci_library_find(from->context, PCI_LIBDEFLATE, 1, &sum_name, &sum);
    from->check_sum = sum;
    if (status == PC_OK && !(from->archive = from->call.archive_read_new()))
        status = pci_fail_memory(from->context, "unpacking", sizeof *from);
    if (status != PC_OK)
        return status;
    errno = 0;
    from->call.archive_read_support_filter_gzip(from->archive);
    from->call.archive_read_support_filter_zstd(from->archive);
    from->call.archive_read_support_filter_xz(from->archive);
    from->call.archive_read_support_filter_bzip2(from->archive);
    from->call.archive_read_support_format_raw(from->archive);
    from->call.archive_read_support_format_empty(from->archive);
    if (from->call.archive_read_open(from->archive, from, NULL, give_block, NULL) != ARCHIVE_OK)
        return fail_unpacking(from);
    int result = from->call.archive_read_next_header(from->archive, &entry);
    from->at_end = result == ARCHIVE_EOF; /* an empty file */
    if (from->at_end)
        return PC_OK;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
        return fail_unpacking(from);
    if (!may_be_text && from->call.archive_filter_code(from->archive, 0) == ARCHIVE_FILTER_NONE)
        return fail_damaged(from, "its header is not whole");
    return PC_OK;
}

pc_status pci_unpacker_open(pc_context *context, const char *name, int file, const char *begin,
                            size_t n_begin, pci_unpacker **unpacker)
{
    pci_unpacker *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "unpacking", sizeof *made);
    made->context = context;
    made->name = name;
    made->file = file;
    made->is_first = true;
    memcpy(made->block, begin, n_begin);
    pc_status status = fill_block(made, n_begin) ? PC_OK : fail_unpacking(made);
    made->is_gz = made->n_block >= 2 && memcmp(made->block, magics[0].text, 2) == 0;
    if (status == PC_OK && pci_is_packed(made->block, made->n_block))
        status = start(made);
    if (status)
        pci_unpacker_close(made);
    else
        *unpacker = made;
    return status;
}

void pci_unpacker_close(pci_unpacker *unpacker)
{
    if (!unpacker)
        return;
    if (unpacker->archive)
        unpacker->call.archive_read_free(unpacker->archive);
    pci_free(unpacker->context, unpacker);
}

pc_status pci_unpacker_next(pci_unpacker *from, const char **block, size_t *n_bytes)
{
    const void *given = from->block;
    size_t n_given = 0;
    la_int64_t offset;
    errno = 0;
    while (!from->at_end && n_given == 0) {
        int result = ARCHIVE_OK;
        if (from->archive)
            result = from->call.archive_read_data_block(from->archive, &given, &n_given, &offset);
        else if (!take_block(from))
            result = ARCHIVE_FATAL;
        else if ((n_given = from->n_block) == 0)
            result = ARCHIVE_EOF;
        from->at_end = result == ARCHIVE_EOF;
        if (from->at_end)
            n_given = 0;
        else if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
            return fail_unpacking(from);
    }
    const char *text = given;
    for (size_t i = 0; i < n_given; i++)
        from->n_lines += text[i] == '\n';
    if (from->is_gz && n_given > 0)
        from->sum = from->check_sum(from->sum, text, n_given);
    from->n_unpacked += n_given;
    *block = n_given > 0 ? text : "";
    *n_bytes = n_given;
    return PC_OK;
}

/* A gz member ends with the check sum and the size (modulo 2^32) of its content. If it is not so, the file is damaged,
 * unless the last block has the right check sum and size, and other bytes behind them. */
pc_status pci_unpacker_check(const pci_unpacker *from, const char *text, size_t n_bytes)
{
    uint32_t stated[2], wanted[] = {htole32(from->sum), htole32((uint32_t)from->n_unpacked)};
    if (!from->is_gz)
        return PC_OK;
    memcpy(stated, from->trailer, sizeof stated);
    uint32_t sum = le32toh(stated[0]), size = le32toh(stated[1]);
    bool is_good = false;
    if (size == (uint32_t)from->n_unpacked)
        is_good = sum == from->sum;
    else if (size <= n_bytes)
        is_good = from->check_sum(0, size > 0 ? text + (n_bytes - size) : "", size) == sum;
    else if (size < from->n_unpacked)
        is_good = n_bytes < from->n_unpacked; /* the member began before the text */
    if (is_good)
        return PC_OK;
    size_t at = from->n_last;
    while (at >= sizeof wanted && memcmp(from->block + at - sizeof wanted, wanted, sizeof wanted))
        at--;
    size_t n_trailing = from->n_last - at;
    if (n_trailing == 0 || at < sizeof wanted)
        return fail_damaged(from, "the check sum at its end is not that of its content");
    return pci_fail(from->context, PC_ERR_DATA,
                    "%s:%" PRIu64
                    ": %zu bytes follow the end of the gzip file, which is whole: remove "
                    "them, for example by head -c -%zu FILE",
                    from->name, from->n_lines + 1, n_trailing, n_trailing);
}

/* ---- Zip archives ---------------------------------------------------------------------------- */

/* Unpacks a member; unpacked bytes count as memory that is planned for. */
static pc_status unpack_member(pc_context *context, const char *name, const library *call,
                               struct archive *archive, char **bytes, uint64_t *n_bytes)
{
    const void *block;
    size_t n_block;
    la_int64_t offset;
    uint64_t most = pci_memory_available(context) / 2, capacity = 0;
    int result;
    while ((result = call->archive_read_data_block(archive, &block, &n_block, &offset)) ==
           ARCHIVE_OK) {
        if (offset < 0 || (uint64_t)offset != *n_bytes)
            return PC_ERR_DATA;
        char *grown = *n_bytes < most && n_block < most - *n_bytes
                          ? pci_grow(context, *bytes, &capacity, *n_bytes, *n_bytes + n_block, 1)
                          : NULL;
        if (!grown)
            return pci_fail(context, PC_ERR_MEMORY, "%s: no memory for its arrays", name);
        *bytes = grown;
        if (n_block > 0) /* else block may be NULL */
            memcpy(grown + *n_bytes, block, n_block);
        *n_bytes += n_block;
        pc_status status = pci_progress(context, "read", 0);
        if (status)
            return status;
    }
    return result == ARCHIVE_EOF ? PC_OK : PC_ERR_DATA;
}

pc_status pci_zip_read(pc_context *context, const char *name, const char *bytes, size_t n_bytes,
                       const char *ending, pci_member_fn take, void *user)
{
    library call;
    struct archive_entry *entry;
    pc_status status = find_libarchive(context, &call);
    struct archive *archive = status == PC_OK ? call.archive_read_new() : NULL;
    if (!archive)
        return status ? status : pci_fail_memory(context, "unpacking", n_bytes);
    call.archive_read_support_format_zip_seekable(archive);
    errno = 0;
    bool is_damaged = false;
    int result = call.archive_read_open_memory(archive, bytes, n_bytes);
    while (status == PC_OK && result == ARCHIVE_OK &&
           (result = call.archive_read_next_header(archive, &entry)) == ARCHIVE_OK) {
        const char *member = call.archive_entry_pathname(entry);
        size_t length = member ? strlen(member) : 0, n = strlen(ending);
        if (length <= n || strcmp(member + length - n, ending) != 0)
            continue;
        char *unpacked = NULL;
        uint64_t n_unpacked = 0;
        status = unpack_member(context, name, &call, archive, &unpacked, &n_unpacked);
        is_damaged = status == PC_ERR_DATA;
        if (status == PC_OK)
            status = take(user, member, unpacked, n_unpacked);
        else
            pci_free(context, unpacked);
    }
    if (is_damaged || (status == PC_OK && result != ARCHIVE_EOF)) {
        const char *reason = call.archive_error_string(archive);
        status = lacks_memory(&call, archive)
                     ? pci_fail(context, PC_ERR_MEMORY, "%s: no memory to unpack it", name)
                     : pci_fail(context, PC_ERR_DATA, "%s: the archive is damaged or cut short: %s",
                                name, reason ? reason : "no further reason known");
    }
    call.archive_read_free(archive);
    return status;
}
