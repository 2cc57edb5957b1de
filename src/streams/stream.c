/* Counts a stream of graphs. All threads decode and count a chunk of it, and its rows are delivered
 * in order.
 *
 * A graph whose counts fail their check is decoded again and counted as a graph of the library. So
 * is a graph whose row has changed before it is delivered. */
#include "src/streams/stream.h"
#include "src/certify/certify.h"
#include "src/plan/question.h"

#include <fcntl.h>
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_ROWS = 16384,         /* counted before any is delivered */
    BLOCK_BYTES = 8 << 20,     /* of their counts, if these are words */
    DELIVERED_BYTES = 4 << 20, /* of rows wider than a word that are delivered together */
    SLICE = 16,                /* graphs that a thread takes at a time */
    ROW_BYTES_A_COLUMN = 5 * 8 /* held for a graph while it is counted, at least */
};

#define FIRST_GUESS_SECONDS 1e-6 /* that a graph takes */

typedef struct stream {
    pc_context *context;
    pci_stream_source *source;
    pci_stream_asked asked;
    pc_rows_fn deliver;
    void *user;
    uint64_t max_vertices; /* of the graph options */
    uint64_t n_delivered;
    uint64_t most_rows;
    uint64_t *narrow;   /* [most_rows][n_columns] */
    pci_wide_row *wide; /* [most_rows]; n_limbs 0: to be counted by all threads together */
    int n_threads;
    pc_context *own;              /* [n_threads] */
    pci_stream_counter *counters; /* [n_threads] */
    pci_stream_counter alone;     /* for the whole context */
    double graph_seconds;         /* that a graph takes a thread */
    size_t n_good;                /* graphs of the block before the first that cannot be counted */
    pc_status status;             /* of that one, and why */
    char message[PCI_MESSAGE_SIZE];
} stream;

/* ---- The question ---------------------------------------------------------------------------- */

static pc_status check(pc_context *context, const pc_stream_query *query,
                       const pc_count_options *options)
{
    if (!query->total && !query->closed)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a stream is asked for totals, for closed paths, or for both");
    if (query->each && query->up_to)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a query answers for each length or adds lengths up, not both");
    if (query->paths == PC_PATHS_MARKOV || (unsigned)query->paths > PC_PATHS_CYCLES)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "the graphs of a stream are asked for numbers of paths or cycles, not for "
                        "kind %d",
                        (int)query->paths);
    if (query->closed && query->paths >= PC_PATHS_SIMPLE)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "simple paths and cycles of a stream are counted in all (--total); no "
                        "simple path is closed");
    if (options->arithmetic == PC_FLOAT)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "the graphs of a stream are counted exactly or modulo a number, not in "
                        "doubles");
    return PC_OK;
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* While one thread counts a graph, the caller is only told that counting goes on. */
static int tell(void *user, const char *stage, double fraction)
{
    const pc_context *context = user;
    (void)stage, (void)fraction;
    return context->progress ? context->progress(context->progress_user, "count", 0) : 0;
}

/* A context for each thread, with one thread and its share of the memory. The first one belongs to
 * the calling thread and may call the progress callback. */
static pc_status allocate(stream *s)
{
    pc_context *context = s->context;
    const pc_stream_query *query = &s->asked.query;
    uint64_t available = pci_memory_available(context);
    s->asked.n_lengths = query->each ? query->length : 1;
    double n_columns = (double)s->asked.n_lengths * (!!query->total + !!query->closed);
    if (n_columns * ROW_BYTES_A_COLUMN > (double)available)
        return pci_fail(context, PC_ERR_MEMORY,
                        "the counts of one graph, of each length up to %" PRIu64
                        ", need %.0f MiB, and there are %.0f MiB; ask for fewer lengths",
                        query->length, n_columns * ROW_BYTES_A_COLUMN / 0x1p20,
                        (double)available / 0x1p20);
    s->asked.n_columns = (uint64_t)n_columns;
    s->most_rows = MOST_ROWS;
    uint64_t n_block_bytes = available / 8 < BLOCK_BYTES ? available / 8 : BLOCK_BYTES;
    uint64_t n_row_bytes = s->asked.n_columns * sizeof *s->narrow + sizeof *s->wide;
    if (s->most_rows * n_row_bytes > n_block_bytes)
        s->most_rows = n_block_bytes / n_row_bytes + 1;
    s->n_threads = pci_n_threads(context);
    size_t n_threads = (size_t)s->n_threads, n_words = s->most_rows * s->asked.n_columns;
    s->narrow = pci_alloc(context, n_words * sizeof *s->narrow);
    s->wide = pci_alloc_zero(context, s->most_rows, sizeof *s->wide);
    s->own = pci_alloc_zero(context, n_threads, sizeof *s->own);
    s->counters = pci_alloc_zero(context, n_threads, sizeof *s->counters);
    if (!s->narrow || !s->wide || !s->own || !s->counters)
        return pci_fail_memory(context, "the rows of a stream", n_words * sizeof *s->narrow);
    available = pci_memory_available(context);
    for (int t = 0; t < s->n_threads; t++) {
        pc_context *own = &s->own[t];
        *own = *context;
        own->n_threads = 1;
        own->memory_limit_bytes = available / (uint64_t)s->n_threads + 1;
        own->progress = t == 0 ? tell : NULL;
        own->progress_user = context;
        if (own->devices.kind == PCI_DEVICE_AUTO)
            own->devices.kind = PCI_DEVICE_CPU;
        s->counters[t] =
            (pci_stream_counter){.asked = &s->asked, .context = own, .graph.context = own};
    }
    s->alone =
        (pci_stream_counter){.asked = &s->asked, .context = context, .graph.context = context};
    return PC_OK;
}

