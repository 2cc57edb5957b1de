/* Input files: opening them and loading their text. */
#include "io/input.h"
#include "pathcount_io.h"

#include "graphs/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BEGIN_BYTES = 1 << 18,        /* of a text that are read when it is opened */
    BYTES_BETWEEN_LOOKS = 1 << 24 /* at whether to go on */
};

pci_input pci_input_from_text(pc_context *context, const char *name, const char *text,
                              size_t n_bytes)
{
    return (pci_input){.context = context,
                       .name = name,
                       .text = text,
                       .n_bytes = n_bytes,
                       .n_all = n_bytes,
                       .is_whole = true,
                       .file = -1};
}

/* The file is needed no more. */
static void close_file(pci_input *input)
{
    pci_unpacker_close(input->unpacker);
    input->unpacker = NULL;
    if (input->owns_file)
        close(input->file);
    input->owns_file = false;
    input->file = -1;
}

void pci_input_close(pci_input *input)
{
    close_file(input);
    pci_free(input->context, input->memory);
    *input = pci_input_from_text(input->context, input->name, "", 0);
}

/* ---- Failures -------------------------------------------------------------------------------- */

static pc_status fail_memory(const pci_input *input)
{
    return pci_fail(input->context, PC_ERR_MEMORY,
                    "%s: no memory for its text (more than %zu bytes)", input->name,
                    input->n_bytes);
}

/* Makes room in memory for n_needed bytes of text; those that there are stay. */
static pc_status reserve(pci_input *input, uint64_t n_needed, uint64_t available)
{
    char *memory = n_needed <= available ? pci_grow(input->context, input->memory, &input->capacity,
                                                    input->n_bytes, n_needed, 1)
                                         : NULL;
    if (!memory)
        return fail_memory(input);
    input->text = input->memory = memory;
    return PC_OK;
}

/* ---- Plain files ----------------------------------------------------------------------------- */

/* Closes a file whose whole text is read, so that many small files need no descriptors. */
static pc_status finish_reading(pci_input *input)
{
    pc_status status = pci_input_check(input);
    if (status == PC_OK && input->n_bytes == input->n_all) {
        input->is_whole = true;
        close_file(input);
    }
    return status;
}

/* Reads the begin of a plain file. *is_plain says whether it is one: regular, read from its start,
 * not packed, and of the size that it states. Files of /proc state size 0 and have content. */
static pc_status begin_plain(pci_input *input, const struct stat *about, bool *is_plain)
{
    *is_plain = false;
    if (!S_ISREG(about->st_mode) || about->st_size <= 0 || lseek(input->file, 0, SEEK_CUR) != 0)
        return PC_OK;
    input->n_all = (uint64_t)about->st_size;
    input->modified = about->st_mtim;
    size_t n_bytes = input->n_all < BEGIN_BYTES ? input->n_all : BEGIN_BYTES;
    pc_status status = reserve(input, n_bytes, UINT64_MAX);
    if (status)
        return status;
    *is_plain = pci_input_read(input, 0, input->memory, n_bytes) == PC_OK &&
                !pci_is_packed(input->memory, n_bytes);
    if (!*is_plain)
        return PC_OK;
    input->n_bytes = n_bytes;
    if (n_bytes < input->n_all) /* a hint, so not checked */
        posix_fadvise(input->file, 0, 0, POSIX_FADV_WILLNEED);
    return finish_reading(input);
}

static pc_status load_plain(pci_input *input)
{
    pc_status status = reserve(input, input->n_all, pci_memory_available(input->context));
    if (status)
        return status;
    while (input->n_bytes < input->n_all) {
        uint64_t n_left = input->n_all - input->n_bytes;
        size_t n_bytes = n_left < BYTES_BETWEEN_LOOKS ? n_left : BYTES_BETWEEN_LOOKS;
        status = pci_input_read(input, input->n_bytes, input->memory + input->n_bytes, n_bytes);
        if (status)
            return status == PC_ERR_IO ? pci_input_fail_read(input) : pci_input_fail_changed(input);
        input->n_bytes += n_bytes;
        if ((status = pci_progress(input->context, "read", 0)))
            return status;
    }
    return finish_reading(input);
}

/* ---- Streams and packed files ---------------------------------------------------------------- */

static pc_status append(pci_input *input, uint64_t available, const char *block, size_t n_bytes)
{
    pc_status status = reserve(input, input->n_bytes + n_bytes, available);
    if (status)
        return status;
    memcpy(input->memory + input->n_bytes, block, n_bytes);
    input->n_bytes += n_bytes;
    return pci_progress(input->context, "read", 0);
}

