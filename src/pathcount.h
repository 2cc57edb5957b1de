/* pathcount: count the paths of length k between all vertices of a graph, exactly.
 *
 * Entry (i, j) of A^k, A the adjacency matrix, is the number of ways to go from vertex i to
 * vertex j along k arcs. A path may visit a vertex more than once: graph theory calls it a walk.
 *
 * This header is the contract of libpathcount. pathcount_io.h adds matrices that are written to files.
 *
 * Status    Functions that can fail return a pc_status and write their outputs only on PC_OK.
 *           The sentence that says what went wrong is in pc_context_message().
 * NULL      PC_ERR_ARGUMENT where a context, an object, an array or a place for the result is NULL and
 *           nothing here says that it may be. Functions that return no status return 0 or NULL then,
 *           or do nothing. A number outside its enum gives PC_ERR_ARGUMENT too.
 * Ownership Each *_create, *_read, *_from_* or pc_count gives an object that the caller frees
 *           with the matching *_free, which accepts NULL. Strings returned belong to the object
 *           they were asked from.
 * Threads   A context serves one call at a time. Different contexts work at once in different
 *           threads. Graphs and counts never change once made: any number of threads may read
 *           them. An object must not outlive the context it was made with.
 * Manners   The library prints nothing, never exits and installs no signal handler. It keeps no state
 *           outside its objects, with one exception: the CUDA engine, once opened, stays loaded.
 */
#ifndef PATHCOUNT_H
#define PATHCOUNT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PC_VERSION "0.2.0"

/* The version of the library that is running, as "major.minor.patch". */
const char *pc_version(void);

typedef enum pc_status {
    PC_OK = 0,
    PC_ERR_ARGUMENT,  /* an argument or option makes no sense */
    PC_ERR_DATA,      /* the input is not what its format promises */
    PC_ERR_NO_INPUT,  /* the input cannot be opened */
    PC_ERR_ENGINE,    /* the engine asked for is not available here */
    PC_ERR_MEMORY,    /* does not fit in memory; nothing was computed */
    PC_ERR_RANGE,     /* a number does not fit the type or the width asked for */
    PC_ERR_CERTIFY,   /* the result failed its own check and was withheld: a bug or bad hardware */
    PC_ERR_CREATE,    /* the output cannot be created */
    PC_ERR_IO,        /* reading or writing failed halfway */
    PC_ERR_CANCELLED, /* the progress callback asked to stop */
    PC_ERR_INTERNAL   /* a broken promise inside the library */
} pc_status;

/* A short English name of a status ("out of memory"). */
const char *pc_status_text(pc_status status);

/* ---- Context -------------------------------------------------------------------------------- */

typedef struct pc_context pc_context;
typedef struct pc_graph pc_graph;
typedef struct pc_counts pc_counts;
typedef struct pc_reduction pc_reduction;

/* A context with default settings: all processors, device "auto", the C allocator, no callback.
 * PC_ERR_MEMORY when there is no memory for it. */
pc_status pc_context_create(pc_context **context);
void pc_context_free(pc_context *context);

/* Why the last call on this context failed, in one sentence. Meaningful only after a call that did not
 * return PC_OK, and valid until the next call: a call that succeeds may leave any sentence here, such
 * as the reason why a GPU was not used. "" before any call. */
const char *pc_context_message(const pc_context *context);

/* Number of threads to compute with, 1..1024; 0 means every processor this process may use. A child that a thread
 * forks after calls with several threads computes with one: OpenMP's threads stay with the parent. */
pc_status pc_context_set_threads(pc_context *context, int n_threads);

/* Sets where the calls on this context compute:
 *
 * "auto"      (default) the CPU, or the first GPU when that is expected to be faster and works; the
 *             plan's engine_reason says which and why. A GPU that fails before anything is delivered
 *             is replaced by the CPU: same counts.
 * "cpu"       the processors of this machine
 * "cuda"      the first NVIDIA GPU; "cuda:1" the second, "cuda:0,1" those two, "cuda:all" every one.
 *             Plans and counts give PC_ERR_ENGINE, with the reason, when that is not possible.
 *             Several GPUs keep the memory of a count for the next one of its size; other work of the library
 *             on these GPUs gets it back.
 *
 * The CPU always makes doubles (PC_FLOAT), sums over all vertices, kinds of path other than all, and residues that are
 * not squared; the exact row or column of a single vertex, too, unless CUDA is asked for. Vectors are sent through the
 * graph on the first GPU that is named. PC_ERR_ARGUMENT for anything else than these words.
 *
 * The CUDA engine is a shared object of its own, opened when a plan first wants it: libpathcount_cuda.so in the folder
 * of this library (or of the program, linked statically), else where the dynamic linker looks. pathcount(1) lists the
 * variables of the environment that choose the engine, its kernel and its memory. */
pc_status pc_context_set_device(pc_context *context, const char *device);

