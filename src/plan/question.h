/* A question that makes sense: what is asked of which graph, with every default filled in. */
#ifndef PCI_QUESTION_H
#define PCI_QUESTION_H

#include "graphs/partition.h"
#include "src/engine/engine.h"
#include "src/plan/limits.h"
#include "src/residues/residues.h"

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* The kinds of question are rows of one table (src/plan/kinds.c). Planning, counting and reading
 * answers look at the columns of a row, never at the name of a kind. */

/* The numbers of an answer are read off the rows of a power, or off vectors that are sent through
 * the graph. */
typedef enum pci_reads {
    PCI_READS_ROWS,     /* every entry of a row (of a column, where vectors go along the arcs) */
    PCI_READS_ENTRIES,  /* one entry for each pair of vertices */
    PCI_READS_DIAGONAL, /* the entry of each vertex with itself */
    PCI_READS_SUMS,     /* the sum of each row, or of each column */
    PCI_READS_TOTAL     /* the sum of all entries */
} pci_reads;

typedef struct pci_question_kind {
    pci_reads reads;
    bool has_from, has_to; /* the question lists vertices where paths begin, or end */
    bool is_matrix;        /* each vertex, or each block of a partition, has a row */

    /* Vectors go along reversed arcs, X A instead of A X. Pairs take the way with fewer vectors. */
    bool reversed;

    bool is_summed; /* the rows of the answer are added up */
} pci_question_kind;

/* The row of a kind; NULL when there is no such kind. */
const pci_question_kind *pci_kind_row(pc_query_kind kind);

/* The kind that reads this of all vertices, for those who ask without an option of their own. */
pc_query_kind pci_kind_that_reads(pci_reads reads, bool is_summed);

/* One vector that begins as all ones answers the question. */
static inline bool pci_kind_is_of_all(const pci_question_kind *kind)
{
    return kind->reads == PCI_READS_SUMS || kind->reads == PCI_READS_TOTAL;
}

/* The answer is made of single entries, which are picked from vectors and kept until all are
 * there. */
static inline bool pci_kind_has_entries(const pci_question_kind *kind)
{
    return kind->reads == PCI_READS_ENTRIES || kind->reads == PCI_READS_DIAGONAL;
}

/* ---- Questions ------------------------------------------------------------------------------- */

typedef struct pci_method pci_method; /* src/plan/plan.h */

typedef struct pci_question {
    pc_context *context;
    const pc_graph *graph;
    pc_query query;
    const pci_question_kind *kind; /* the row of its kind */
    bool only_diagonal;       /* of closed paths, also where a matrix is planned to read them off */
    pc_count_options options; /* n_certify_rounds: 1 to 64, or 0 for no certificate */
    const pci_moduli *moduli;
    pci_limits *limits;        /* of the entries of powers: each length is bounded at most once */
    const pc_plan_info *dense; /* levels of a whole matrix, where one is planned; else NULL */
    bool makes_shorter;        /* of a matrix: those of shorter lengths are squared, too */
    bool makes_rows;           /* of a matrix that is listed: pci_may_make_rows, guessed once */
    uint64_t available_bytes;  /* of memory when the question was asked */
} pci_question;

/* given, NULL meaning defaults, with every default filled in: n_certify_rounds is 1 to 64, or 0 for
 * no certificate. PC_ERR_ARGUMENT when they make no sense. */
pc_status pci_options_complete(pc_context *context, const pc_count_options *given,
                               pc_count_options *complete);

/* Checks a question. PC_ERR_ARGUMENT, PC_ERR_RANGE for whole matrices of too many vertices,
 * PC_ERR_ENGINE. moduli, limits and dense are left to the caller. */
pc_status pci_question_make(pc_context *context, const pc_graph *graph, const pc_query *query,
                            const pc_count_options *options, pci_question *question);

/* Refuses questions that a graph in parts cannot answer, also while the graph is whole. PC_ERR_ARGUMENT,
 * PC_ERR_ENGINE. */
pc_status pci_question_check_parts(const pci_question *question);

/* A checksum of what is asked, with the vertices that are asked for. */
uint64_t pci_question_checksum(const pci_question *question);

/* Rows and columns of an answer for one length, before rows are added up. */
typedef struct pci_shape {
    uint64_t n_rows, n_columns;
} pci_shape;

pci_shape pci_question_shape(const pci_question *question);

/* Vectors that answer the question when each begins at one vertex, or one as all ones. */
uint64_t pci_question_n_vectors(const pci_question *question);

