/* pathcount: count the paths of length k between all vertices of a graph, exactly.
 *
 * Entry (i, j) of A^k, A the adjacency matrix, is the number of ways to go from vertex i to
 * vertex j along k arcs. A path may visit a vertex more than once: graph theory calls it a walk.
 *
 * This header is the whole contract of libpathcount.
 *
 * Status    Functions that can fail return a pc_status and write their outputs only on PC_OK.
 *           The sentence that says what went wrong is in pc_context_message().
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

#define PC_VERSION "0.1.0"

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

/* A context with default settings: all processors, device "auto", the C allocator, no callback.
 * PC_ERR_MEMORY when there is no memory for it. */
pc_status pc_context_create(pc_context **context);
void pc_context_free(pc_context *context);

/* The sentence that explains the last failure of a call on this context; "" before any.
 * Valid until the next call on the context. */
const char *pc_context_message(const pc_context *context);

/* Number of threads to compute with, 1..1024; 0 means every processor this process may use. */
pc_status pc_context_set_threads(pc_context *context, int n_threads);

/* Where to compute:
 *
 * "auto"      (default) the CPU, or the first GPU when that is expected to be faster and works; the
 *             plan's engine_reason says which and why. A GPU that fails halfway is replaced by the
 *             CPU: same counts.
 * "cpu"       the processors of this machine
 * "cuda"      the first NVIDIA GPU; "cuda:1" the second, "cuda:0,1" those two, "cuda:all" every one.
 *             Plans and counts give PC_ERR_ENGINE, with the reason, when that is not possible.
 *
 * Doubles (PC_FLOAT) are always counted on the CPU. PC_ERR_ARGUMENT for anything else.
 *
 * The CUDA engine is a shared object of its own, opened when a plan first wants it. It is looked for
 *   1. where the environment variable PATHCOUNT_CUDA_ENGINE says, the path of a file, and then nowhere
 *      else; when it is "none" or empty there is no CUDA engine;
 *   2. as libpathcount_cuda.so in the folder of this library (or of the program, linked statically);
 *   3. as libpathcount_cuda.so where the dynamic linker looks.
 * PATHCOUNT_CUDA_KERNEL forces its product kernel, "plain", "dp4a", "mma" or "wgmma" (the plan's
 * kernel says which it is), as PATHCOUNT_CPU does for the CPU. All give the same counts.
 * PATHCOUNT_CUDA_MEMORY is the most bytes of a GPU that plans count on. */
pc_status pc_context_set_device(pc_context *context, const char *device);

/* The most memory that the calls on this context may plan for, in bytes; 0 means what the machine
 * has free when the call is made (the container's limit counts). */
void pc_context_set_memory_limit(pc_context *context, uint64_t bytes);

/* Called between steps of long calls, from the thread that made the call. stage is a word such as
 * "read", "square", "collect"; fraction goes from 0 to 1 within a stage. A return value other than
 * 0 stops the call, which then returns PC_ERR_CANCELLED. */
typedef int (*pc_progress_fn)(void *user, const char *stage, double fraction);
void pc_context_set_progress(pc_context *context, pc_progress_fn progress, void *user);

/* Where memory comes from. allocate returns NULL on failure; release accepts what allocate gave.
 * Both may be called from several threads. NULL functions restore malloc and free. GMP, igraph and
 * libarchive keep their own allocators. Set it before any object is made. */
typedef struct pc_allocator {
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory);
    void *user;
} pc_allocator;
void pc_context_set_allocator(pc_context *context, pc_allocator allocator);

/* ---- Graph ---------------------------------------------------------------------------------- */

typedef enum pc_direction {
    PC_DIRECTION_OF_FORMAT = 0, /* what the format states; edge lists and arrays: undirected */
    PC_DIRECTED,
    PC_UNDIRECTED
} pc_direction;

/* How edges become the adjacency matrix. All zero is the default.
 *
 * An undirected edge u v sets (u, v) and (v, u); a self-loop sets one entry, once. */
typedef struct pc_graph_options {
    pc_direction direction;
    int multigraph;      /* 0: an edge given again is dropped; 1: its multiplicities add */
    int weights;         /* 1: the third column is the multiplicity of the arc, an integer >= 0 */
    uint64_t n_vertices; /* vertices 0..n_vertices-1 exist even when no edge names them */
} pc_graph_options;