/* The most memory that the calls on this context may plan for, in bytes; 0 means what the machine has free when the call
 * is made (limits of the container, and of groups around it, count). */
void pc_context_set_memory_limit(pc_context *context, uint64_t bytes);

/* Called between steps of long calls, from the thread that made the call. stage is a word such as
 * "read", "square", "collect"; fraction goes from 0 to 1 within a stage. A return value other than
 * 0 stops the call, which then returns PC_ERR_CANCELLED. */
typedef int (*pc_progress_fn)(void *user, const char *stage, double fraction);
void pc_context_set_progress(pc_context *context, pc_progress_fn progress, void *user);

/* While cancelled is 1 (0 at first), calls on the context stop where they would call the progress callback, and return
 * PC_ERR_CANCELLED. Any thread may call this while another call is at work, and so may a signal handler. */
void pc_context_set_cancelled(pc_context *context, int cancelled);

/* Functions that give and take back memory. allocate returns NULL on failure; release accepts what allocate gave. Several
 * threads may call both. NULL functions restore malloc and free. GMP, igraph and what packs and unpacks keep their own
 * allocators. Set it before any object is made. */
typedef struct pc_allocator {
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory);
    void *user;
} pc_allocator;
void pc_context_set_allocator(pc_context *context, pc_allocator allocator);

/* Makes sentence the message of the context (cut to what the context holds) and returns status: for
 * callbacks that stop a call and for libraries built on this one. */
pc_status pc_context_fail(pc_context *context, pc_status status, const char *sentence);

/* ---- Graph ---------------------------------------------------------------------------------- */

typedef enum pc_direction {
    PC_DIRECTION_OF_FORMAT = 0, /* what the file states; nothing stated, and arrays: undirected */
    PC_DIRECTED,
    PC_UNDIRECTED
} pc_direction;

/* Says how often a loop of an undirected graph counts: its entry of the adjacency matrix is its multiplicity, or
 * twice that, as in igraph and where the degree of a vertex is the sum of its row. */
typedef enum pc_loops { PC_LOOPS_ONCE = 0, PC_LOOPS_TWICE } pc_loops;

/* Says whether the first line of an edge list that is no comment names the columns, or states the numbers of vertices and
 * edges. */
typedef enum pc_header {
    PC_HEADER_FOUND = 0, /* as its words and the lines behind it look */
    PC_HEADER_FIRST_LINE,
    PC_HEADER_NONE
} pc_header;

enum { PC_WEIGHTS_IF_ANY = 2 };

/* Options that say how edges become the adjacency matrix. All zero is the default.
 *
 * An undirected edge u v sets (u, v) and (v, u); a self-loop sets one entry, as loops says. */
typedef struct pc_graph_options {
    pc_direction direction;
    int multigraph; /* 0: an edge given again is dropped; 1: its multiplicities add */
    int weights; /* 1: the third column is the multiplicity of the arc, an integer >= 0, and a weight of 0
                       is no edge; PC_ERR_DATA when there are no weights. PC_WEIGHTS_IF_ANY: the same, and a file
                       without weights is read, too. 0: it is ignored, except that the entry 0 of a
                       matrix is no edge */
    /* 1, with weights: they may have decimals; all are multiplied by a power of ten that makes them
     * integers, see decimals of pc_graph_info. Katz centrality and PC_PATHS_MARKOV use it. 0: such a
     * weight is PC_ERR_DATA. */
    int real_weights;
    /* PC_LOOPS_TWICE is for undirected graphs that are given by edges: a directed graph, and the entries of
     * a matrix, are PC_ERR_ARGUMENT. The file that pc_graph_write made of such a graph has the doubled
     * multiplicities; an edge list says so, and they are not doubled again. */
    pc_loops loops;
    uint64_t n_vertices;   /* vertices 0..n_vertices-1 exist even when no edge names them */
    uint64_t max_vertices; /* the most vertices that a file may state: see PC_STATED_VERTICES */
    /* Options of edge lists; with another format they are PC_ERR_DATA. The texts are looked at
     * during the call only. columns is "FROM,TO" or "FROM,TO,WEIGHT", each the name of a column in the
     * header or its number from 1 on; others are ignored, and lines may have more or fewer. separator is
     * "tab", "space" (any number of blanks), one character, or an arrow between the ends such as "->".
     * NULL: as the lines look; PC_ERR_DATA, with the options that choose, where they can be read as different graphs. */
    const char *columns;
    const char *separator;
    pc_header header;
} pc_graph_options;

/* A few bytes can state millions of vertices: the size line of a Matrix Market file, the first
 * characters of graph6, sparse6 and digraph6, a header of Pajek. When max_vertices is 0, a file (of a
 * stream, a line) may state PC_STATED_VERTICES vertices and one more for each of its bytes. More is
 * PC_ERR_DATA. Vertices that the file names one by one, and n_vertices, have no such limit. */
#define PC_STATED_VERTICES (UINT64_C(1) << 21)