/* Answers are gathered twice where they are certified, and the copies compared. */
static inline int pci_question_n_copies(const pci_question *question)
{
    return question->options.n_certify_rounds ? 2 : 1;
}

/* Sweeps of a graph in parts are saved: then nothing else is done with it. */
static inline bool pci_question_is_saved(const pci_question *question)
{
    const pci_parts *parts = question->graph->parts;
    return parts && parts->engine->sweeps->saves;
}

/* Tells whether paths are walks, which may visit a vertex again: they are counted step by step. */
static inline bool pci_question_is_of_walks(const pci_question *question)
{
    return question->query.paths < PC_PATHS_SIMPLE;
}

/* The row or the column of one vertex is asked for. */
static inline bool pci_question_has_start(const pci_question *question)
{
    const pci_question_kind *kind = question->kind;
    return kind->reads == PCI_READS_ROWS && !kind->is_matrix && question->query.n_asked == 1;
}

/* One vector of exact counts of all paths answers it: a sum over all vertices, or as above. */
static inline bool pci_question_is_single(const pci_question *question)
{
    return (pci_kind_is_of_all(question->kind) || pci_question_has_start(question)) &&
           question->options.arithmetic == PC_EXACT && question->query.paths == PC_PATHS_ALL;
}

/* ... by the processors, which a GPU that was asked for does with rows and columns itself. */
static inline bool pci_is_by_one_vector(const pci_question *question)
{
    bool on_device =
        pci_question_has_start(question) && question->context->devices.kind == PCI_DEVICE_CUDA;
    return pci_question_is_single(question) && !on_device && !pci_question_is_saved(question);
}

/* Answers of several lengths are wanted, apart or added up. */
static inline bool pci_question_has_lengths(const pci_question *question)
{
    return question->query.each || question->query.up_to;
}

/* The answer is one number: all entries, or all of the rows, are added up. */
static inline bool pci_kind_is_number(const pci_question_kind *kind)
{
    return kind->reads == PCI_READS_TOTAL || kind->is_summed;
}

/* One number is wanted, of one length or the sum of lengths, an integer or a residue: it has a recurrence. */
static inline bool pci_question_is_number(const pci_question *question)
{
    const pc_query *query = &question->query;
    return !query->each && question->options.arithmetic != PC_FLOAT &&
           pci_question_is_of_walks(question) &&
           (pci_kind_is_number(question->kind) ||
            (question->kind->reads == PCI_READS_ENTRIES && query->n_asked == 1));
}

/* Single entries that vectors of half the length give: exact counts of all paths, of pairs or
 * closed ones, of lengths from 2 on, in an undirected graph. */
static inline bool pci_question_has_halves(const pci_question *question)
{
    return pci_kind_has_entries(question->kind) && question->query.length >= 2 &&
           question->query.paths == PC_PATHS_ALL && question->options.arithmetic == PC_EXACT &&
           question->graph->symmetric;
}

/* Exact counts of all paths of one length: what a power of A tells. */
static inline bool pci_question_is_of_power(const pci_question *question)
{
    return !pci_question_has_lengths(question) && question->options.arithmetic == PC_EXACT &&
           question->query.paths == PC_PATHS_ALL && !question->query.partition;
}

/* Bytes of a graph's matrix. */
static inline uint64_t pci_graph_bytes(const pc_graph *graph)
{
    uint64_t per_arc = sizeof *graph->column + (graph->weight ? sizeof *graph->weight : 0);
    if (graph->parts) /* what is in this process is not counted */
        return 0;
    return (graph->n + 1) * sizeof *graph->row_start + pci_graph_n_arcs(graph) * per_arc;
}

/* Bytes that were worked out as a double. */
static inline uint64_t pci_bytes(double bytes)
{
    return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

/* The memory that a plan may use, beside the graph that is there already. */
static inline uint64_t pci_question_available(const pci_question *question)
{
    return question->available_bytes +
           (question->context->memory_limit_bytes ? 0 : pci_graph_bytes(question->graph));
}

/* The bytes of a program that does nothing, and of each thread that writes a file. Beside whole
 * matrices as powers they are nothing, beside a few rows they are much. */
enum { PCI_PROGRAM_BYTES = 8 << 20, PCI_WRITING_BYTES = 2 << 20 };

static inline uint64_t pci_program_bytes(const pci_question *question)
{
    uint64_t n_writing = question->query.keeps ? 0 : (uint64_t)pci_n_threads(question->context);
    return PCI_PROGRAM_BYTES + n_writing * PCI_WRITING_BYTES;
}

#endif