/* At the end of what is unpacked the check sum is compared. */
static pc_status finish_unpacking(pci_input *input)
{
    pc_status status = pci_unpacker_check(input->unpacker, input->text, input->n_bytes);
    input->n_all = input->n_bytes;
    input->is_whole = true;
    close_file(input);
    return status;
}

/* Refuses a NUL byte at once: no reader of lines accepts one, so unpacking on would be in vain. */
static pc_status refuse_nul(const pci_input *input, size_t first)
{
    const char *nul = memchr(input->text + first, 0, input->n_bytes - first);
    if (!nul || input->any_bytes)
        return PC_OK;
    return pci_input_fail(input, nul, "a NUL byte: this is not a text file");
}

/* Unpacks until the text has n_wanted bytes, or to its end. */
static pc_status unpack(pci_input *input, uint64_t n_wanted)
{
    uint64_t available = pci_memory_available(input->context);
    const char *block;
    size_t n_bytes = 1;
    pc_status status = PC_OK;
    while (status == PC_OK && n_bytes > 0 && input->n_bytes < n_wanted) {
        size_t n_before = input->n_bytes;
        status = pci_unpacker_next(input->unpacker, &block, &n_bytes);
        if (status == PC_OK && n_bytes > 0)
            status = append(input, available, block, n_bytes);
        if (status == PC_OK && n_before >= BEGIN_BYTES)
            status = refuse_nul(input, n_before);
    }
    return status || n_bytes > 0 ? status : finish_unpacking(input);
}

pc_status pci_input_unpack(pci_input *input)
{
    if (!input->unpacker)
        return PC_OK;
    pc_status status = refuse_nul(input, 0);
    return status ? status : unpack(input, UINT64_MAX);
}

/* ---- Line ends ------------------------------------------------------------------------------- */

pc_status pci_input_begin_lines(pci_input *input)
{
    if (memchr(input->text, '\n', input->n_bytes))
        return PC_OK;
    const char *first = memchr(input->text, '\r', input->n_bytes);
    bool ends_lines = first && !memchr(input->text, 0, input->n_bytes);
    if (input->is_whole && !ends_lines)
        return PC_OK;
    if (pci_input_declines(input))
        return PC_ERR_DATA;
    pc_status status = input->unpacker ? unpack(input, UINT64_MAX) : pci_input_load(input);
    if (status || !ends_lines || memchr(input->text, '\n', input->n_bytes))
        return status;
    if (!input->memory) { /* the caller keeps the text */
        input->memory = pci_alloc(input->context, input->n_bytes);
        if (!input->memory)
            return fail_memory(input);
        memcpy(input->memory, input->text, input->n_bytes);
        input->text = input->memory;
    }
    for (size_t i = 0; i < input->n_bytes; i++)
        input->memory[i] = input->memory[i] == '\r' ? '\n' : input->memory[i];
    return PC_OK;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static pc_status begin_reading(pci_input *input)
{
    struct stat about;
    bool is_plain;
    if (fstat(input->file, &about) != 0)
        return pci_input_fail_read(input);
    if (S_ISDIR(about.st_mode))
        return pci_fail(input->context, PC_ERR_NO_INPUT, "%s: is a folder: name a file in it",
                        input->name);
    pc_status status = begin_plain(input, &about, &is_plain);
    if (status || is_plain)
        return status;
    input->n_all = 0;
    status = pci_unpacker_open(input->context, input->name, input->file, "", 0, &input->unpacker);
    return status ? status : unpack(input, BEGIN_BYTES);
}

pc_status pci_input_open(pc_context *context, const char *path, pci_input *input)
{
    bool is_standard = strcmp(path, "-") == 0;
    pci_input made = pci_input_from_text(context, is_standard ? "standard input" : path, "", 0);
    made.file = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (made.file < 0)
        return pci_fail(context, PC_ERR_NO_INPUT, "%s: cannot be opened: %m", path);
    made.owns_file = !is_standard;
    made.path = is_standard ? NULL : path;
    made.is_whole = false;
    pc_status status = begin_reading(&made);
    if (status)
        pci_input_close(&made);
    else
        *input = made;
    return status;
}

pc_status pci_input_load(pci_input *input)
{
    if (input->is_whole)
        return PC_OK;
    return input->unpacker ? pci_input_unpack(input) : load_plain(input);
}

pc_status pc_text_read(pc_context *context, const char *path, pc_text_fn use, void *user)
{
    if (!context || !path || !use)
        return pci_fail_null(context, "path or use");
    pci_input input;
    pc_status status = pci_input_open(context, path, &input);
    if (status)
        return status;
    input.any_bytes = true;
    status = pci_input_load(&input);
    if (status == PC_OK)
        status = use(user, input.text, input.n_bytes);
    pci_input_close(&input);
    return status;
}