/* PC_FORMAT_AUTO tells these apart by content and file name. A text that fits several and would be a different graph
 * in each gives PC_ERR_DATA, and the message lists them with the options of the command that choose: --format is the
 * format, the others are fields of pc_graph_options. So do formats that are not read, with the name of the format and
 * what to do. */
typedef enum pc_format {
    PC_FORMAT_AUTO = 0,
    PC_FORMAT_EDGE_LIST,
    PC_FORMAT_MATRIX_MARKET,
    PC_FORMAT_GRAPH6, /* graph6, sparse6 or digraph6: one graph */
    PC_FORMAT_ADJACENCY_LIST, /* a vertex and its neighbours in a line; the multiline form, too, where it is certain */
    PC_FORMAT_METIS,
    PC_FORMAT_DIMACS,                   /* .gr, .col, .max, and .gr of the PACE challenge */
    PC_FORMAT_SIF,                      /* "from relation to ..." (Cytoscape) */
    PC_FORMAT_JSON,                     /* of NetworkX, D3, Cytoscape, JSON Graph Format */
    PC_FORMAT_MATRIX,                   /* an adjacency matrix as text, perhaps with labels */
    PC_FORMAT_NPY,                      /* a dense adjacency matrix of NumPy */
    PC_FORMAT_NPZ,                      /* a sparse matrix of SciPy, or one dense array */
    PC_FORMAT_SERIALIZED,               /* .sg and .wsg of the GAP Benchmark Suite */
    PC_FORMAT_MULTILINE_ADJACENCY_LIST, /* "vertex degree", then a line for each neighbour (NetworkX) */
    PC_FORMAT_TUPLES, /* "(from, to)", or "(row, column) value" of a printed sparse matrix */
    PC_FORMAT_GRAPHML, /* labels of GraphML and GML: name or label, if each vertex has another, else the ids */
    PC_FORMAT_GML,
    PC_FORMAT_PAJEK, /* one network and one relation; an edge is two arcs where there are arcs, too */
    PC_FORMAT_LGL,
    PC_FORMAT_NCOL,
    PC_FORMAT_DL /* fullmatrix, edgelist1 and nodelist1 (UCINET) */
} pc_format;

/* The facts of a graph that was read or made. */
typedef struct pc_graph_info {
    uint64_t n_vertices;
    uint64_t n_edges; /* distinct edges: undirected edges, or arcs when directed; with loops */
    uint64_t n_arcs;  /* nonzero entries of the adjacency matrix */
    uint64_t n_loops;
    uint64_t n_duplicates; /* edges given again: dropped, unless duplicates_added */
    uint64_t max_weight;   /* largest entry of the adjacency matrix */
    uint32_t decimals;     /* 0..19: the adjacency matrix has 10^decimals times the weights */
    double weight_error; /* by rounding to these decimals a weight is off by less than this part */
    int directed;
    int direction_overridden; /* the format states the other direction */
    int weights_ignored;      /* there was a third column and weights was 0 */
    int duplicates_added;     /* multigraph was set, or the format adds up what it gives again */
    pc_loops loops;           /* how often a loop counts; once when directed, and in a matrix */
    const char *format;       /* "edge list", "Matrix Market", ...; static storage */
    const char *note; /* what else happened to it, such as "header 'from,to' skipped"; part of
                               * the graph; NULL: nothing */
} pc_graph_info;

/* Reads a graph from a file, "-" for standard input; gz, zst, xz and bz2 are unpacked on the way.
 *
 * pathcount(1) describes the formats. Labels of an edge list that are all integers 0..2^64-1 are ordered numerically,
 * any others by first appearance; the head comment of pc_graph_write counts as options would. Vertices
 * of Matrix Market, METIS and DIMACS are labelled 1..n, those of graph6 and of a matrix without names 0..n-1. A stored
 * zero is no arc. Matrices are directed unless they are symmetric. PC_DIRECTED makes an edge of graph6 the arc from the
 * larger vertex, and an edge of a serialized graph two arcs. pc_stream_run reads files of many graphs. A file that
 * another process changes while it is read is PC_ERR_DATA.
 *
 * PC_ERR_NO_INPUT, PC_ERR_DATA (message "file:line: what is wrong"), PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pc_graph_read(pc_context *context, const char *path, pc_format format,
                        const pc_graph_options *options, pc_graph **graph);

void pc_graph_free(pc_graph *graph);

void pc_graph_get_info(const pc_graph *graph, pc_graph_info *info);

/* The vertex with this label; PC_ERR_ARGUMENT when there is none. */
pc_status pc_graph_find(pc_context *context, const pc_graph *graph, const char *label,
                        uint64_t *vertex);

/* The adjacency matrix in compressed rows: row i has the entries row_start[i] .. row_start[i + 1] - 1.
 * An edge of an undirected graph is there both ways; a loop is one entry. The arrays are part of the graph. */
