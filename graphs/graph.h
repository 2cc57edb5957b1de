/* The graph: adjacency matrix in compressed rows (CSR), labels, and facts about the input; sparse matrices of other shapes. */
#ifndef PCI_GRAPH_H
#define PCI_GRAPH_H

#include "src/core/context.h"
#include "graphs/labels.h"
#include "pathcount_chain.h"
#include "src/tool.h"

/* A pass over edges or arcs, of which building takes several, takes so long for each. */
#define PCI_EDGE_SECONDS 8e-9

/* ---- Graphs in parts ---------------------------------------------------------------------------- */

/* The arcs of a graph may lie in several processes (src/cluster). The pc_graph that a caller holds has the labels of all
 * vertices then, but no rows, columns and weights. */

/* Products y = A x of vectors of all vertices, which the calling process holds. */
typedef enum pci_parts_product {
    PCI_PARTS_MODULAR,      /* pci_graph_multiply_mod */
    PCI_PARTS_MODULAR_PAIR, /* pci_graph_multiply_mod_pair */
    PCI_PARTS_BOUND,        /* pci_bound_rows of doubles that may have been rounded */
    PCI_PARTS_BOUND_WHOLE,  /* ... of whole numbers */
    PCI_PARTS_WORDS,        /* pci_graph_add_words */
    PCI_PARTS_CHAIN,        /* pci_chain_rows */
    PCI_PARTS_CHAIN_SUMS    /* pci_chain_sums; x is not read */
} pci_parts_product;

struct pci_engine;

typedef struct pci_parts pci_parts;

/* Work on vectors of integers that lie in parts too: each process has the entries of its vertices
 * (src/vectors/long_vector.h), and what certifies steps of them (src/certify/step_check.h). Both have numbers. */
typedef enum pci_slices_work {
    PCI_SLICES_CREATE, /* n_vectors with entries of n_words; a: the number of the first one, filled in */
    PCI_SLICES_FREE,    /* a and those that were made with it */
    PCI_SLICES_FILL,    /* a, of entries of n_words: value, and 1 at the vertex if there is one */
    PCI_SLICES_DEGREES, /* a; results: bits of the largest entry */
    PCI_SLICES_STEP,    /* b = A a, of n_words; results: as above */
    PCI_SLICES_ADD,     /* a to b */
    PCI_SLICES_DOT,     /* results: <a, b> */
    PCI_SLICES_COUNT_OTHERS, /* results: entries of a that are not 1 */
    PCI_SLICES_READ,         /* results: the entries of a that process `owner` has */
    PCI_SLICES_CHECK_CREATE, /* check of n_steps at once, whose number is filled in, from the words given; along: of the
                              * vectors, the same graph unless n_steps is 1 */
    PCI_SLICES_CHECK_IMAGES, /* results: w of each pair (src/certify/step_check.c) at the vertices given */
    PCI_SLICES_CHECK_FREE,
    PCI_SLICES_CHECK_DOTS, /* of a; results: pci_step_check_dots */
    PCI_SLICES_CHECK_R_DOTS, /* of a and those that were made with it; results: pci_step_check_r_dots */
    PCI_SLICES_CHECK_PRODUCT /* of a and b; results: pci_step_check_product_dots */
} pci_slices_work;

typedef struct pci_slices_call {
    pci_slices_work work;
    uint32_t a, b, check; /* numbers */
    uint32_t n_words, n_vectors;
    int owner;
    bool adds;
    uint64_t value, vertex, n_steps;
    const pci_parts *along;
    size_t n_given, n_results; /* words */
    const uint64_t *given;
    uint64_t *results;
} pci_slices_call;

/* Numbers of vectors that are made together are so far apart. */
enum { PCI_SLICES_STRIDE = 16 };

struct pci_parts {
    /* Cannot fail: it allocates nothing, and a process that dies ends all. moduli: of modular products, of which those of
     * pairs need prepare_pairs once. */
    void (*multiply)(pci_parts *parts, pci_parts_product product, const uint64_t *moduli,
                     const void *x, void *y);

    /* PC_ERR_MEMORY. */
    pc_status (*prepare_pairs)(pci_parts *parts, pc_context *context);

    /* The work of all processes. PC_ERR_MEMORY, PC_ERR_RANGE when there are too many vectors. */
    pc_status (*slices)(pci_parts *parts, pc_context *context, pci_slices_call *call);

    /* The graph with every arc reversed, in parts too. PC_ERR_MEMORY. */
    pc_status (*reverse)(pci_parts *parts, pc_context *context, const pc_graph *graph,
                         pc_graph **reverse);

    /* PC_ERR_CERTIFY when the arcs are not those that were distributed. */
    pc_status (*check)(pci_parts *parts, pc_context *context);

    void (*free)(pci_parts *parts);

