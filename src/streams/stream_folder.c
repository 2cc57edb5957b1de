/* The graphs of a TUDataset. NAME_graph_indicator.txt has one line for each vertex, the number of
 * its graph, which never decreases. NAME_A.txt has one line for each entry of the adjacency matrix
 * of all graphs, in any order. The entries are held in memory, in the order of the graphs. */
#include "src/streams/stream.h"

#include "io/chunks.h"
#include "io/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

enum {
    GRAPHS_A_CHUNK = 1 << 14,
    MOST_MISSING = 1 << 20, /* graphs without vertices that are believed */
    LINES_BETWEEN_LOOKS = 65536
};

static const char ENTRIES[] = "_A.txt", INDICATOR[] = "_graph_indicator.txt";

typedef struct folder {
    pci_stream_source base;
    pc_context *context;
    char *entries_path, *indicator_path;
    uint64_t n_vertices, n_graphs;
    uint32_t *graph_of;    /* [n_vertices]; only while reading */
    uint64_t *vertex_from; /* [n_graphs + 1]: graph g has vertices vertex_from[g] and following */
    uint64_t *entry_from;  /* [n_graphs + 1] */
    pci_edge *entry;       /* by graph, then as given; ends are numbered within their graph */
    uint64_t first, n_current; /* graphs of the current chunk */
} folder;

/* ---- Which files ----------------------------------------------------------------------------- */

/* The number of data sets in a folder, and the name of one; -1 when the folder cannot be read. */
static int find_datasets(const char *path, char name[NAME_MAX + 1])
{
    DIR *files = opendir(path);
    int n_found = 0;
    if (!files)
        return -1;
    for (const struct dirent *file; (file = readdir(files));) {
        char indicator[NAME_MAX + sizeof INDICATOR];
        int length = (int)strlen(file->d_name) - (int)(sizeof ENTRIES - 1);
        if (length < 0 || strcmp(file->d_name + length, ENTRIES) != 0)
            continue;
        snprintf(indicator, sizeof indicator, "%.*s%s", length, file->d_name, INDICATOR);
        if (faccessat(dirfd(files), indicator, F_OK, 0) != 0)
            continue;
        snprintf(name, NAME_MAX + 1, "%.*s", length, file->d_name);
        n_found++;
    }
    closedir(files);
    return n_found;
}

int pc_stream_is_folder(const char *path)
{
    if (!path)
        return 0;
    char name[NAME_MAX + 1];
    return find_datasets(path, name) > 0;
}

static char *join_path(pc_context *context, const char *path, const char *name, const char *suffix)
{
    size_t n_bytes = strlen(path) + 1 + strlen(name) + strlen(suffix) + 1;
    char *joined = pci_alloc(context, n_bytes);
    const char *slash = *path && path[strlen(path) - 1] == '/' ? "" : "/";
    if (joined)
        snprintf(joined, n_bytes, "%s%s%s%s", path, slash, name, suffix);
    return joined;
}

static pc_status find_paths(folder *f, const char *path)
{
    char name[NAME_MAX + 1];
    int n_found = find_datasets(path, name);
    if (n_found < 0)
        return pci_fail(f->context, PC_ERR_NO_INPUT, "%s: cannot be opened: %m", path);
    if (n_found == 0)
        return pci_fail(
            f->context, PC_ERR_NO_INPUT,
            "%s: is a directory, and has not the files NAME%s and NAME%s of a TUDataset", path,
            ENTRIES, INDICATOR);
    if (n_found > 1)
        return pci_fail(
            f->context, PC_ERR_DATA,
            "%s: has %d files NAME%s with their indicators: give each data set a folder "
            "of its own",
            path, n_found, ENTRIES);
    f->entries_path = join_path(f->context, path, name, ENTRIES);
    f->indicator_path = join_path(f->context, path, name, INDICATOR);
    return f->entries_path && f->indicator_path
               ? PC_OK
               : pci_fail_memory(f->context, "the names of files", strlen(path));
}

/* ---- The indicator --------------------------------------------------------------------------- */

