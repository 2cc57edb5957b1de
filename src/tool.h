/* Functions that only our own programs call, beside the public headers: the command, pathcount-mpi and tests/bench. It
 * is not installed. The rules are those of pathcount.h. */
#ifndef PATHCOUNT_TOOL_H
#define PATHCOUNT_TOOL_H

#include "pathcount_generate.h"
#include "pathcount_io.h"
#include "pathcount_stream.h"

/* ---- Contexts, formats, streams -------------------------------------------------------------- */

/* Calls the progress callback, for libraries built on this one; PC_ERR_CANCELLED, with a message, when it
 * asks to stop. */
pc_status pc_context_progress(pc_context *context, const char *stage, double fraction);

/* Sets whether a file that this library writes is on the disk before it gets its name, and its name before the
 * call returns (fsync of the file and of its folder). 1 at first. With 0 a power failure may leave a file
 * that is empty or cut short. */
void pc_context_set_sync(pc_context *context, int sync);

/* Bytes that a call made now may plan for: the memory limit, or what machine and container leave. */
uint64_t pc_context_memory_available(const pc_context *context);

/* The endings of file names that choose a format. */
typedef struct pc_file_format {
    const char *ending; /* ".mtx" */
    const char *name;   /* of the format in options and messages: "mtx" */
    pc_format format;    /* pc_graph_read reads it */
    int writes_graphs;   /* pc_graph_write does */
    int writes_matrices; /* pc_writer_open does */
    int is_archive;      /* .gz and .zst do not follow */
} pc_file_format;

/* The ending of path, in any case of letters, before one of .gz .zst .xz .bz2 or not; NULL when it is
 * none of these. Static storage. *stem, where stem is not NULL, is the length of path without both. */
const pc_file_format *pc_file_format_of(const char *path, size_t *stem);

/* Ending number i, those of a format one after the other; NULL past the last. Static storage. */
const pc_file_format *pc_file_format_at(unsigned i);

/* Tells whether path is the folder of a TUDataset: it holds the two files. */
int pc_stream_is_folder(const char *path);

/* PC_ERR_CERTIFY when the graph in memory is no longer the one that was made: what is counted then, and what
 * certifies it, is that of another graph. Reads all of it once. */
pc_status pc_graph_check(pc_context *context, const pc_graph *graph);

uint64_t pc_graph_n_vertices(const pc_graph *graph);

/* The length of the longest label; 0 when there is none. */
size_t pc_labels_longest(const pc_labels *labels);

/* What the plan of the last count on this context told, with its measured times, whichever call made
 * it; NULL before any. Valid until the next call on the context. */
const pc_plan_info *pc_plan_last(const pc_context *context);

/* The error that pc_centrality tells: see there. */
double pc_series_error(const pc_graph *graph, uint64_t length);

/* ---- Texts and files ------------------------------------------------------------------------- */

/* Receives the content of a file; the bytes are valid during the call and not NUL-terminated. */
typedef pc_status (*pc_text_fn)(void *user, const char *text, size_t n_bytes);

/* Passes the content of a file, "-" for standard input, to use in one piece, with gz, zst, xz and
 * bz2 unpacked. Returns what use returns. PC_ERR_NO_INPUT, PC_ERR_DATA (packed file is damaged),
 * PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pc_text_read(pc_context *context, const char *path, pc_text_fn use, void *user);

/* Opens the libraries for packed files, which the first such file would do: processes forked from here
 * find them open. */
void pc_packing_open(void);

/* A file that appears under its name only when it is whole. Until then it has no name, so that nothing of
 * it stays when the process ends. Where the file system cannot do so it is a temporary file in the same
 * folder, ".pathcount-<16 hexadecimal digits>.tmp", which only its owner can read, and which a process that
 * is killed leaves behind (pc_output_clean).
 *
 * Links are followed, also one whose target does not exist yet. In a sticky folder that everybody may write
 * to, such as /tmp, a link of another user is PC_ERR_CREATE, unless it belongs to the owner of the folder.
 *
 * A file of ours that is replaced passes its permissions on (0777); the set-user-ID, set-group-ID and sticky
 * bits are never passed on. Any other file gets the permissions of a new one (0666 without umask). */
typedef struct pc_output pc_output;

/* PC_ERR_CREATE when there can be no such file, PC_ERR_MEMORY. */
pc_status pc_output_open(pc_context *context, const char *path, pc_output **output);

/* PC_ERR_IO, as pc_output_commit. */
pc_status pc_output_write(pc_output *output, const void *bytes, size_t n_bytes);

/* The file that is open, for other ways to write to it; not to be closed. */
int pc_output_descriptor(const pc_output *output);

/* Gives the file its name; then the output is free()d as by pc_output_free, whatever the status. */
pc_status pc_output_commit(pc_output *output);

/* Called before a file gets its name, in every call that writes one: file is open, and whole, and may be read
 * with pread(). Any other status than PC_OK is that of the call, and the file does not get its name. Where
 * *is_withheld becomes 1 it does not get it either, but the call goes on as if it had. NULL: no such call. */
typedef pc_status (*pc_release_fn)(void *user, const char *path, int file, int *is_withheld);
void pc_context_set_release(pc_context *context, pc_release_fn release, void *user);

