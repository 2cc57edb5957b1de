/* The table of file formats. A new format or ending is a row here. */
#include "graphs/graph.h"

#include "src/core/number.h"

#include <stdio.h>
#include <string.h>

/* An ending comes before those that it ends in. */
static const pc_file_format formats[] = {
    {".pairs.tsv", "edges", PC_FORMAT_EDGE_LIST, .reads_graphs = 1, .writes_matrices = 1},
    {".pairs", "edges", PC_FORMAT_EDGE_LIST, .reads_graphs = 1, .writes_matrices = 1},
    {".tsv", "edges", PC_FORMAT_EDGE_LIST, .reads_graphs = 1, .writes_graphs = 1,
     .writes_matrices = 1},
    {".csv", "edges", PC_FORMAT_EDGE_LIST, .reads_graphs = 1, .writes_graphs = 1,
     .writes_matrices = 1},
    {".txt", "edges", PC_FORMAT_EDGE_LIST, .reads_graphs = 1, .writes_graphs = 1},
    {".edges", "edges", PC_FORMAT_EDGE_LIST, .reads_graphs = 1},
    {".edgelist", "edges", PC_FORMAT_EDGE_LIST, .reads_graphs = 1},
    {".el", "edges", PC_FORMAT_EDGE_LIST, .reads_graphs = 1},
    {".mtx", "mtx", PC_FORMAT_MATRIX_MARKET, .reads_graphs = 1, .writes_graphs = 1,
     .writes_matrices = 1},
    {".npy", "npy", PC_FORMAT_NPY, .reads_graphs = 1, .writes_matrices = 1},
    {".npz", "npz", PC_FORMAT_NPZ, .reads_graphs = 1, .writes_matrices = 1, .is_archive = 1},
    {".json", "json", PC_FORMAT_JSON, .reads_graphs = 1, .writes_matrices = 1},
    {".adjlist", "adjlist", PC_FORMAT_ADJACENCY_LIST, .reads_graphs = 1},
    {".multiline-adjlist", "multiline-adjlist", PC_FORMAT_MULTILINE_ADJACENCY_LIST,
     .reads_graphs = 1},
    {".tuples", "tuples", PC_FORMAT_TUPLES, .reads_graphs = 1},
    {".metis", "metis", PC_FORMAT_METIS, .reads_graphs = 1},
    {".graph", "metis", PC_FORMAT_METIS, .reads_graphs = 1},
    {".gr", "dimacs", PC_FORMAT_DIMACS, .reads_graphs = 1},
    {".col", "dimacs", PC_FORMAT_DIMACS, .reads_graphs = 1},
    {".clq", "dimacs", PC_FORMAT_DIMACS, .reads_graphs = 1},
    {".max", "dimacs", PC_FORMAT_DIMACS, .reads_graphs = 1},
    {".dimacs", "dimacs", PC_FORMAT_DIMACS, .reads_graphs = 1},
    {".sif", "sif", PC_FORMAT_SIF, .reads_graphs = 1},
    {".matrix", "matrix", PC_FORMAT_MATRIX, .reads_graphs = 1},
    {".g6", "graph6", PC_FORMAT_GRAPH6, .reads_graphs = 1},
    {".s6", "graph6", PC_FORMAT_GRAPH6, .reads_graphs = 1},
    {".d6", "graph6", PC_FORMAT_GRAPH6, .reads_graphs = 1},
    {".sg", "sg", PC_FORMAT_SERIALIZED, .reads_graphs = 1, .writes_graphs = 1},
    {".wsg", "sg", PC_FORMAT_SERIALIZED, .reads_graphs = 1, .writes_graphs = 1},
    {".graphml", "graphml", PC_FORMAT_GRAPHML, .reads_graphs = 1, .writes_graphs = 1},
    {".gml", "gml", PC_FORMAT_GML, .reads_graphs = 1, .writes_graphs = 1},
    {".net", "pajek", PC_FORMAT_PAJEK, .reads_graphs = 1, .writes_graphs = 1},
    {".paj", "pajek", PC_FORMAT_PAJEK, .reads_graphs = 1},
    {".lgl", "lgl", PC_FORMAT_LGL, .reads_graphs = 1},
    {".ncol", "ncol", PC_FORMAT_NCOL, .reads_graphs = 1},
    {".dl", "dl", PC_FORMAT_DL, .reads_graphs = 1},
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