/* Reads a number from 1 to `most` of a line. False, and *flaw is set, when it is wrong; the functions below do the same. */
static bool read_number(const pci_line *line, size_t column, const char *what, uint64_t most,
                        const char *beyond, uint64_t *number, pci_flaw *flaw)
{
    pci_integer kind = pci_integer_parse(line->column[column], line->length[column], number);
    if (kind == PCI_NOT_INTEGER || (kind == PCI_INTEGER && *number == 0))
        return pci_column_flaw(line, column, what, "is no number from 1 on", flaw);
    if (kind == PCI_INTEGER_TOO_BIG || *number > most)
        return pci_column_flaw(line, column, what, beyond, flaw);
    return true;
}

/* The graph of each vertex; n_lines is room enough. Numbers never decrease. */
static pc_status read_graph_of(folder *f, const pci_input *input, uint64_t n_lines)
{
    const char *at = input->text, *end = at + input->n_bytes, *begin, *line_end;
    uint64_t most = n_lines + MOST_MISSING, number;
    most = most < PCI_MAX_GRAPH_VERTICES ? most : PCI_MAX_GRAPH_VERTICES;
    for (uint64_t n_read = 0; pci_next_line(&at, end, &begin, &line_end); n_read++) {
        pci_line line;
        pci_flaw flaw;
        bool is_right = pci_line_split(&pci_any_columns, begin, line_end, &line, &flaw);
        if (is_right && line.n_columns > 1)
            is_right = pci_column_flaw(&line, 1, "",
                                       "is too much: a line has the number of one graph", &flaw);
        else if (is_right && line.n_columns == 1)
            is_right = read_number(&line, 0, "graph", most,
                                   "is a number far beyond that of the vertices", &number, &flaw);
        if (is_right && line.n_columns == 1 && number < f->n_graphs)
            is_right = pci_column_flaw(
                &line, 0, "graph",
                "comes after a larger number: vertices are in the order of graphs", &flaw);
        if (!is_right)
            return pci_flaw_report(input, &flaw);
        if (line.n_columns == 1) {
            f->graph_of[f->n_vertices++] = (uint32_t)(number - 1);
            f->n_graphs = number;
        }
        if (n_read % LINES_BETWEEN_LOOKS == 0 && pci_progress(f->context, "read", 0))
            return PC_ERR_CANCELLED;
    }
    return PC_OK;
}

/* Turns the counts of items, which stand one place later, into the begins of the graphs. */
static void add_up(uint64_t *from, uint64_t n)
{
    for (uint64_t g = 0; g < n; g++)
        from[g + 1] += from[g];
}

static pc_status fail_too_large(const folder *f, const char *path, uint64_t n_lines, uint64_t bytes)
{
    return pci_fail(f->context, PC_ERR_MEMORY,
                    "%s: no memory for its %" PRIu64 " lines (%.3g GB, and there are %.3g GB)",
                    path, n_lines, (double)bytes / 1e9,
                    (double)pci_memory_available(f->context) / 1e9);
}

static pc_status make_graphs(folder *f, pci_chunks *chunks)
{
    const pci_input *input = chunks->input;
    uint64_t n_lines = pci_chunks_n_lines(chunks), bytes = n_lines * sizeof *f->graph_of;
    if (n_lines > PCI_MAX_GRAPH_VERTICES)
        return pci_fail(f->context, PC_ERR_DATA,
                        "%s: %" PRIu64 " vertices: at most %" PRIu64 " are possible", input->name,
                        n_lines, PCI_MAX_GRAPH_VERTICES);
    f->graph_of = bytes <= pci_memory_available(f->context) ? pci_alloc(f->context, bytes) : NULL;
    if (!f->graph_of)
        return fail_too_large(f, input->name, n_lines, bytes);
    pc_status status = read_graph_of(f, input, n_lines);
    if (status)
        return status;
    bytes = 2 * (f->n_graphs + 2) * sizeof(uint64_t);
    if (bytes <= pci_memory_available(f->context)) {
        f->vertex_from = pci_alloc_zero(f->context, f->n_graphs + 2, sizeof(uint64_t));
        f->entry_from = pci_alloc_zero(f->context, f->n_graphs + 2, sizeof(uint64_t));
    }
    if (!f->vertex_from || !f->entry_from)
        return fail_too_large(f, input->name, n_lines, bytes);
    for (uint64_t v = 0; v < f->n_vertices; v++)
        f->vertex_from[f->graph_of[v] + 1]++;
    add_up(f->vertex_from, f->n_graphs);
    return PC_OK;
}