typedef enum pc_format {
    PC_FORMAT_AUTO = 0, /* by content and file name */
    PC_FORMAT_EDGE_LIST,
    PC_FORMAT_MATRIX_MARKET
} pc_format;

/* What was read, for a reader who wants to know. */
typedef struct pc_graph_info {
    uint64_t n_vertices;
    uint64_t n_edges; /* distinct edges: undirected edges, or arcs when directed; with loops */
    uint64_t n_arcs;  /* nonzero entries of the adjacency matrix */
    uint64_t n_loops;
    uint64_t n_duplicates; /* edges given again: dropped, or added when multigraph */
    uint64_t max_weight;   /* largest entry of the adjacency matrix */
    int directed;
    int direction_overridden; /* the format states the other direction */
    int weights_ignored;      /* there was a third column and weights was 0 */
    const char *format;       /* "edge list", "Matrix Market", ...; static storage */
} pc_graph_info;

/* A graph of n_vertices vertices labelled 0..n_vertices-1 from n_edges pairs (from[e], to[e]).
 * weight[e] is the multiplicity of edge e, NULL means 1 each; options NULL means defaults, its
 * weights field is not looked at. The arrays are copied. PC_ERR_ARGUMENT when an index is out of
 * range, PC_ERR_DATA when an edge is given again with another weight and multigraph is 0,
 * PC_ERR_RANGE when added multiplicities pass 2^64-1. n_vertices <= 2^32-1. */
pc_status pc_graph_from_arrays(pc_context *context, uint64_t n_vertices, uint64_t n_edges,
                               const uint64_t *from, const uint64_t *to, const uint64_t *weight,
                               const pc_graph_options *options, pc_graph **graph);

/* Reads a graph from a file, "-" for standard input; gz, zst, xz and bz2 are unpacked on the way.
 *
 * Edge list: a line an edge, "from to [weight]", separated by blanks, tabs or commas; lines that
 * start with # or % are comments. Labels that are all integers 0..2^64-1 are ordered numerically,
 * any others by first appearance. Matrix Market: coordinate pattern, integer or real with integral
 * values, general or symmetric; square; vertices are labelled 1..n; a stored zero is no arc.
 *
 * PC_ERR_NO_INPUT, PC_ERR_DATA (message "file:line: what is wrong"), PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pc_graph_read(pc_context *context, const char *path, pc_format format,
                        const pc_graph_options *options, pc_graph **graph);

void pc_graph_free(pc_graph *graph);

void pc_graph_get_info(const pc_graph *graph, pc_graph_info *info);
uint64_t pc_graph_n_vertices(const pc_graph *graph);

/* The label of a vertex (0 <= vertex < n) as text in buffer, cut to size bytes with its final NUL.
 * Returns the length the whole label has. */
size_t pc_graph_label(const pc_graph *graph, uint64_t vertex, char *buffer, size_t size);

/* The vertex with this label; PC_ERR_ARGUMENT when there is none. */
pc_status pc_graph_find(pc_context *context, const pc_graph *graph, const char *label,
                        uint64_t *vertex);

/* ---- Building on the library: other formats -------------------------------------------------- */

/* Makes sentence the message of the context (cut to what the context holds) and returns status: for
 * callbacks that stop a call and for libraries built on this one. */
pc_status pc_context_fail(pc_context *context, pc_status status, const char *sentence);

/* Bytes that a call made now may plan for: the memory limit, or what machine and container leave. */
uint64_t pc_context_memory_available(const pc_context *context);

/* Receives the content of a file; the bytes are valid during the call and not NUL-terminated. */
typedef pc_status (*pc_text_fn)(void *user, const char *text, size_t n_bytes);

/* Passes the content of a file, "-" for standard input, to use in one piece, with gz, zst, xz and
 * bz2 unpacked. Returns what use returns. PC_ERR_NO_INPUT, PC_ERR_DATA (packed file is damaged),
 * PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pc_text_read(pc_context *context, const char *path, pc_text_fn use, void *user);

/* Edges between labelled vertices, as another library or reader has them. */
typedef struct pc_edges {
    uint64_t n_vertices;
    const char *const *labels; /* [n_vertices], all different; NULL: "0", "1", ... */
    uint64_t n_edges;
    const uint64_t *from, *to; /* [n_edges], below n_vertices */
    const uint64_t *weight;    /* [n_edges] multiplicities; NULL: 1 each */
    pc_direction stated;       /* by the source; PC_DIRECTION_OF_FORMAT: it states none */
    int weights_ignored;       /* the source has weights that are not in weight: told in the info */
    const char *format;        /* for pc_graph_info.format; static storage; NULL: "arrays" */
} pc_edges;