typedef struct pc_arcs {
    const uint64_t *
        row_start; /* [n + 1]; NULL, as the others are: other processes have them (pathcount_mpi.h) */
    const uint32_t *column; /* ascending within a row */
    const uint64_t *weight; /* at least 1; NULL: every entry is 1 */
    uint32_t decimals;      /* with weight_error as in pc_graph_info: 0 of integers */
    double weight_error;
} pc_arcs;

void pc_graph_arcs(const pc_graph *graph, pc_arcs *arcs);

/* A graph from its adjacency matrix in compressed rows, which are copied, as other libraries have them: the columns
 * of a row may be in any order. Vertices are labelled 0..n_vertices-1. A weight of 0 is no arc. An entry that is given
 * again is dropped, or with multigraph added. PC_DIRECTION_OF_FORMAT makes the graph undirected when the matrix is
 * symmetric, else directed; PC_UNDIRECTED makes an entry an edge, so that it sets the opposite one too. options NULL
 * means defaults, only direction and multigraph count; PC_LOOPS_TWICE is refused. Rows as pc_graph_arcs tells them take
 * least time and memory. PC_ERR_ARGUMENT when row_start does not begin with 0 or descends, a column is out of range,
 * decimals are more than 19, or weight_error is not from 0 to 1; PC_ERR_DATA, PC_ERR_RANGE, as pc_graph_from_edges;
 * PC_ERR_MEMORY. */
pc_status pc_graph_from_arcs(pc_context *context, uint64_t n_vertices, const pc_arcs *arcs,
                             const pc_graph_options *options, pc_graph **graph);

/* Edges between labelled vertices, as another library or reader has them. */
typedef struct pc_edges {
    uint64_t n_vertices;
    const char *const *labels; /* [n_vertices], all different; NULL: "0", "1", ... */
    uint64_t n_edges;
    const uint64_t *from, *to; /* [n_edges], below n_vertices */
    const uint64_t *weight;    /* [n_edges] multiplicities; NULL: 1 each, or real_weight */
    /* [n_edges] weights in place of weight, NULL: none. options->real_weights says whether they may have decimals. */
    const double *real_weight;
    pc_direction stated; /* by the source; PC_DIRECTION_OF_FORMAT: it states none */
    int weights_ignored; /* the source has weights that are not in weight: told in the info */
    const char *format;  /* for pc_graph_info.format; static storage; NULL: "arrays" */
    const char *note;    /* for pc_graph_info.note, which is a copy; NULL: nothing */
} pc_edges;

/* A graph from edges, which are copied. Labels that are all integers 0..2^64-1 (no leading zero) are ordered numerically,
 * any others as given; options->direction overrides what is stated, options->n_vertices adds vertices as in
 * pc_graph_read, options->weights is not looked at. PC_ERR_ARGUMENT when an index is out of range or a label is given
 * twice, PC_ERR_DATA when an edge is given again with another weight and multigraph is 0, PC_ERR_RANGE, PC_ERR_MEMORY. */
pc_status pc_graph_from_edges(pc_context *context, const pc_edges *edges,
                              const pc_graph_options *options, pc_graph **graph);

/* ---- Labels ---------------------------------------------------------------------------------- */

/* The names of the rows or columns of a matrix: vertices of a graph, blocks of a partition, rows or columns of a relation.
 * Part of the object that it was asked from. */
typedef struct pc_labels pc_labels;

const pc_labels *pc_graph_labels(const pc_graph *graph);
uint64_t pc_labels_count(const pc_labels *labels);

/* Label index (0 <= index < count) as text in buffer, cut to size bytes with its final NUL. Returns the
 * length that the whole label has. */
size_t pc_labels_text(const pc_labels *labels, uint64_t index, char *buffer, size_t size);

/* ---- Partition: vertices in blocks ----------------------------------------------------------- */

/* Each vertex of a graph belongs to one block; no block is empty. A partition does not need its graph any more. */
typedef struct pc_partition pc_partition;

/* Vertex v belongs to block[v] < n_blocks; labels[n_blocks], all different, NULL: "0", "1", ...
 * Blocks keep their order, also when their labels are numbers. PC_ERR_ARGUMENT when a block is out
 * of range or empty, or a label is given twice. The arrays are copied. */
pc_status pc_partition_from_arrays(pc_context *context, const pc_graph *graph, uint64_t n_blocks,
                                   const uint64_t *block, const char *const *labels,
                                   pc_partition **partition);

/* The partition that source names:
 *
 *   a number    blocks of so many consecutive vertices, the last one smaller where the number does not divide n.
 *               They are labelled "first-last" by the labels of their vertices, a block of one vertex as that vertex.
 *   components  the connected components, arcs taken both ways, in the order of their first vertices: "1", "2", ...
 *   a file      "-" is standard input; a packed file is unpacked. Each line is "vertex block", with a tab, a comma or
 *               blanks between the labels; lines that start with # or % are comments. Blocks are in the order of their
 *               first appearance, or numerical when all their labels are integers 0..2^64-1. PC_ERR_DATA names the
 *               line, or a vertex that is missing or given twice.
 *
 * PC_ERR_ARGUMENT when the number is 0, PC_ERR_DATA when two blocks would get the same label. */
