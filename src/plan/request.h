/* A question that makes sense: what is asked of which graph, with every default filled in. */
#ifndef PCI_REQUEST_H
#define PCI_REQUEST_H

#include "graphs/partition.h"
#include "src/plan/bound.h"
#include "src/residues/residues.h"

typedef struct pci_request {
    pc_context *context;
    const pc_graph *graph;
    pc_query query; /* of a trace: of PC_QUERY_CLOSED, whose answers are to be added up */
    bool is_trace;
    bool only_diagonal; /* closed paths, also where a matrix that they are read off is planned */
    pc_count_options options; /* n_certify_rounds: 1 to 64, or 0 for no certificate */
    const pci_moduli *moduli;
    pci_limits *limits;       /* of the entries of powers: each length is bounded at most once */
    uint64_t available_bytes; /* of memory when the question was asked */
} pci_request;

/* Checks a question. PC_ERR_ARGUMENT, PC_ERR_RANGE for whole matrices of too many vertices, PC_ERR_ENGINE.
 * moduli and limits are left to the caller. */
pc_status pci_request_make(pc_context *context, const pc_graph *graph, const pc_query *query,
                           const pc_count_options *options, pci_request *request);

/* How often what an answer is gathered in is kept: twice where answers are certified, to be compared. */
static inline int pci_request_n_copies(const pci_request *request)
{
    return request->options.n_certify_rounds ? 2 : 1;
}

/* A checksum of what is asked, with the vertices that are asked for. */
uint64_t pci_request_checksum(const pci_request *request);

static inline bool pci_request_is_matrix(const pci_request *request)
{
    return request->query.kind == PC_QUERY_MATRIX;
}

/* Sweeps of a graph in parts are saved, or only predicted: then nothing else is done with it. */
static inline bool pci_request_is_saved(const pci_request *request)
{
    const pci_parts *parts = request->graph->parts;
    return parts && parts->saves && parts->saves(parts);
}

/* The row or the column of one vertex. */
static inline bool pci_request_has_start(const pci_request *request)
{
    pc_query_kind kind = request->query.kind;
    return (kind == PC_QUERY_FROM || kind == PC_QUERY_TO) && request->query.n_asked == 1;
}

/* One vector of exact counts of all paths answers it: a sum over all vertices, or as above. */
static inline bool pci_request_is_single(const pci_request *request)
{
    pc_query_kind kind = request->query.kind;
    bool is_sum = kind == PC_QUERY_TOTAL || kind == PC_QUERY_STARTS || kind == PC_QUERY_ENDS;
    return (is_sum || pci_request_has_start(request)) && request->options.arithmetic == PC_EXACT &&
           request->query.paths == PC_PATHS_ALL;
}

/* Answers of several lengths are wanted, apart or added up. */
static inline bool pci_request_has_lengths(const pci_request *request)
{
    return request->query.each || request->query.up_to;
}

/* One number of one length is wanted, an integer or a residue: it has a recurrence. */
static inline bool pci_request_is_number(const pci_request *request)
{
    const pc_query *query = &request->query;
    return !pci_request_has_lengths(request) && request->options.arithmetic != PC_FLOAT &&
           (query->kind == PC_QUERY_TOTAL || request->is_trace ||
            (query->kind == PC_QUERY_PAIRS && query->n_asked == 1));
}

/* Exact counts of all paths of one length: what a power of A tells. */
static inline bool pci_request_is_of_power(const pci_request *request)
{
    return !pci_request_has_lengths(request) && request->options.arithmetic == PC_EXACT &&
           request->query.paths == PC_PATHS_ALL && !request->query.partition;
}

/* Bytes of a graph's matrix. */
static inline uint64_t pci_graph_bytes(const pc_graph *graph)
{
    uint64_t per_arc = sizeof *graph->column + (graph->weight ? sizeof *graph->weight : 0);
    if (graph->parts) /* what is in this process is not counted */
        return 0;
    return (graph->n + 1) * sizeof *graph->row_start + pci_graph_n_arcs(graph) * per_arc;
}

/* The memory that a plan may use, beside the graph that is there already. */
static inline uint64_t pci_request_available(const pci_request *request)
{
    return request->available_bytes +
           (request->context->memory_limit_bytes ? 0 : pci_graph_bytes(request->graph));
}

/* The bytes of a program that does nothing, and of each thread that writes a file. Beside whole
 * matrices as powers they are nothing, beside a few rows they are much. */
enum { PCI_PROGRAM_BYTES = 8 << 20, PCI_WRITING_BYTES = 2 << 20 };

static inline uint64_t pci_program_bytes(const pci_request *request)
{
    uint64_t n_writing = request->query.keeps ? 0 : (uint64_t)pci_n_threads(request->context);
    return PCI_PROGRAM_BYTES + n_writing * PCI_WRITING_BYTES;
}

#endif