/* A graph from edges, which are copied. Labels that are all integers 0..2^64-1 (no leading zero)
 * are ordered numerically, any others as given; options->direction overrides what is stated,
 * options->n_vertices adds vertices as in pc_graph_read, options->weights is not looked at.
 * PC_ERR_ARGUMENT when an index is out of range or a label is given twice, PC_ERR_DATA when an edge
 * is given again with another weight and multigraph is 0, PC_ERR_RANGE, PC_ERR_MEMORY. */
pc_status pc_graph_from_edges(pc_context *context, const pc_edges *edges,
                              const pc_graph_options *options, pc_graph **graph);

/* ---- Plan: what a count would take ----------------------------------------------------------- */

typedef enum pc_arithmetic {
    PC_EXACT = 0, /* integers of any width up to about 11,000 bits */
    PC_MODULAR,   /* counts modulo pc_count_options.modulus */
    PC_FLOAT      /* doubles that share one binary exponent, so that nothing overflows */
} pc_arithmetic;

#define PC_CERTIFY_NONE (-1)

/* How to count. All zero is the default. */
typedef struct pc_count_options {
    pc_arithmetic arithmetic;
    uint64_t modulus;     /* for PC_MODULAR: 2 <= modulus < 2^63 */
    int n_certify_rounds; /* random checks of the result; 0 means the default of 2 */
} pc_count_options;

#define PC_MAX_LEVELS 128

/* One operation of the powering: A^length from the level before it. */
typedef struct pc_level {
    uint64_t length;     /* the power of A that this level makes */
    int is_step;         /* 0: squares the level before; 1: multiplies it by the sparse A */
    double bound_bits;   /* log2 of the proved limit of an entry of A^length */
    uint32_t n_moduli;   /* residue planes of the result; 0: entries <= 127, one plain plane */
    uint32_t n_products; /* int8 matrix products (squarings), or planes stepped */
    double predicted_seconds;
    double seconds; /* measured; 0 in a plan that has not run */
} pc_level;

/* What a count would do, before it is done; the same with measured times after it. */
typedef struct pc_plan {
    const char *engine; /* "cpu" or "cuda"; static storage, as the next two */
    const char *kernel; /* "amx", "avx512vnni", ...; of a GPU "wgmma", "mma", "dp4a", "plain" */
    const char *device; /* "NVIDIA H100 80GB HBM3"; "" when the processors compute */
    int n_devices;      /* GPUs that compute; 0 when the processors do */
    char engine_reason[256]; /* why this engine, in one clause */
    int n_threads;
    int symmetric; /* half of each product is computed, the rest mirrored */
    pc_arithmetic arithmetic;
    uint64_t modulus;
    uint64_t n_vertices;
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
    double predicted_seconds;               /* products and steps only */
    struct {                                /* measured, of the count that ran last; else 0 */
        double start; /* of the CUDA engine, by the first call on the context that wanted it */
        double bound, load, extend, product, step;
        double collect; /* to integers, and from a GPU to the host */
        double certify, deliver, total;
    } seconds;
} pc_plan;

/* Fills plan for A^length. holds_result says whether the whole matrix will be kept (pc_count) or
 * passed on in row blocks (pc_count_rows). PC_ERR_RANGE when counts may be wider than the widest
 * arithmetic, PC_ERR_MEMORY when it would not fit: the message says what is needed, what there is
 * and what to do instead. options NULL means defaults. */
pc_status pc_plan_make(pc_context *context, const pc_graph *graph, uint64_t length,
                       const pc_count_options *options, int holds_result, pc_plan *plan);

/* The plan of the last count on this context with its measured times; PC_ERR_ARGUMENT before. */
pc_status pc_plan_last(const pc_context *context, pc_plan *plan);

/* ---- Counting -------------------------------------------------------------------------------- */

/* The matrix A^length, kept in memory. Certified before it is delivered unless switched off:
 * wrong with probability below 2^-80, else PC_ERR_CERTIFY. Needs n <= 131071. */
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
} pc_rows;