pc_status pc_partition_read(pc_context *context, const pc_graph *graph, const char *source,
                            pc_partition **partition);

void pc_partition_free(pc_partition *partition);

typedef struct pc_partition_info {
    uint64_t n_vertices, n_blocks;
    const uint32_t
        *block; /* [n_vertices] that a vertex belongs to; part of the partition, as the rest */
    const uint64_t *sizes;   /* [n_blocks] vertices of each */
    const pc_labels *labels; /* of the blocks */
} pc_partition_info;

/* All zero for NULL. */
void pc_partition_get_info(const pc_partition *partition, pc_partition_info *info);

/* The arcs of the longest path of a graph in which no arcs lead round in a circle: with length as the length of a query
 * that adds up (up_to), all paths are counted, of any length, and none of them visits a vertex twice.
 * PC_ERR_DATA when arcs do, with such vertices in the message: an edge of an undirected graph does. */
pc_status pc_graph_longest_path(pc_context *context, const pc_graph *graph, uint64_t *length);

/* The quotient graph: its vertices are the blocks, and its adjacency matrix is S A S^T, that is, the
 * multiplicity of an arc is the number of arcs from block to block. Its powers count more than
 * counts between blocks do: they change vertices freely within a block between one arc and the next.
 * PC_ERR_RANGE when a multiplicity passes 2^64-1. */
pc_status pc_graph_quotient(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, pc_graph **quotient);

/* Writes the arcs of a graph, of an undirected one each edge once, in the format that the ending of path names: .tsv,
 * .csv, .txt, .mtx, .graphml, .gml, .net (Pajek), .sg or .wsg (GAP), packed where .gz or .zst follows. Reading the file
 * back gives the same graph. Labels of a .sg other than 0..n-1 go to a file of the same name and .labels. PC_ERR_DATA for
 * labels and weights that the format cannot have, PC_ERR_RANGE for more than 2^31-1 vertices in .sg. Under the final
 * name there is never part of a file. */
pc_status pc_graph_write(pc_context *context, const pc_graph *graph, const char *path);

/* ---- Plan: what a count would take ----------------------------------------------------------- */

typedef enum pc_arithmetic {
    PC_EXACT = 0, /* integers of any width; beyond about 12,000 bits only sweeps make them */
    PC_MODULAR,   /* counts modulo pc_count_options.modulus */
    PC_FLOAT /* doubles that share one binary exponent, so that nothing overflows; relative_error of
                     the plan says how far they may be off */
} pc_arithmetic;

#define PC_CERTIFY_NONE (-1)

/* The way to A^length. All give the same counts. */
typedef enum pc_method {
    PC_METHOD_AUTO = 0, /* the one that the plan expects to be fastest */
    PC_METHOD_DENSE,    /* repeated squaring of the whole matrix */
    PC_METHOD_SWEEP,    /* blocks of vectors through the sparse A, step by step ("sweeps") */
    PC_METHOD_HYBRID,   /* sweeps for the first steps, squaring for the rest */
    /* One length: a total, a trace or one pair by the linear recurrence of these numbers
     * (pathcount_recurrence.h), other exact counts of all paths as a polynomial of A */
    PC_METHOD_RECURRENCE,
    PC_METHOD_FORMULA, /* simple paths of at most 6 arcs, and cycles of 7: signed sums of walks */
    PC_METHOD_SEARCH,  /* simple paths and cycles one by one; shortest paths by distance */
    PC_METHOD_SETS     /* the same by sets of visited vertices, of at most 26 */
} pc_method;

/* Says when vertices with the same neighbours, and components, are counted once: the answers are the same. */
typedef enum pc_reduce { PC_REDUCE_WHERE_IT_PAYS, PC_REDUCE_NEVER, PC_REDUCE_ALWAYS } pc_reduce;

/* Options that say how to count. All zero is the default. */
typedef struct pc_count_options {
    pc_arithmetic arithmetic;
    uint64_t modulus;     /* for PC_MODULAR: 2 <= modulus < 2^63; else 0 */
    int n_certify_rounds; /* random checks; 0: 2, or more for counts of over 600,000 bits */
    pc_method method;     /* PC_ERR_ARGUMENT when what is asked for cannot be had that way */
    pc_reduce reduce;     /* of whole matrices; ALWAYS: also where it takes longer */
} pc_count_options;

#define PC_MAX_LEVELS 128

