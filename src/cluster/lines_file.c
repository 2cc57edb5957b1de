/* Lines are copied through a buffer of a few megabytes. The sum of their checksums does not depend on how vertices are
 * shared among processes, so one number vouches for the whole file. */
#define _GNU_SOURCE
#include "src/cluster/lines_file.h"

#include "src/core/checksum.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 4 << 20 };

typedef struct copying {
    const pci_graph_part *part;
    pc_context *context;
    const char *path;
    int file;
    size_t line_bytes;
    uint64_t begin;   /* the first own vertex */
    uint64_t n_chunk; /* lines in the buffer */
    char *buffer;
    uint32_t *vertices; /* [n_chunk] */
    uint64_t sum;
} copying;

/* ---- Files ----------------------------------------------------------------------------------- */

static pc_status fail_io(const copying *c, const char *what)
{
    return pci_fail(c->context, PC_ERR_IO, "%s %s: %s", what, c->path, strerror(errno));
}

static pc_status open_file(copying *c, int flags)
{
    c->n_chunk = BUFFER_BYTES / c->line_bytes + 1;
    c->n_chunk = c->n_chunk < c->part->n_own ? c->n_chunk : c->part->n_own;
    c->buffer = pci_alloc(c->context, (c->n_chunk + 1) * c->line_bytes);
    c->vertices = pci_alloc(c->context, (c->n_chunk + 1) * sizeof *c->vertices);
    if (!c->buffer || !c->vertices)
        return pci_fail_memory(c->context, "lines of a checkpoint", BUFFER_BYTES);
    c->file = open(c->path, flags | O_CLOEXEC);
    return c->file < 0 ? fail_io(c, "all processes need") : PC_OK;
}

static void close_file(copying *c)
{
    if (c->file >= 0)
        close(c->file);
    pci_free(c->context, c->buffer);
    pci_free(c->context, c->vertices);
}

/* Copies n_bytes between the buffer and the file; a file that ends before is PC_ERR_DATA. */
static pc_status transfer(const copying *c, bool writes, uint64_t at, size_t n_bytes)
{
    for (size_t done = 0; done < n_bytes;) {
        off_t place = (off_t)(at + done);
        ssize_t n = writes ? pwrite(c->file, c->buffer + done, n_bytes - done, place)
                           : pread(c->file, c->buffer + done, n_bytes - done, place);
        if (n < 0 && errno != EINTR)
            return fail_io(c, writes ? "cannot write" : "cannot read");
        if (n == 0 && !writes)
            return pci_fail(c->context, PC_ERR_DATA, "%s is cut short: remove it", c->path);
        done += n > 0 ? (size_t)n : 0;
    }
    return PC_OK;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void add_checksums(copying *c, uint64_t first, uint64_t n)
{
    uint64_t sum = 0;
    int n_threads = pci_threads_for(c->context, (double)n * (double)c->line_bytes);
#pragma omp parallel for num_threads(n_threads) reduction(+ : sum)
    for (uint64_t i = 0; i < n; i++)
        sum += pci_checksum(c->buffer + i * c->line_bytes, c->line_bytes, c->begin + first + i);
    c->sum += sum;
}

/* Passes all own lines through the buffer, to the file or from it to `into`. */
static pc_status copy(copying *c, const pci_sweep *from, pci_sweep *into)
{
    pc_status status = PC_OK;
    for (uint64_t v = 0; v < c->part->n_own && status == PC_OK; v += c->n_chunk) {
        uint64_t left = c->part->n_own - v, n = left < c->n_chunk ? left : c->n_chunk;
        for (uint64_t i = 0; i < n; i++)
            c->vertices[i] = (uint32_t)(v + i);
        if (from) {
            pci_sweep_get_lines(from, n, c->vertices, false, c->buffer);
            add_checksums(c, v, n);
        }
        status = transfer(c, from != NULL, PCI_LINES_HEAD_BYTES + (c->begin + v) * c->line_bytes,
                          n * c->line_bytes);
        if (into && status == PC_OK) {
            add_checksums(c, v, n);
            pci_sweep_set_lines(into, v, n, c->buffer);
        }
    }
    return status;
}

static copying begin(const pci_graph_part *part, pc_context *context, const char *path,
                     size_t line_bytes)
{
    return (copying){.part = part,
                     .context = context,
                     .path = path,
                     .file = -1,
                     .line_bytes = line_bytes,
                     .begin = part->first[part->all.rank]};
}

static uint64_t sum_of_all(const copying *c)
{
    uint64_t sum;
    MPI_Allreduce(&c->sum, &sum, 1, MPI_UINT64_T, MPI_SUM, c->part->all.comm);
    return sum;
}

pc_status pci_lines_write(const pci_graph_part *part, pc_context *context, const pci_sweep *sweep,
                          const char *path, bool syncs, uint64_t *sum)
{
    copying c = begin(part, context, path, pci_sweep_line_bytes(sweep));
    pc_status status = open_file(&c, O_WRONLY);
    if (status == PC_OK)
        status = copy(&c, sweep, NULL);
    if (status == PC_OK && syncs && fdatasync(c.file) != 0)
        status = fail_io(&c, "cannot write");
    close_file(&c);
    *sum = sum_of_all(&c);
    return pci_processes_agree(&part->all, context, status);
}

pc_status pci_lines_read(const pci_graph_part *part, pc_context *context, pci_sweep *sweep,
                         const char *path, const pci_lines *lines)
{
    copying c = begin(part, context, path, lines->line_bytes);
    pci_sweep_clear_at(sweep, lines->step);
    pc_status status = PC_OK;
    if (pci_sweep_line_bytes(sweep) != lines->line_bytes)
        status = pci_fail(context, PC_ERR_DATA,
                          "%s has lines of %" PRIu64 " bytes, and the sweep has lines of %zu", path,
                          lines->line_bytes, pci_sweep_line_bytes(sweep));
    if (status == PC_OK)
        status = open_file(&c, O_RDONLY);
    if (status == PC_OK)
        status = copy(&c, NULL, sweep);
    close_file(&c);
    status = pci_processes_agree(&part->all, context, status);
    if (sum_of_all(&c) != lines->sum && status == PC_OK)
        status = pci_fail(context, PC_ERR_DATA,
                          "%s is damaged: its lines have another checksum; remove it", path);
    return status;
}

/* ---- The graph ------------------------------------------------------------------------------- */

void pci_part_digest(const pci_graph_part *part, uint64_t digest[2])
{
    const pc_graph *graph = part->graph;
    uint64_t begin = part->first[part->all.rank], a = 0, b = 0;
    int n_threads = pci_threads_for(part->context, 8 * (double)pci_graph_n_arcs(graph));
#pragma omp parallel for num_threads(n_threads) reduction(+ : a, b)
    for (uint64_t v = 0; v < part->n_own; v++)
        for (uint64_t i = graph->row_start[v]; i < graph->row_start[v + 1]; i++) {
            uint64_t weight = graph->weight ? graph->weight[i] : 1;
            uint64_t arc = (begin + v) << 32 | pci_part_vertex(part, graph->column[i]);
            uint64_t hash = pci_scramble(pci_scramble(arc) + weight);
            a += hash;
            b += pci_scramble(hash + PCI_RANDOM_STEP);
        }
    uint64_t sums[] = {a, b};
    MPI_Allreduce(sums, digest, 2, MPI_UINT64_T, MPI_SUM, part->all.comm);
}
