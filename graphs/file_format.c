/* The table of file formats. A new format or ending is a row here. */
#include "graphs/graph.h"

#include "src/core/number.h"

#include <stdio.h>
#include <string.h>

/* An ending comes before those that it ends in. */
static const pc_file_format formats[] = {
    {".pairs.tsv", "edges", .format = PC_FORMAT_EDGE_LIST, .writes_matrices = 1},
    {".pairs", "edges", .format = PC_FORMAT_EDGE_LIST, .writes_matrices = 1},
    {".tsv", "edges", .format = PC_FORMAT_EDGE_LIST, .writes_graphs = 1, .writes_matrices = 1},
    {".csv", "edges", .format = PC_FORMAT_EDGE_LIST, .writes_graphs = 1, .writes_matrices = 1},
    {".txt", "edges", .format = PC_FORMAT_EDGE_LIST, .writes_graphs = 1},
    {".edges", "edges", .format = PC_FORMAT_EDGE_LIST},
    {".edgelist", "edges", .format = PC_FORMAT_EDGE_LIST},
    {".el", "edges", .format = PC_FORMAT_EDGE_LIST},
    {".mtx", "mtx", .format = PC_FORMAT_MATRIX_MARKET, .writes_graphs = 1, .writes_matrices = 1},
    {".npy", "npy", .format = PC_FORMAT_NPY, .writes_matrices = 1},
    {".npz", "npz", .format = PC_FORMAT_NPZ, .writes_matrices = 1, .is_archive = 1},
    {".json", "json", .format = PC_FORMAT_JSON, .writes_matrices = 1},
    {".adjlist", "adjlist", .format = PC_FORMAT_ADJACENCY_LIST},
    {".multiline-adjlist", "multiline-adjlist", .format = PC_FORMAT_MULTILINE_ADJACENCY_LIST},
    {".tuples", "tuples", .format = PC_FORMAT_TUPLES},
    {".metis", "metis", .format = PC_FORMAT_METIS},
    {".graph", "metis", .format = PC_FORMAT_METIS},
    {".gr", "dimacs", .format = PC_FORMAT_DIMACS},
    {".col", "dimacs", .format = PC_FORMAT_DIMACS},
    {".clq", "dimacs", .format = PC_FORMAT_DIMACS},
    {".max", "dimacs", .format = PC_FORMAT_DIMACS},
    {".dimacs", "dimacs", .format = PC_FORMAT_DIMACS},
    {".sif", "sif", .format = PC_FORMAT_SIF},
    {".matrix", "matrix", .format = PC_FORMAT_MATRIX},
    {".g6", "graph6", .format = PC_FORMAT_GRAPH6},
    {".s6", "graph6", .format = PC_FORMAT_GRAPH6},
    {".d6", "graph6", .format = PC_FORMAT_GRAPH6},
    {".sg", "sg", .format = PC_FORMAT_SERIALIZED, .writes_graphs = 1},
    {".wsg", "sg", .format = PC_FORMAT_SERIALIZED, .writes_graphs = 1},
    {".graphml", "graphml", .format = PC_FORMAT_GRAPHML, .writes_graphs = 1},
    {".gml", "gml", .format = PC_FORMAT_GML, .writes_graphs = 1},
    {".net", "pajek", .format = PC_FORMAT_PAJEK, .writes_graphs = 1},
    {".paj", "pajek", .format = PC_FORMAT_PAJEK},
    {".lgl", "lgl", .format = PC_FORMAT_LGL},
    {".ncol", "ncol", .format = PC_FORMAT_NCOL},
    {".dl", "dl", .format = PC_FORMAT_DL},
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static bool ends_with(const char *name, size_t length, const char *ending)
{
    size_t n = strlen(ending);
    return length >= n && pci_equal_any_case(name + length - n, ending, n);
}

const pc_file_format *pc_file_format_at(unsigned i)
{
    return i < N_FORMATS ? &formats[i] : NULL;
}

const pc_file_format *pc_file_format_of(const char *path, size_t *stem)
{
    static const char *const packed[] = {".gz", ".zst", ".xz", ".bz2"};
    if (!path)
        return NULL;
    size_t length = strlen(path), p = 0;
    while (p < sizeof packed / sizeof *packed && !ends_with(path, length, packed[p]))
        p++;
    if (p < sizeof packed / sizeof *packed)
        length -= strlen(packed[p]);
    const pc_file_format *found = NULL;
    for (size_t i = 0; i < N_FORMATS && !found; i++)
        if (ends_with(path, length, formats[i].ending))
            found = &formats[i];
    if (stem)
        *stem = found ? length - strlen(found->ending) : length;
    return found;
}

const char *pci_file_format_list(bool of_graphs, char text[PCI_FILE_FORMAT_BYTES])
{
    const char *last = NULL;
    int length = 0;
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (!(of_graphs ? formats[i].writes_graphs : formats[i].writes_matrices))
            continue;
        if (last)
            length += snprintf(text + length, PCI_FILE_FORMAT_BYTES - (size_t)length, "%s%s",
                               length > 0 ? ", " : "", last);
        last = formats[i].ending;
    }
    snprintf(text + length, PCI_FILE_FORMAT_BYTES - (size_t)length, " or %s", last);
    return text;
}
