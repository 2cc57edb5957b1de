/* The text of an input file in one piece. */
#include "io/input.h"

#include "io/unpack.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

pci_input pci_input_from_text(pc_context *context, const char *name, const char *text,
                              size_t n_bytes)
{
    return (pci_input){.context = context, .name = name, .text = text, .n_bytes = n_bytes};
}

void pci_input_close(pci_input *input)
{
    if (input->mapped_bytes)
        munmap((void *)input->text, input->mapped_bytes);
    pci_free(input->context, input->memory);
    *input = (pci_input){.context = input->context, .name = input->name};
}

pc_status pci_input_fail(const pci_input *input, const char *at, const char *format, ...)
{
    uint64_t line = 1;
    for (const char *p = input->text; p < at && (p = memchr(p, '\n', (size_t)(at - p))); p++)
        line++;
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return pci_fail(input->context, PC_ERR_DATA, "%s:%" PRIu64 ": %s", input->name, line, sentence);
}

/* Whether the file can be mapped as it is: regular, read from its start, not packed. Files of no
 * size are read instead: those of /proc say 0 and have content. */
static bool can_map(int file, const struct stat *about)
{
    char begin[PCI_MAGIC_BYTES];
    if (!S_ISREG(about->st_mode) || about->st_size <= 0 || lseek(file, 0, SEEK_CUR) != 0)
        return false;
    ssize_t n_read = pread(file, begin, sizeof begin, 0);
    return n_read >= 0 && !pci_is_packed(begin, (size_t)n_read);
}

static bool map_file(int file, size_t n_bytes, pci_input *input)
{
    void *text = mmap(NULL, n_bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (text == MAP_FAILED)
        return false;
    madvise(text, n_bytes, MADV_WILLNEED);
    input->text = text;
    input->n_bytes = input->mapped_bytes = n_bytes;
    return true;
}

static pc_status read_file(int file, pci_input *input)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return pci_fail(input->context, PC_ERR_IO, "%s: cannot be read: %m", input->name);
    if (S_ISDIR(about.st_mode))
        return pci_fail(input->context, PC_ERR_NO_INPUT, "%s: is a directory", input->name);
    if (can_map(file, &about) && map_file(file, (size_t)about.st_size, input))
        return PC_OK;
    return pci_unpack(file, input);
}

pc_status pci_input_open(pc_context *context, const char *path, pci_input *input)
{
    bool is_standard = strcmp(path, "-") == 0;
    pci_input made = {.context = context, .name = is_standard ? "standard input" : path};
    int file = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return pci_fail(context, PC_ERR_NO_INPUT, "%s: cannot be opened: %m", path);
    pc_status status = read_file(file, &made);
    if (!is_standard)
        close(file);
    if (status)
        pci_input_close(&made);
    else
        *input = made;
    return status;
}

pc_status pc_text_read(pc_context *context, const char *path, pc_text_fn use, void *user)
{
    if (!context || !path || !use)
        return pci_fail_null(context, "path or use");
    pci_input input;
    pc_status status = pci_input_open(context, path, &input);
    if (status)
        return status;
    status = use(user, input.text, input.n_bytes);
    pci_input_close(&input);
    return status;
}