/* Receives rows in order, once each; they are valid during the call. Returns PC_OK to go on. Any
 * other status stops the count, which returns it. */
typedef pc_status (*pc_rows_fn)(void *user, const pc_rows *rows);

/* The same matrix passed to deliver in row blocks, each certified before it is passed on, without
 * ever holding it whole. */
pc_status pc_count_rows(pc_context *context, const pc_graph *graph, uint64_t length,
                        const pc_count_options *options, pc_rows_fn deliver, void *user);

void pc_counts_free(pc_counts *counts);

uint64_t pc_counts_n_rows(const pc_counts *counts);
uint64_t pc_counts_n_columns(const pc_counts *counts);

/* The whole matrix as one block; valid as long as counts. */
void pc_counts_rows(const pc_counts *counts, pc_rows *rows);

/* One count as a 64-bit integer; PC_ERR_RANGE when it does not fit or is a double. row and column
 * out of range give PC_ERR_ARGUMENT, here and below. Any number of threads may read the same counts,
 * so these functions leave the context's message alone. */
pc_status pc_counts_u64(const pc_counts *counts, uint64_t row, uint64_t column, uint64_t *value);

/* One count as a double: the nearest one; +infinity when it is too large. */
pc_status pc_counts_double(const pc_counts *counts, uint64_t row, uint64_t column, double *value);

/* One count as decimal text in buffer, size bytes with its final NUL. *length, unless NULL, gets
 * the length the text has; PC_ERR_RANGE, *length set all the same, when it does not fit: so
 * (NULL, 0, &length) asks for the length. */
pc_status pc_counts_text(const pc_counts *counts, uint64_t row, uint64_t column, char *buffer,
                         size_t size, size_t *length);

#ifdef __GNU_MP_VERSION /* include <gmp.h> before this header to have it */
/* One count as a GMP integer, which the caller has initialised; PC_ERR_RANGE for doubles. */
pc_status pc_counts_mpz(const pc_counts *counts, uint64_t row, uint64_t column, mpz_t value);
#endif

/* Entry e = row * n_columns + column of a row block as decimal text, as pc_counts_text does. */
pc_status pc_rows_text(const pc_rows *rows, uint64_t e, char *buffer, size_t size, size_t *length);

/* ---- Summary --------------------------------------------------------------------------------- */

typedef struct pc_summary pc_summary;

typedef struct pc_pair {
    uint64_t from, to;
    const char *count; /* decimal text */
} pc_pair;

#define PC_SUMMARY_PAIRS 10

typedef struct pc_summary_values {
    const char *total;                 /* sum of all counts, decimal text */
    const char *closed;                /* sum of the diagonal: paths that return to their start */
    const char *largest;               /* the largest count */
    uint64_t largest_from, largest_to; /* where it is first found, row by row */
    const char *largest_row_sum;       /* the most paths that start at one vertex */
    uint32_t largest_bits; /* width of the largest count; 0 when the counts are doubles */
    uint64_t n_nonzero;    /* pairs joined by at least one path */
    uint32_t n_pairs;      /* largest counts first; an undirected pair once */
    pc_pair pairs[PC_SUMMARY_PAIRS];
} pc_summary_values;

/* An empty summary of counts of paths in graph; add the row blocks to it, in any order. */
pc_status pc_summary_create(pc_context *context, const pc_graph *graph, pc_summary **summary);
void pc_summary_free(pc_summary *summary);
pc_status pc_summary_add(pc_summary *summary, const pc_rows *rows);

/* What the rows added so far amount to; strings are valid until the next call on the summary. */
pc_status pc_summary_get(pc_summary *summary, pc_summary_values *values);

/* ---- Writing --------------------------------------------------------------------------------- */

typedef struct pc_writer pc_writer;