static void free_wide(stream *s)
{
    for (uint64_t i = 0; s->wide && i < s->most_rows; i++) {
        pci_free(s->context, s->wide[i].words);
        s->wide[i].words = NULL;
    }
}

static void free_stream(stream *s)
{
    free_wide(s);
    for (int t = 0; s->alone.context && t < s->n_threads; t++)
        pci_listed_free(&s->counters[t].graph);
    if (s->alone.context)
        pci_listed_free(&s->alone.graph);
    pci_free(s->context, s->narrow);
    pci_free(s->context, s->wide);
    pci_free(s->context, s->own);
    pci_free(s->context, s->counters);
    if (s->source)
        s->source->kind->close(s->source);
}

/* ---- Counting -------------------------------------------------------------------------------- */

static void note_failure(stream *s, size_t i, pc_status status, const char *why)
{
#pragma omp critical(pci_stream_failure)
    if (i < s->n_good) {
        __atomic_store_n(&s->n_good, i, __ATOMIC_RELAXED);
        s->status = status;
        snprintf(s->message, sizeof s->message, "%s", why);
    }
}

/* Counts graph i of the block, which is graph first + i of the chunk. A graph that takes long, or
 * does not fit a thread's share of the memory, is left for the whole context. One whose counts failed their check is
 * decoded and counted again. */
static void count_one(stream *s, pci_stream_counter *counter, size_t first, size_t i)
{
    bool is_alone = counter == &s->alone;
    const char *flaw = NULL, *message = counter->context->message;
    uint64_t *row = s->narrow + i * s->asked.n_columns;
    counter->context->message[0] = '\0';
    pc_status status =
        s->source->kind->decode(s->source, first + i, s->asked.multigraph, &counter->graph, &flaw);
    if (status == PC_OK && !is_alone && pci_stream_is_heavy(counter)) {
        s->wide[i] = (pci_wide_row){0};
        return;
    }
    if (status == PC_OK)
        status = pci_stream_count(counter, row, &s->wide[i]);
    if (status == PC_ERR_CERTIFY &&
        s->source->kind->decode(s->source, first + i, s->asked.multigraph, &counter->graph,
                                &flaw) == PC_OK)
        status = pci_stream_recount(counter, row, &s->wide[i]);
    if (status == PC_ERR_MEMORY && !is_alone)
        s->wide[i] = (pci_wide_row){0};
    else if (status != PC_OK)
        note_failure(s, i, status, flaw ? flaw : *message ? message : pc_status_text(status));
}

static void count_block(stream *s, size_t first, size_t n)
{
    double start = pci_now_seconds();
    int n_threads = pci_threads_for(s->context, 1e9 * s->graph_seconds * (double)n);
    n_threads = n_threads < s->n_threads ? n_threads : s->n_threads;
    s->n_good = n;
    s->status = PC_OK;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, SLICE) if (n_threads > 1)
    for (size_t i = 0; i < n; i++)
        if (i < __atomic_load_n(&s->n_good, __ATOMIC_RELAXED))
            count_one(s, &s->counters[omp_get_thread_num()], first, i);
    s->graph_seconds = (pci_now_seconds() - start) * n_threads / (double)n;
    for (size_t i = 0; i < s->n_good; i++)
        if (s->wide[i].n_limbs == 0)
            count_one(s, &s->alone, first, i);
}

/* ---- Delivering ------------------------------------------------------------------------------ */

static bool is_as_counted(const stream *s, size_t i)
{
    return pci_stream_digest(&s->asked, s->narrow + i * s->asked.n_columns, &s->wide[i]) ==
           s->wide[i].digest;
}

/* Rows first .. end - 1 in numbers of n_limbs words. */
static pc_status deliver(stream *s, size_t first, size_t end, uint32_t n_limbs)
{
    uint64_t n_columns = s->asked.n_columns, *words = NULL;
    size_t n_counts = (end - first) * n_columns;
    pc_rows rows = {.first_row = s->n_delivered,
                    .n_rows = end - first,
                    .n_columns = n_columns,
                    .n_limbs = n_limbs,
                    .limbs = s->narrow + first * n_columns};
    if (n_limbs > 1) {
        uint64_t *to = words = pci_alloc_zero(s->context, n_counts, n_limbs * sizeof *words);
        if (!words)
            return pci_fail_memory(s->context, "the rows of a stream",
                                   n_counts * n_limbs * sizeof *words);
        for (size_t i = first; i < end; i++) {
            const pci_wide_row *wide = &s->wide[i];
            const uint64_t *from = wide->words ? wide->words : s->narrow + i * n_columns;
            for (uint64_t c = 0; c < n_columns; c++, to += n_limbs, from += wide->n_limbs)
                memcpy(to, from, wide->n_limbs * sizeof *to);
        }
        rows.limbs = words;
    }
    s->n_delivered += rows.n_rows;
    pc_status status = pci_check_reduced(s->context, s->asked.options.modulus, &rows);
    if (status == PC_OK)
        status = s->deliver(s->user, &rows);
    pci_free(s->context, words);
    return status;
}