/* One operation on the way to the matrix: A^length from the level before it. */
typedef struct pc_level {
    uint64_t length;     /* the power of A that this level makes */
    int is_swept;        /* 1: made from the sparse A alone, by sweeps; the first level only */
    int is_step;         /* 0: squares the level before; 1: multiplies it by the sparse A */
    int is_reduced;      /* 1: of the level before, P, makes S P P S^T, or S P A P S^T if is_step */
    int is_diagonal;     /* 1: of P, makes the diagonal of P P, or of P A P if is_step */
    int is_direct;       /* 1: of P, makes P P as integers, from digits; the last level only */
    int is_by_digits;    /* 1: squares by products of digits, which give residues of any moduli */
    double bound_bits;   /* log2 of the proved limit of an entry of A^length */
    uint32_t n_moduli;   /* residue planes of the result; 0: entries <= 127, one plain plane */
    uint32_t n_products; /* int8 matrix products (squarings), or planes stepped */
    double predicted_seconds;
    double seconds; /* measured; 0 in a plan that has not run */
} pc_level;

/* A way that a plan has weighed. */
typedef struct pc_alternative {
    pc_method method;
    const char *engine;       /* "cpu" or "cuda"; static storage */
    uint64_t sweep_length;    /* steps that are swept */
    double predicted_seconds; /* of all of it; 0: not predicted, see why_not */
    const char *why_not;      /* "": it can be done; else why it cannot; static storage */
    int is_chosen;
    uint64_t n_classes, n_swept; /* as in pc_plan_info */
} pc_alternative;

#define PC_MAX_ALTERNATIVES 8

/* The facts of a plan, which belong to it. Programs do not make one, so fields may be added at the end. */
typedef struct pc_plan_info {
    pc_method method;      /* never PC_METHOD_AUTO */
    uint64_t sweep_length; /* steps that are swept: length, or of a hybrid or a recurrence fewer; 0:
                              dense, or one pass over a graph without cycles */
    uint64_t n_vectors;    /* that a query sends through the graph; 0: whole matrices are made */
    const char *engine;    /* "cpu" or "cuda"; static storage, as the next two */
    const char *kernel;    /* "amx", "avx512vnni", ...; of a GPU "wgmma", "mma", "dp4a", "plain" */
    const char *device;    /* "NVIDIA H100 80GB HBM3"; "" when the processors compute */
    int n_devices;         /* GPUs that compute; 0 when the processors do */
    char engine_reason[256]; /* why this engine, in one clause */
    int n_threads;
    int symmetric; /* half of each product is computed, the rest mirrored */
    pc_arithmetic arithmetic;
    uint64_t modulus;
    uint64_t n_vertices;
    uint64_t n_blocks; /* rows and columns of a coarsened result; 0: there is one for each vertex */
    uint64_t n_arcs;
    uint64_t length;
    double bound_bits; /* log2 of the proved limit of a count; 0 when every count is 0 or 1 */
    uint32_t n_limbs;  /* 64-bit words of a count; 0 for PC_FLOAT */
    uint32_t n_levels;
    pc_level levels[PC_MAX_LEVELS];
    uint64_t memory_bytes;                  /* forecast of the peak, graph and result included */
    uint64_t memory_available_bytes;        /* what the machine or the memory limit leaves */
    uint64_t device_memory_bytes;           /* forecast of the peak on a GPU; 0 without */
    uint64_t device_memory_available_bytes; /* on the GPU that has least */
    double predicted_seconds; /* of all of it, certificate included; 0: not predicted */
    uint32_t n_alternatives;
    pc_alternative alternatives[PC_MAX_ALTERNATIVES]; /* what was weighed, the chosen one first */
    /* Why the answer was computed a second time: what failed its check, and how it had been
     * computed; "": it was not. */
    char recomputed[512];
    struct {          /* measured, of the count that ran last; else 0 */
        double start; /* of the CUDA engine, by the first call on the context that wanted it */
        double bound, load, extend, product, step, sweep;
        double collect;                 /* to integers, and from a GPU to the host */
        double certify, deliver, total; /* without start */
    } seconds;
    /* Proved: no number of the answer, and no sum over them in a summary, is off by more than this part
     * of its true value; -log10 of it is how many digits hold. 0 of integers, which are exact, and of
     * doubles that are never rounded; INFINITY where nothing is known. Probabilities of a Markov chain
     * below 2^-900 may be off by 2^-900. */
    double relative_error;
    uint64_t n_classes; /* of vertices with the same neighbours, counted in their place; 0: none */
    uint64_t n_swept;   /* vertices of a cover, from whose rows the others were made; 0: none */
    uint32_t n_pieces;  /* of classes, counted one by one: no arc joins them; 0 without classes */
} pc_plan_info;

/* ---- Counting -------------------------------------------------------------------------------- */

/* The matrix A^length, kept in memory; n is at most 131071. Certified before it is delivered unless
 * switched off: wrong with probability below 2^-80, else PC_ERR_CERTIFY. */
pc_status pc_count(pc_context *context, const pc_graph *graph, uint64_t length,
                   const pc_count_options *options, pc_counts **counts);

