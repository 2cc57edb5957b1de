/* A stream by its path: a folder is a TUDataset, everything else text. */
#include "src/streams/stream_source.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct pci_stream_source {
    pc_context *context;
    const pci_stream_kind *kind;
    void *source; /* of that kind */
    int file;     /* -1: none that is ours */
    char *name;
};

static pc_status open_kind(pci_stream_source *made, const char *path, uint64_t max_vertices)
{
    struct stat about;
    if (strcmp(path, "-") == 0) {
        made->kind = &pci_stream_lines;
        return pci_stream_lines_open(made->context, "standard input", STDIN_FILENO, max_vertices,
                                     &made->source);
    }
    made->file = open(path, O_RDONLY | O_CLOEXEC);
    if (made->file < 0 || fstat(made->file, &about) != 0)
        return pci_fail(made->context, PC_ERR_NO_INPUT, "%s: cannot be opened: %m", path);
    made->kind = S_ISDIR(about.st_mode) ? &pci_stream_folder : &pci_stream_lines;
    if (S_ISDIR(about.st_mode))
        return pci_stream_folder_open(made->context, made->name, &made->source);
    return pci_stream_lines_open(made->context, made->name, made->file, max_vertices,
                                 &made->source);
}

pc_status pci_stream_open(pc_context *context, const char *path, uint64_t max_vertices,
                          pci_stream_source **source)
{
    size_t name_bytes = strlen(path) + 1;
    pci_stream_source *made = pci_alloc_zero(context, 1, sizeof *made);
    char *name = pci_alloc(context, name_bytes);
    if (!made || !name) {
        pci_free(context, made);
        pci_free(context, name);
        return pci_fail_memory(context, "a stream", sizeof *made + name_bytes);
    }
    *made =
        (pci_stream_source){.context = context, .file = -1, .name = memcpy(name, path, name_bytes)};
    pc_status status = open_kind(made, path, max_vertices);
    if (status)
        pci_stream_close(made);
    else
        *source = made;
    return status;
}

void pci_stream_close(pci_stream_source *source)
{
    if (!source)
        return;
    if (source->source)
        source->kind->close(source->source);
    if (source->file >= 0)
        close(source->file);
    pci_free(source->context, source->name);
    pci_free(source->context, source);
}

pc_status pci_stream_next(pci_stream_source *source, size_t *n_graphs)
{
    return source->kind->next(source->source, n_graphs);
}

pc_status pci_stream_decode(const pci_stream_source *source, size_t i, bool keep_repeats,
                            pci_listed *graph, const char **flaw)
{
    return source->kind->decode(source->source, i, keep_repeats, graph, flaw);
}

pc_status pci_stream_fail(pci_stream_source *source, size_t i, const char *flaw)
{
    return source->kind->fail(source->source, i, flaw);
}