/* The good rows of the block, together as far as that does not make narrow ones much wider. */
static pc_status deliver_rows(stream *s, size_t first_of_block)
{
    uint64_t n_columns = s->asked.n_columns;
    pc_status status = PC_OK;
    for (size_t first = 0, end; first < s->n_good && status == PC_OK; first = end) {
        uint32_t n_limbs = 1;
        for (end = first; end < s->n_good; end++) {
            if (!is_as_counted(s, end)) { /* it has changed: it is counted again */
                pci_free(s->context, s->wide[end].words);
                s->wide[end].words = NULL;
                count_one(s, &s->alone, first_of_block, end);
                if (end < s->n_good && !is_as_counted(s, end))
                    note_failure(s, end, PC_ERR_CERTIFY, "its counts change in memory");
            }
            uint32_t widest = s->wide[end].n_limbs > n_limbs ? s->wide[end].n_limbs : n_limbs;
            size_t n_bytes = (end + 1 - first) * n_columns * widest * sizeof *s->narrow;
            if (end >= s->n_good || (end > first && widest > 1 && n_bytes > DELIVERED_BYTES))
                break;
            n_limbs = widest;
        }
        if (first < end)
            status = deliver(s, first, end, n_limbs);
    }
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static pc_status take_block(stream *s, size_t first, size_t n)
{
    count_block(s, first, n);
    bool is_cancelled = s->status == PC_ERR_CANCELLED;
    pc_status status =
        is_cancelled ? pci_fail(s->context, PC_ERR_CANCELLED, "cancelled") : deliver_rows(s, first);
    free_wide(s);
    if (status == PC_OK && s->n_good < n) {
        s->source->kind->fail(s->source, first + s->n_good, s->message);
        return s->status;
    }
    return status == PC_OK ? pci_progress(s->context, "count", 0) : status;
}

pc_status pci_stream_open(pc_context *context, const char *path, uint64_t max_vertices,
                          pci_stream_source **source)
{
    struct stat about;
    if (strcmp(path, "-") == 0)
        return pci_stream_lines_open(context, "standard input", STDIN_FILENO, max_vertices, source);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0)
        return pci_fail(context, PC_ERR_NO_INPUT, "%s: cannot be opened: %m", path);
    if (!S_ISDIR(about.st_mode))
        return pci_stream_lines_open(context, path, file, max_vertices, source);
    close(file);
    return pci_stream_folder_open(context, path, source);
}

static pc_status run(stream *s, const char *path)
{
    size_t n_graphs = 1;
    pc_status status = allocate(s);
    if (status == PC_OK)
        status = pci_stream_open(s->context, path, s->max_vertices, &s->source);
    while (status == PC_OK && n_graphs > 0) {
        status = s->source->kind->next(s->source, &n_graphs);
        for (size_t i = 0, n; i < n_graphs && status == PC_OK; i += n) {
            n = n_graphs - i < s->most_rows ? n_graphs - i : s->most_rows;
            status = take_block(s, i, n);
        }
    }
    return status;
}

pc_status pc_stream_run(pc_context *context, const char *path,
                        const pc_graph_options *graph_options, const pc_stream_query *query,
                        const pc_count_options *options, pc_rows_fn deliver, void *user)
{
    if (!context || !path || !query || !deliver)
        return pci_fail_null(context, "path, query or deliver");
    stream s = {.context = context,
                .deliver = deliver,
                .user = user,
                .asked.query = *query,
                .graph_seconds = FIRST_GUESS_SECONDS};
    if (graph_options) {
        s.asked.direction = graph_options->direction;
        s.asked.multigraph = graph_options->multigraph;
        s.asked.loops = graph_options->loops;
        s.max_vertices = graph_options->max_vertices;
    }
    pc_status status = pci_check_directions(context, PC_DIRECTION_OF_FORMAT, graph_options);
    if (status == PC_OK && s.asked.loops == PC_LOOPS_TWICE && pc_stream_is_folder(path))
        status = pci_fail(context, PC_ERR_ARGUMENT,
                          "%s: --loops twice is for edges, and this folder has the entries of "
                          "adjacency matrices, which count as they are: leave --loops out",
                          path);
    if (status == PC_OK)
        status = pci_options_complete(context, options, &s.asked.options);
    if (status == PC_OK)
        status = check(context, query, &s.asked.options);
    if (status == PC_OK)
        status = run(&s, path);
    free_stream(&s);
    return status;
}