/* A block of consecutive rows of A^length. Counts are little-endian arrays of 64-bit words. */
typedef struct pc_rows {
    uint64_t first_row;
    uint64_t n_rows;
    uint64_t n_columns;
    uint32_t n_limbs;      /* words a count; 0 when the counts are doubles */
    const uint64_t *limbs; /* [n_rows][n_columns][n_limbs]; NULL when the counts are doubles */
    const double *values;  /* [n_rows][n_columns]; count = value * 2^exponent; NULL when exact */
    int64_t exponent;
    /* NULL, both; or these rows are to be shown as means, each count divided by row_sizes[row]
     * times column_sizes[column], where row counts from the matrix's first. Counting gives NULL. */
    const uint64_t *row_sizes, *column_sizes;
} pc_rows;

/* Receives rows in order, once each; they are valid during the call. Returns PC_OK to go on. Any
 * other status stops the count, which returns it. */
typedef pc_status (*pc_rows_fn)(void *user, const pc_rows *rows);

void pc_counts_free(pc_counts *counts);

/* The whole matrix as one block; valid as long as counts. */
void pc_counts_rows(const pc_counts *counts, pc_rows *rows);

/* One count as a 64-bit integer; PC_ERR_RANGE when it does not fit or is a double. row and column
 * out of range give PC_ERR_ARGUMENT. The context's message stays as it is. */
pc_status pc_counts_u64(const pc_counts *counts, uint64_t row, uint64_t column, uint64_t *value);

/* Entry e = row * n_columns + column of a row block as decimal text in buffer, size bytes with its final NUL.
 * *length, unless NULL, gets the length that the text has; PC_ERR_RANGE, *length set all the same, when it does not
 * fit: (NULL, 0, &length) asks for the length. */
pc_status pc_rows_text(const pc_rows *rows, uint64_t e, char *buffer, size_t size, size_t *length);

/* ---- Queries: less than the whole matrix ----------------------------------------------------- */

typedef enum pc_query_kind {
    PC_QUERY_FROM,   /* for each vertex of from[]: the counts to every vertex; n_asked x n */
    PC_QUERY_TO,     /* for each vertex of to[]: the counts from every vertex; n_asked x n */
    PC_QUERY_PAIRS,  /* for each pair from[i], to[i] one count; n_asked x 1 */
    PC_QUERY_TOTAL,  /* the sum of all counts; 1 x 1 */
    PC_QUERY_STARTS, /* how many paths start at each vertex; n x 1 */
    PC_QUERY_ENDS,   /* how many end there; n x 1 */
    PC_QUERY_CLOSED, /* how many start and end there, the diagonal; n x 1 */
    PC_QUERY_TRACE,  /* how many end where they start, the sum of the diagonal; 1 x 1 */
    PC_QUERY_MATRIX  /* the whole matrix; n x n, or n_blocks x n_blocks between the blocks of a
                        partition. Not with each; with up_to between vertices only */
} pc_query_kind;

/* The paths that count. */
typedef enum pc_path_kind {
    PC_PATHS_ALL = 0,
    /* Those that never turn straight back: no arc is followed by the one that leads back where it
     * came from; a loop is not followed by itself. They are counted exactly or modulo a number,
     * in graphs without weights where a loop counts once; PC_ERR_ARGUMENT for others. */
    PC_PATHS_NON_BACKTRACKING,
    /* Each arc with its probability: multiplicity over the sum of its row (Hochberg, section 1.2). A count then is the
     * probability to be there after so many steps; a walk at a vertex without arcs stays there. In doubles: options must
     * say PC_FLOAT. Rows sum to 1 within 1e-12 for lengths up to 1000. */
    PC_PATHS_MARKOV,
    /* Paths that visit no vertex twice (GQL: ACYCLIC). Loops never count. Exactly or modulo a number, up to 128 bits. */
    PC_PATHS_SIMPLE,
    /* Cycles of that length: the total is their number, CLOSED those through each vertex, entry (u, v) those through the
     * arc from u to v. Parallel arcs multiply; an undirected cycle has no direction, and at least three edges. */
    PC_PATHS_CYCLES,
    /* The number of shortest paths, 1 from a vertex to itself, 0 where none leads. The length is 0; of rows, pairs and
     * matrices between vertices, exactly, of any width. Weights are multiplicities, not lengths. */
    PC_PATHS_SHORTEST,
    PC_PATHS_DISTANCE /* the number of arcs of a shortest path; UINT64_MAX where none leads */
} pc_path_kind;

/* Counts between the blocks of a partition: entry (I, J) is the number of paths from any vertex of block I to any of block
 * J, the matrix S A^length S^T with S[I][v] = 1 when v is in I. The graph may have any number of vertices. */