/* A file to write a matrix to, row block by row block. The format follows the name: .tsv .csv .mtx
 * .npy .json, packed when .gz or .zst follows. Rows go to a temporary file beside it, which takes
 * the final name in pc_writer_commit: under that name there is never part of a result.
 *
 * .tsv .csv   header line and first column are the labels; TSV writes tab, line feed, carriage
 *             return and backslash in a label as \t \n \r \\, CSV quotes
 * .mtx        Matrix Market coordinate integer (real for doubles), zeros left out; of an undirected
 *             graph the lower triangle, "symmetric"
 * .npy        one limb: '<u8'; more: a structured type of '<u8' fields limb0, limb1, ..., least
 *             significant first; doubles: '<f8', PC_ERR_RANGE when the exponent does not fit
 * .json       {"labels": [...], "rows": [[...]]}, counts as strings; PC_ERR_DATA when a label is not
 *             UTF-8
 *
 * plan is what pc_plan_make gave for the count to be written. Rows are added in order, without
 * gaps; to commit with rows missing is PC_ERR_ARGUMENT. */
pc_status pc_writer_open(pc_context *context, const char *path, const pc_graph *graph,
                         const pc_plan *plan, pc_writer **writer);
pc_status pc_writer_add(pc_writer *writer, const pc_rows *rows);

/* Finishes the file and gives it its name; then the writer is free()d as by pc_writer_free,
 * whatever the status. */
pc_status pc_writer_commit(pc_writer *writer);

/* Drops what was written; the file of that name, if there was one, is as it was. */
void pc_writer_free(pc_writer *writer);

/* ---- Measuring the GPU engine ---------------------------------------------------------------- */

/* Parts of the benchmark. */
#define PC_BENCH_CEILINGS 1u /* what the machine can: library products, copies, the bus */
#define PC_BENCH_PRODUCTS 2u /* each product kernel, full and triangular, against the library */
#define PC_BENCH_PLANES   4u /* nine planes in one launch against nine library products */
#define PC_BENCH_COUNTS   8u /* whole counts on the device against products of doubles */
#define PC_BENCH_ALL      15u

typedef struct pc_bench_options {
    unsigned parts;        /* PC_BENCH_* added; 0: all */
    int n_rounds;          /* measurements to take the median of, at most 1000; 0: 7 */
    uint32_t n_sizes;      /* 0: the sizes that each part has of its own */
    const uint32_t *sizes; /* [n_sizes]: vertices, multiples of 128 up to 65536 */
} pc_bench_options;

/* What is measured; strings are valid during the call. */
typedef struct pc_bench_machine {
    const char *device; /* "NVIDIA H100 80GB HBM3" */
    int major, minor;   /* its compute capability */
    int n_multiprocessors;
    double highest_mhz;  /* clock of the multiprocessors, as the driver allows it ... */
    double found_mhz;    /* ... and as found before the first measurement */
    const char *driver;  /* the CUDA version it supports, "13.0" */
    const char *runtime; /* the CUDA version of the engine */
    const char *library; /* version of cuBLAS; "" when there is none: then nothing is compared */
    const char *library_missing; /* why there is none; "" */
    const char *kernel;          /* the product kernel that counts use */
} pc_bench_machine;

typedef struct pc_bench_ratio {
    const char *against; /* what it is compared with; NULL: no comparison */
    double times;        /* how many times as fast as that */
} pc_bench_ratio;

#define PC_BENCH_RATIOS 3

/* One measurement. Rates count 2 n^3 operations a product, however few were needed. */
typedef struct pc_bench_row {
    const char *section; /* "ceilings", "products", "planes", "counts" */
    const char *name;
    uint64_t n;          /* vertices; 0: not a matter of size */
    double milliseconds; /* median of the rounds; 0: not measured, see note */
    double rate;
    const char *unit; /* of the rate: "TOPS", "TFLOPS", "GB/s" */
    pc_bench_ratio ratio[PC_BENCH_RATIOS];
    const char *verified; /* what the result was compared with before it was timed; "": nothing */
    const char *note;     /* ""; why it was not measured */
} pc_bench_row;

typedef void (*pc_bench_machine_fn)(void *user, const pc_bench_machine *machine);
typedef void (*pc_bench_row_fn)(void *user, const pc_bench_row *row);

/* Measures the CUDA engine on the GPU that the context's device names (the first one of several),
 * alternating what is compared, after warming up. Each result is checked first: PC_ERR_CERTIFY, after
 * everything else was measured, when one was wrong. PC_ERR_ENGINE when there is no engine or GPU. */
pc_status pc_bench(pc_context *context, const pc_bench_options *options,
                   pc_bench_machine_fn machine, pc_bench_row_fn row, void *user);

#ifdef __cplusplus
}
#endif
#endif