    const struct pci_engine *
        engine; /* its sweeps send vectors along the arcs; it squares where it has the graph whole */
    int n_processes;
    const uint64_t *
        first; /* [n_processes + 1]: process r has vertices first[r] .. first[r + 1] - 1; this one is 0 */
    uint64_t n_arcs, largest_degree;
    double degree_squares; /* added up */
};

/* ---- The graph ---------------------------------------------------------------------------------- */

/* The classes that the vertices of a quotient stand for (graphs/partition.h). Engines that know them make the entries
 * between classes in place of a power of the matrix. */
typedef struct pci_classes {
    const uint64_t *size;       /* [n] NULL: the graph is no such quotient */
    const uint8_t *is_adjacent; /* [n] */
} pci_classes;

enum { PCI_NOTE_BYTES = 200, PCI_SEALED_PARTS = 3 };

struct pc_graph {
    pc_context *context;
    uint64_t n; /* vertices */
    uint64_t *
        row_start; /* [n + 1]: arcs of row i are row_start[i] .. row_start[i + 1] - 1; NULL: in parts */
    uint32_t *column; /* [n_arcs]: ascending within a row, no duplicates */
    uint64_t *weight; /* [n_arcs]: entry of A, >= 1; NULL when every entry is 1 */
    uint32_t *text;   /* [n_arcs]: numbers of texts, of labelled edges alone; NULL: arcs have none.
                       * A column is there once for each text, in their order */
    bool symmetric;   /* A is its own transpose because the graph is undirected */
    pci_parts *parts; /* where the arcs are, when there are none here; else NULL */
    pci_classes classes; /* not owned */

    /* The largest row sum of the whole graph, where this one is in parts or is a part; else 0. */
    uint64_t largest_row_sum;

    pci_labels labels;
    pci_labels texts;          /* of arcs, numbered by their first appearance */
    char note[PCI_NOTE_BYTES]; /* of the info; "" for none */
    pc_graph_info info;        /* its note is set when somebody asks */

    /* Last: see pci_graph_seal. */
    bool is_sealed;
    uint64_t seal[PCI_SEALED_PARTS];
};

static inline uint64_t pci_graph_n_arcs(const pc_graph *graph)
{
    if (graph->parts)
        return graph->parts->n_arcs;
    return graph->row_start[graph->n];
}

/* The entry of A that an arc is. */
static inline uint64_t pci_graph_weight(const pc_graph *graph, uint64_t arc)
{
    return graph->weight ? graph->weight[arc] : 1;
}

/* The most arcs that a row has. */
static inline uint64_t pci_graph_largest_degree(const pc_graph *graph)
{
    uint64_t largest = 0;
    if (graph->parts)
        return graph->parts->largest_degree;
    for (uint64_t i = 0; i < graph->n; i++) {
        uint64_t degree = graph->row_start[i + 1] - graph->row_start[i];
        largest = degree > largest ? degree : largest;
    }
    return largest;
}

/* The squares of the arcs of all rows, added up. */
static inline double pci_graph_degree_squares(const pc_graph *graph)
{
    double squares = 0;
    if (graph->parts)
        return graph->parts->degree_squares;
    for (uint64_t i = 0; i < graph->n; i++) {
        double degree = (double)(graph->row_start[i + 1] - graph->row_start[i]);
        squares += degree * degree;
    }
    return squares;
}

/* The arc between two vertices, or the number of arcs when there is none. */
uint64_t pci_graph_find_arc(const pc_graph *graph, uint64_t from, uint64_t to);

/* The largest sum of a row of A, 2^64 - 1 for anything above. */
static inline uint64_t pci_graph_largest_row_sum(const pc_graph *graph)
{
    uint64_t largest = 0;
    if (graph->largest_row_sum)
        return graph->largest_row_sum;
    if (!graph->weight)
        return pci_graph_largest_degree(graph);
    for (uint64_t i = 0; i < graph->n; i++) {
        uint64_t sum = 0;
        for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++)
            if (__builtin_add_overflow(sum, graph->weight[a], &sum))
                return UINT64_MAX;
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

/* PC_ERR_ARGUMENT when the arcs lie in other processes, for what needs them here. */
static inline pc_status pci_graph_need_arcs(pc_context *context, const pc_graph *graph)
{
    if (!graph->parts)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "the graph lies in parts in several processes, and this needs all of its arcs: "
                    "do it in one process");
}

/* Notes a hash of the graph, for pc_graph_check. Whatever makes a graph for callers calls it last. */
void pci_graph_seal(pc_context *context, pc_graph *graph);

/* The vertices in topological order, *order[n], to be freed by pci_free, and the arcs of the longest path; *order is NULL
 * when there is a cycle, such as any edge of an undirected graph. PC_ERR_MEMORY. */
pc_status pci_graph_order(pc_context *context, const pc_graph *graph, uint32_t **order,
                          uint64_t *longest);