/* A question about A^length. Fields that the kind does not need are 0. */
typedef struct pc_query {
    pc_query_kind kind;
    pc_path_kind paths;
    uint64_t length;
    uint64_t n_asked;
    const uint64_t *from, *to;     /* [n_asked] vertices; as the kind says, else NULL */
    int each;                      /* 1: answers for every length 1..length, in ascending order */
    int up_to;                     /* 1: counts of the lengths 1..length added up; not with each */
    const pc_partition *partition; /* of a matrix: counts go between its blocks; NULL: vertices */
    int keeps; /* of a matrix: 1: pc_plan_collect will keep it as a whole; it is not passed on */
} pc_query;

/* Receives an answer for a length, of the shape that the kind has, in row blocks in ascending
 * order, valid during the call. Any status but PC_OK stops the query, which returns it. */
typedef pc_status (*pc_answer_fn)(void *user, uint64_t length, const pc_rows *rows);

/* Answers a query by the method that options name, or by the one that is expected to be fastest. PC_METHOD_SWEEP sends
 * vectors through the sparse graph, length passes over its arcs and never a power, so the graph may have up to 2^32-1
 * vertices; only it, and the last three methods, count other paths than all. PC_METHOD_RECURRENCE is for one length,
 * however long. DENSE and HYBRID make the whole matrix, with n <= 131071, and read the answer off it.
 *
 * Answers are exact, modulo or in doubles as options say, and all have as many words as the widest. Exact answers are
 * certified, and so are the residues of a matrix of all paths; other residues and doubles are not. Row blocks of
 * doubles may each have an exponent of their own.
 *
 * PC_ERR_ARGUMENT for a vertex out of range, or what the method cannot answer; PC_ERR_RANGE when
 * counts may be wider than exact counting reaches or the length takes too many passes,
 * PC_ERR_MEMORY before anything is computed. */
pc_status pc_query_run(pc_context *context, const pc_graph *graph, const pc_query *query,
                       const pc_count_options *options, pc_answer_fn deliver, void *user);

/* ---- Plans: a question, decided before it is computed ----------------------------------------- */

/* A question about a graph, checked, bounded, and with the ways to its answer weighed. The way that it tells is
 * the way that runs. pc_count and pc_query_run make a plan, run it and free it. */
typedef struct pc_plan pc_plan;

/* graph and what query points to must outlive the plan. options NULL means defaults. PC_ERR_ARGUMENT; PC_ERR_RANGE when
 * counts may be wider than the widest arithmetic, or the length takes too many passes; PC_ERR_MEMORY when it would not
 * fit: the message says what is needed, what there is and what to do instead. */
pc_status pc_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                         const pc_count_options *options, pc_plan **plan);
void pc_plan_free(pc_plan *plan);

/* What will be done; after a run, what was done, with measured times. Valid as long as the plan. Levels
 * are there only if a matrix is made. NULL for a NULL plan. */
const pc_plan_info *pc_plan_get_info(const pc_plan *plan);

/* Answers the question: passes the rows of each answer on, in row blocks; of a matrix, for its length. It may run again.
 *
 * The rows of a matrix also go to n_reductions reductions, which forget what they held. Then deliver may be NULL, and
 * rows need not leave the device that made them. After a failure the reductions hold nothing meaningful. reductions
 * is NULL where there are none. Errors as pc_query_run; PC_ERR_ARGUMENT for a plan that keeps, and for reductions of
 * anything but a matrix. */
pc_status pc_plan_run(pc_plan *plan, pc_reduction *const *reductions, uint32_t n_reductions,
                      pc_answer_fn deliver, void *user);

/* Answers the question and keeps the answers, for callers that cannot be called back: the rows of the answer, with each
 * those for length 1, then those for length 2, and so on. Doubles have exponent 0. Errors as pc_plan_run; PC_ERR_RANGE when
 * a number passes the range of doubles. A matrix takes least memory where the query says that it keeps. */
pc_status pc_plan_collect(pc_plan *plan, pc_counts **answers);

/* ---- Centralities: lengths added up with weights of their own -------------------------------- */

typedef enum pc_centrality_kind {
    /* Katz: the sum for l = 1..length of beta^l times the paths of length l that end at v, where a path counts as often
     * as the product of its weights says, which may have decimals. beta > 0. */
    PC_CENTRALITY_KATZ,
    /* Subgraph centrality (Estrada, Rodriguez-Velazquez 2005): the sum over l = 0..length of the closed paths of length
     * l at v over l!. The weights are integers; beta is not looked at. */
    PC_CENTRALITY_SUBGRAPH
} pc_centrality_kind;

/* value[v] of an infinite series, cut off after length terms, and *remainder, a proved limit of what was cut
 * off, the same for every vertex: INFINITY when there is none, and then the series may diverge.
 * Beside it, each value is off by less than *error of itself, and by less than 2^-1000. The
 * counts are certified, and what is summed up is summed up twice. error may be NULL. */
pc_status pc_centrality(pc_context *context, const pc_graph *graph, pc_centrality_kind kind,
                        double beta, uint64_t length, double *value, double *remainder,
                        double *error);

#ifdef __cplusplus
}
#endif
#endif
