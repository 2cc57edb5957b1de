/* Lines and folders, written. */
#include "tests/support/stream_text.h"

#include "tests/support/reading.h"
#include "tests/support/fixture.h"

#include <stdlib.h>
#include <unistd.h>

static void print_bits(FILE *out, const bool *bits, size_t n)
{
    for (size_t first = 0; first < n; first += 6) {
        int value = 0;
        for (size_t b = 0; b < 6; b++)
            value = 2 * value + (first + b < n && bits[first + b]);
        fputc(63 + value, out);
    }
}

void print_graph(FILE *out, const edge_set *edges)
{
    uint64_t n = edges->n;
    OWNED(bool) *entry = calloc(n * n + 1, 1), *bits = calloc(n * n + 1, 1);
    size_t n_bits = 0;
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        entry[edges->from[e] * n + edges->to[e]] = true;
        entry[edges->to[e] * n + edges->from[e]] |= !edges->directed;
    }
    for (uint64_t j = 0; j < n; j++)
        for (uint64_t i = 0; i < (edges->directed ? n : j); i++)
            bits[n_bits++] = edges->directed ? entry[j * n + i] : entry[i * n + j];
    if (edges->directed)
        fputc('&', out);
    if (n <= 62)
        fputc((int)(63 + n), out);
    else
        fprintf(out, "~%c%c%c", (int)(63 + (n >> 12)), (int)(63 + (n >> 6 & 63)),
                (int)(63 + (n & 63)));
    print_bits(out, bits, n_bits);
    fputc('\n', out);
}

/* ---- Folders --------------------------------------------------------------------------------- */

static FILE *open_part(const folder *f, const char *name)
{
    char path[sizeof f->path + 32];
    snprintf(path, sizeof path, "%s/SET_%s.txt", f->path, name);
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    return file;
}

void folder_create(folder *f)
{
    *f = (folder){.n_vertices = 0};
    scratch_folder(f->path, sizeof f->path);
    f->entries = open_part(f, "A");
    f->indicator = open_part(f, "graph_indicator");
}

void folder_add(folder *f, const edge_set *edges)
{
    f->n_graphs++;
    for (uint64_t v = 0; v < edges->n; v++)
        fprintf(f->indicator, "%llu\n", (unsigned long long)f->n_graphs);
    for (uint64_t e = 0; e < edges->n_edges; e++)
        fprintf(f->entries, "%llu, %llu\n",
                (unsigned long long)(f->n_vertices + edges->from[e] + 1),
                (unsigned long long)(f->n_vertices + edges->to[e] + 1));
    f->n_vertices += edges->n;
}

void folder_close(folder *f)
{
    fclose(f->entries);
    fclose(f->indicator);
}

void folder_remove(folder *f)
{
    char path[sizeof f->path + 32];
    snprintf(path, sizeof path, "%s/SET_A.txt", f->path);
    remove(path);
    snprintf(path, sizeof path, "%s/SET_graph_indicator.txt", f->path);
    remove(path);
    rmdir(f->path);
}