/* The graph with every arc reversed, columns ascending, vertices labelled by their numbers.
 * PC_ERR_MEMORY. */
pc_status pci_graph_reverse(pc_context *context, const pc_graph *graph, pc_graph **reverse);

/* *arc becomes an arc whose opposite one is missing or has another weight, or the number of arcs when there is none.
 * PC_ERR_MEMORY. */
pc_status pci_graph_find_one_way(pc_context *context, const pc_graph *graph, uint64_t *arc);

/* A directed graph without such arcs becomes undirected, as pci_graph_join_mutual does it. */
void pci_graph_set_undirected(pc_graph *graph, bool is_matrix);

/* Makes a directed graph undirected when each arc is there in both directions: then the adjacency
 * matrix is the same. The second direction of an edge counts as a duplicate, unless the arcs are the
 * entries of a matrix. PC_ERR_MEMORY. */
pc_status pci_graph_join_mutual(pc_context *context, pc_graph *graph, bool is_matrix);

/* ---- Sparse matrices ---------------------------------------------------------------------------- */

/* A sparse matrix of any shape in compressed rows, whose entries are integers of a fixed number of words: a relation,
 * or a product of some. */

/* All zero is the matrix without rows and columns; pci_sparse_free is the only function that takes
 * it. */
typedef struct pci_sparse {
    uint64_t n_rows, n_columns; /* each below 2^32 */
    uint64_t *row_start;        /* [n_rows + 1] */
    uint32_t *column;           /* [n_entries]: all different within a row */
    uint64_t *limbs;            /* [n_entries][n_limbs]; NULL: every entry is 1 */
    uint32_t n_limbs;           /* words of an entry, least significant first */
    bool is_borrowed;           /* the arrays belong to another matrix */
} pci_sparse;

static inline uint64_t pci_sparse_n_entries(const pci_sparse *matrix)
{
    return matrix->row_start[matrix->n_rows];
}

/* Room for n_entries of n_limbs words (0: they are all 1); row_start[n_rows] is set, the rest is
 * for the caller. PC_ERR_MEMORY, before anything is allocated if that much memory is not there. */
pc_status pci_sparse_create(pc_context *context, uint64_t n_rows, uint64_t n_columns,
                            uint64_t n_entries, uint32_t n_limbs, pci_sparse *matrix);
void pci_sparse_free(pc_context *context, pci_sparse *matrix);

/* The same arrays under another name. */
pci_sparse pci_sparse_borrow(const pci_sparse *matrix);

/* Ones on the diagonal. */
pc_status pci_sparse_identity(pc_context *context, uint64_t n, pci_sparse *matrix);

/* Its columns ascend within a row. */
pc_status pci_sparse_transpose(pc_context *context, const pci_sparse *matrix,
                               pci_sparse *transposed);

/* The arrays of a graph under the name of a matrix. */
static inline pci_sparse pci_graph_matrix(const pc_graph *graph)
{
    return (pci_sparse){.n_rows = graph->n,
                        .n_columns = graph->n,
                        .row_start = graph->row_start,
                        .column = graph->column,
                        .limbs = graph->weight,
                        .n_limbs = 1,
                        .is_borrowed = true};
}

/* A directed graph takes over the arrays of a square matrix of one word, whatever the status. Vertices are labelled by their
 * numbers; info has the sizes. PC_ERR_MEMORY. */
pc_status pci_graph_adopt(pc_context *context, pci_sparse *matrix, pc_graph **graph);

/* ---- Relations ---------------------------------------------------------------------------------- */

/* A sparse matrix of multiplicities, and the labels of its rows and columns. */
struct pc_relation {
    pc_context *context;
    pci_sparse matrix; /* words of one limb, none 0; columns ascend within a row */
    pci_labels rows, columns;
    char note[PCI_NOTE_BYTES]; /* of the info; "" for none */
    pc_relation_info info;     /* its note is set when somebody asks */
};

/* A relation from the arcs of a directed graph. Its rows are the vertices with is_row[vertex] not
 * 0, in their order, and its columns likewise. Each arc goes from a row to a column. The graph is
 * taken over, whatever the status. */
pc_status pci_relation_from_graph(pc_context *context, pc_graph *graph, const unsigned char *is_row,
                                  const unsigned char *is_column, pc_relation **relation);

/* Makes the same relation read backwards. */
pc_status pci_relation_transpose(pc_context *context, const pc_relation *relation,
                                 pc_relation **transposed);

/* ---- Formats of files --------------------------------------------------------------------------- */

enum { PCI_FILE_FORMAT_BYTES = 256 }; /* enough for a list of endings */

/* ".tsv, .csv or .mtx": the endings that graphs, or matrices, are written to. */
const char *pci_file_format_list(bool of_graphs, char text[PCI_FILE_FORMAT_BYTES]);

#endif