/* ---- Entries --------------------------------------------------------------------------------- */

typedef struct entries {
    const folder *folder;
    pci_edges edges;
} entries;

static bool read_entry(const folder *f, const pci_line *line, pci_edge *entry, pci_flaw *flaw)
{
    if (line->n_columns == 1)
        return pci_column_flaw(line, 0, "", "stands alone: an entry has a row and a column", flaw);
    if (line->n_columns > 2)
        return pci_column_flaw(line, 2, "", "is too much: a line is 'row, column'", flaw);
    uint64_t end[2];
    for (size_t column = 0; column < 2; column++)
        if (!read_number(line, column, "vertex", f->n_vertices,
                         "has no line in the graph indicator", &end[column], flaw))
            return false;
    *entry = (pci_edge){(uint32_t)(end[0] - 1), (uint32_t)(end[1] - 1)};
    if (f->graph_of[entry->from] != f->graph_of[entry->to])
        return pci_column_flaw(line, 1, "vertex", "belongs to another graph than the row does",
                               flaw);
    return true;
}

static bool parse_entries(void *user, pci_chunks *chunks, size_t i, const char *at, const char *end)
{
    entries *all = user;
    pci_chunk *chunk = &chunks->chunk[i];
    pci_edge_part *part = &all->edges.parts[i];
    const char *begin, *line_end;
    while (pci_next_line(&at, end, &begin, &line_end)) {
        pci_line line;
        if (!pci_line_split(&pci_any_columns, begin, line_end, &line, &chunk->flaw))
            return false;
        if (line.n_columns == 0)
            continue;
        pci_edge entry;
        if (!read_entry(all->folder, &line, &entry, &chunk->flaw) ||
            !pci_chunk_has_room(chunk, part))
            return false;
        part->edge[part->n_edges++] = entry;
    }
    return true;
}

static pc_status make_entries(folder *f, pci_chunks *chunks)
{
    entries all = {.folder = f};
    uint64_t n_lines = pci_chunks_n_lines(chunks), bytes = 2 * n_lines * sizeof(pci_edge);
    if (bytes > pci_memory_available(f->context))
        return fail_too_large(f, f->entries_path, n_lines, bytes);
    pc_status status = pci_chunks_make_edges(chunks, false, &all.edges);
    if (status)
        return status;
    chunks->last_fraction = 1;
    status = pci_chunks_parse(chunks, parse_entries, &all);
    if (status == PC_OK)
        status = pci_chunks_report(chunks);
    uint64_t n_entries = status == PC_OK ? pci_edges_count(&all.edges) : 0;
    f->entry = status == PC_OK ? pci_alloc(f->context, n_entries * sizeof *f->entry) : NULL;
    if (status == PC_OK && !f->entry)
        status = pci_fail_memory(f->context, "the entries", n_entries * sizeof *f->entry);
    const pci_edge_part *parts = all.edges.parts;
    size_t n_parts = status == PC_OK ? all.edges.n_parts : 0;
    /* Entries go to their graphs. entry_from[g + 1] is the place of the next one of graph g, and in the end the begin of
     * graph g + 1. */
    for (size_t p = 0; p < n_parts; p++)
        for (uint64_t e = 0; e < parts[p].n_edges; e++)
            f->entry_from[f->graph_of[parts[p].edge[e].from] + 2]++;
    if (status == PC_OK)
        add_up(f->entry_from, f->n_graphs + 1);
    for (size_t p = 0; p < n_parts; p++)
        for (uint64_t e = 0; e < parts[p].n_edges; e++) {
            pci_edge entry = parts[p].edge[e];
            uint32_t g = f->graph_of[entry.from], first = (uint32_t)f->vertex_from[g];
            f->entry[f->entry_from[g + 1]++] = (pci_edge){entry.from - first, entry.to - first};
        }
    pci_edges_free(f->context, &all.edges);
    return status;
}

