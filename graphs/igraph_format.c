/* The file formats of igraph and how igraph is asked to read each. */
#include "graphs/igraph_format.h"
#include "graphs/pathcount_igraph.h"
#include "src/core/letters.h"

#include <string.h>

static igraph_error_t read_graphml(igraph_t *igraph, FILE *file)
{
    return igraph_read_graph_graphml(igraph, file, 0);
}

/* NCOL and LGL do not state a direction; igraph keeps the order of the ends only of arcs. */
static igraph_error_t read_ncol(igraph_t *igraph, FILE *file)
{
    return igraph_read_graph_ncol(igraph, file, NULL, true, IGRAPH_ADD_WEIGHTS_IF_PRESENT,
                                  IGRAPH_DIRECTED);
}

static igraph_error_t read_lgl(igraph_t *igraph, FILE *file)
{
    return igraph_read_graph_lgl(igraph, file, true, IGRAPH_ADD_WEIGHTS_IF_PRESENT,
                                 IGRAPH_DIRECTED);
}

static igraph_error_t read_dl(igraph_t *igraph, FILE *file)
{
    return igraph_read_graph_dl(igraph, file, IGRAPH_DIRECTED);
}

static const pci_igraph_format formats[] = {
    {.name = "graphml",
     .title = "GraphML",
     .scan = pci_igraph_scan_graphml,
     .read = read_graphml,
     .weights = {"weight"}},
    {.name = "gml",
     .title = "GML",
     .scan = pci_igraph_scan_gml,
     .read = igraph_read_graph_gml,
     .has_entities = true,
     .weights = {"weight", "value"}},
    {.name = "pajek",
     .title = "Pajek",
     .scan = pci_igraph_scan_pajek,
     .read = igraph_read_graph_pajek,
     .first_number = 1,
     .weights = {"weight"}},
    {.name = "lgl",
     .title = "LGL",
     .scan = pci_igraph_scan_lgl,
     .read = read_lgl,
     .read_directed = true,
     .weights = {"weight"}},
    {.name = "ncol",
     .title = "NCOL",
     .scan = pci_igraph_scan_ncol,
     .read = read_ncol,
     .read_directed = true,
     .weights = {"weight"}},
    {.name = "dl",
     .title = "DL",
     .scan = pci_igraph_scan_dl,
     .read = read_dl,
     .read_directed = true,
     .trim_labels = true,
     .first_number = 1,
     .weights = {"weight"}},
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

const char *pc_igraph_format_name(unsigned i)
{
    return i < N_FORMATS ? formats[i].name : NULL;
}

unsigned pci_igraph_format_number(const pci_igraph_format *format)
{
    return (unsigned)(format - formats);
}

const pci_igraph_format *pci_igraph_format_at(unsigned number)
{
    return number < N_FORMATS ? &formats[number] : NULL;
}

const char *pc_igraph_format_of(const char *path)
{
    const pc_file_format *format = pc_file_format_of(path, NULL);
    return format != NULL && format->needs_igraph ? format->name : NULL;
}

pc_status pci_igraph_format_find(pc_context *context, const char *path, const char *name,
                                 const pci_igraph_format **found)
{
    const char *wanted = name ? name : pc_igraph_format_of(path);
    for (size_t i = 0; wanted && i < N_FORMATS; i++) {
        if (strlen(wanted) == strlen(formats[i].name) &&
            pci_equal_any_case(wanted, formats[i].name, strlen(wanted))) {
            *found = &formats[i];
            return PC_OK;
        }
    }
    if (name) {
        return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                               "%s is no format of igraph; those are graphml, gml, pajek, lgl, "
                               "ncol and dl",
                               name);
    }
    return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                           "%s: the name does not tell the format; say which of graphml, gml, "
                           "pajek, lgl, ncol and dl it is",
                           path);
}