/* Removes the temporary file; what had the name before is as it was. */
void pc_output_free(pc_output *output);

/* Removes temporary files of this user that processes left in the folder of path when they were killed.
 * Files whose process is alive stay: it holds a lock on them (flock). So do all where there are no locks. */
void pc_output_clean(pc_context *context, const char *path);

/* ---- Text that several threads make ---------------------------------------------------------- */

/* A piece of a text: that of items first .. end - 1. */
typedef struct pc_piece {
    uint64_t first, end;
    char *room; /* [piece_bytes], aligned to 64 bytes: the one who makes the piece may use it */
    const char *text; /* [n_bytes] room and 0 at first */
    size_t n_bytes;
    pc_status status; /* PC_OK at first; only put looks at it */
} pc_piece;

typedef struct pc_pieces {
    uint64_t n_items;     /* that the text is made of */
    uint64_t piece_items; /* that a piece is made of, not 0; the last piece may have less */
    size_t piece_bytes;   /* of room for a piece */
    /* Makes the text of a piece. Several threads make pieces at once. They must not use the context. */
    void (*make)(void *user, pc_piece *piece);
    /* Passes a piece on. One thread at a time does so, for the pieces in their order. */
    pc_status (*put)(void *user, const pc_piece *piece);
    void *user;
} pc_pieces;

/* Makes a text with the threads of the context and passes it on. Any status of put but PC_OK ends
 * this and is returned. PC_ERR_MEMORY. */
pc_status pc_pieces_put(pc_context *context, const pc_pieces *pieces);

/* ---- Writers --------------------------------------------------------------------------------- */

/* Finishes the file without giving it its name, so that it can be read back before: *descriptor is open
 * for reading, and not to be closed. Only pc_writer_commit and pc_writer_free may follow. */
pc_status pc_writer_finish(pc_writer *writer, int *descriptor);

/* The file of labels beside the matrix, which gets its name just before it does; NULL: there is none.
 * The writer owns it. */
const char *pc_writer_labels_path(const pc_writer *writer);

/* ---- Devices ---------------------------------------------------------------------------------- */

/* Strings are valid during the call. Sizes in bytes, clocks in MHz; 0: not known. */
typedef struct pc_device {
    const char *engine; /* "cpu" or "cuda" */
    int index;          /* as in "cuda:1"; -1: the processors */
    const char *name;   /* "NVIDIA H100 80GB HBM3" */
    const char
        *missing;       /* ""; why the engine or the GPU cannot be used: nothing else is set then */
    int is_chosen;      /* large counts of this context would be made here */
    const char *kernel; /* the product kernel that would be used */
    uint64_t memory_bytes, free_bytes;
    int n_multiprocessors; /* of processors: threads that this process may use */
    int major, minor;      /* compute capability */
    double clock_mhz, memory_clock_mhz;
    int memory_bus_bits;
    uint64_t l2_bytes;
    int max_threads_per_block, max_threads_per_multiprocessor, max_blocks_per_multiprocessor;
    int registers_per_multiprocessor;
    uint64_t shared_per_multiprocessor, shared_per_block;
    /* Largest n whose counts of 64 bits fit (Hochberg, section 2.5, question 2): in theory, three
     * matrices of 64-bit integers in all of the memory; and as our plan would do it, undirected, in
     * what is free now. */
    uint64_t largest_n_theory, largest_n_plan;
} pc_device;

typedef void (*pc_device_fn)(void *user, const pc_device *device);

/* The processors, then each GPU, or an entry that says why there is none. */
pc_status pc_devices(pc_context *context, pc_device_fn tell, void *user);

/* ---- Rates: what plans believe of this machine ----------------------------------------------- */

/* The rate of one part of a count. */
typedef struct pc_rate {
    const char *name; /* "product", ... */
    const char *unit; /* "int8 operations", ...: a second and a thread */
    double per_second;
} pc_rate;

typedef void (*pc_rate_fn)(void *user, const pc_rate *rate);

/* Measures for a few seconds how fast this machine's processors are at what counts are made of,
 * with the threads of the context; its plans predict by that from then on, instead of by what is
 * compiled in. tell may be NULL. */
pc_status pc_calibrate(pc_context *context, pc_rate_fn tell, void *user);

/* Measures six of them for some 40 milliseconds, unless the context has rates that were measured or read, and
 * supposes that the others differ accordingly from those that are compiled in. *has_measured says whether rates
 * are others than before; it may be NULL. The command does so before longer work. */
pc_status pc_calibrate_quickly(pc_context *context, int *has_measured);

/* The rates of a file, by which plans predict from then on instead of by those that are compiled in. PC_ERR_NO_INPUT,
 * PC_ERR_DATA; PC_ERR_ENGINE for rates of another processor, kernel or version, which would mislead: then those of the
 * context are as they were. Only a regular file is read. */
pc_status pc_rates_read(pc_context *context, const char *path);

/* Keeps the rates of the context in a file, for pc_rates_read. PC_ERR_CREATE when it cannot be written. */
pc_status pc_rates_write(pc_context *context, const char *path);

#endif