/* ---- The stream ------------------------------------------------------------------------------ */

/* Opens a file. hold loads its text, as far as make needs it in memory. */
static pc_status read_file(folder *f, const char *path, pc_status (*hold)(pci_input *input),
                           pc_status (*make)(folder *f, pci_chunks *chunks))
{
    pci_input input;
    pci_chunks chunks = {0};
    pc_status status = pci_input_open(f->context, path, &input);
    if (status)
        return status;
    status = hold(&input);
    if (status == PC_OK)
        status = pci_chunks_create(&input, 0, PCI_MANY_CHUNKS, &chunks);
    if (status == PC_OK)
        status = make(f, &chunks);
    pci_chunks_free(&chunks);
    pci_input_close(&input);
    return status;
}

static void close_folder(pci_stream_source *source)
{
    folder *f = (folder *)source;
    pci_free(f->context, f->entries_path);
    pci_free(f->context, f->indicator_path);
    pci_free(f->context, f->vertex_from);
    pci_free(f->context, f->entry_from);
    pci_free(f->context, f->entry);
    pci_free(f->context, f);
}

static pc_status next_graphs(pci_stream_source *source, size_t *n_graphs)
{
    folder *f = (folder *)source;
    f->first += f->n_current;
    uint64_t n_left = f->n_graphs - f->first;
    f->n_current = n_left < GRAPHS_A_CHUNK ? n_left : GRAPHS_A_CHUNK;
    *n_graphs = f->n_current;
    return PC_OK;
}

static pc_status decode_graph(const pci_stream_source *source, size_t i, bool keep_repeats,
                              pci_listed *graph, const char **flaw)
{
    const folder *f = (const folder *)source;
    uint64_t g = f->first + i, n_entries = f->entry_from[g + 1] - f->entry_from[g];
    const pci_edge *entry = f->entry + f->entry_from[g];
    *flaw = NULL;
    graph->n_vertices = f->vertex_from[g + 1] - f->vertex_from[g];
    graph->is_directed = true;
    if (graph->n_vertices <=
        PCI_SMALL_VERTICES) { /* as rows of bits, unless an entry is kept that is there twice */
        bool repeats = false;
        pci_listed_clear_rows(graph);
        for (uint64_t e = 0; e < n_entries; e++) {
            uint64_t bit = UINT64_C(1) << entry[e].to;
            repeats |= graph->row[entry[e].from] & bit;
            graph->row[entry[e].from] |= bit;
        }
        graph->n_entries = pci_listed_count_entries(graph);
        if (!repeats || !keep_repeats)
            return PC_OK;
    }
    graph->is_small = false;
    pc_status status = pci_listed_reserve(graph, n_entries);
    if (status)
        return status;
    for (uint64_t e = 0; e < n_entries; e++) {
        graph->from[e] = entry[e].from;
        graph->to[e] = entry[e].to;
    }
    graph->n_edges = n_entries;
    return PC_OK;
}

static pc_status fail_graph(pci_stream_source *source, size_t i, const char *flaw)
{
    const folder *f = (const folder *)source;
    return pci_fail(f->context, PC_ERR_DATA, "%s: graph %" PRIu64 ": %s", f->entries_path,
                    f->first + i + 1, flaw);
}

pc_status pci_stream_folder_open(pc_context *context, const char *path, pci_stream_source **source)
{
    static const pci_stream_kind kind = {close_folder, next_graphs, decode_graph, fail_graph};
    folder *f = pci_alloc_zero(context, 1, sizeof *f);
    if (!f)
        return pci_fail_memory(context, "a stream", sizeof *f);
    f->base.kind = &kind;
    f->context = context;
    pc_status status = find_paths(f, path);
    if (status == PC_OK)
        status = read_file(f, f->indicator_path, pci_input_load, make_graphs);
    if (status == PC_OK)
        status = read_file(f, f->entries_path, pci_input_unpack, make_entries);
    pci_free(context, f->graph_of);
    f->graph_of = NULL;
    if (status)
        close_folder(&f->base);
    else
        *source = &f->base;
    return status;
}
