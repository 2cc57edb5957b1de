/* Streams that go wrong, stop, wait or never seem to end: what was right before is delivered,
 * nothing leaks, and memory does not grow. */
#include "src/streams/stream.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/reading.h"
#include "tests/support/stream_text.h"
#include "tests/support/fixture.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- What goes wrong ------------------------------------------------------------------------- */

static pc_status add_n_rows(void *user, const pc_rows *rows)
{
    uint64_t *n_rows = user;
    *n_rows += rows->n_rows;
    return PC_OK;
}

/* Rows before a bad line arrive; it is named, and it is the first one. */
TEST("bad lines")
{
    static const unsigned at[] = {1, 2, 17, 1000, 40000};
    for (size_t c = 0; c < 5; c++)
        for (int n_threads = 1; n_threads <= 4; n_threads += 3) {
            const char *path = scratch_path(".g6");
            char where[32];
            uint64_t n_rows = 0;
            OWNED(pc_context) *context = new_context(n_threads);
            pc_stream_query query = {.total = 1, .length = 3};
            FILE *file = fopen(path, "w");
            for (unsigned line = 1; line <= 50000; line++)
                fputs(line == at[c] || line == 45000 || line == at[c] + 1 ? "D?\n" : "DQc\n", file);
            fclose(file);
            snprintf(where, sizeof where, ":%u: ", at[c]);
            CU_ASSERT_EQUAL(pc_stream_run(context, path, NULL, &query, NULL, add_n_rows, &n_rows),
                            PC_ERR_DATA);
            CU_ASSERT_EQUAL(n_rows, at[c] - 1);
            CU_ASSERT(says(context, where));
            remove(path);
        }
}

/* Counts of too many bits are an error of that graph, and only then. */
TEST("more steps than there is time for")
{
    const char *path = scratch_path(".g6"), text[] = "A_\nA?\nD~{\nA_\n";
    uint64_t n_rows = 0;
    OWNED(pc_context) *context = new_context(2);
    pc_stream_query query = {.total = 1, .length = 1000000000000};
    scratch_write(path, text, strlen(text));
    CU_ASSERT_EQUAL(pc_stream_run(context, path, NULL, &query, NULL, add_n_rows, &n_rows),
                    PC_ERR_RANGE);
    CU_ASSERT_EQUAL(n_rows, 2);
    CU_ASSERT(says(context, ":3: "));
    remove(path);
}

TEST("senseless questions")
{
    static const struct {
        pc_stream_query query;
        pc_count_options options;
    } cases[] = {{{.length = 3}, {0}},
                 {{.total = 1, .each = 1, .up_to = 1}, {0}},
                 {{.total = 1, .paths = PC_PATHS_MARKOV}, {0}},
                 {{.total = 1, .paths = (pc_path_kind)7}, {0}},
                 {{.total = 1}, {.arithmetic = PC_FLOAT}},
                 {{.total = 1}, {.arithmetic = PC_MODULAR, .modulus = 1}}};
    uint64_t n_rows = 0;
    OWNED(pc_context) *context = new_context(1);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        CU_ASSERT_EQUAL(pc_stream_run(context, "/nowhere", NULL, &cases[c].query, &cases[c].options,
                                      add_n_rows, &n_rows),
                        PC_ERR_ARGUMENT);
    pc_stream_query query = {.total = 1, .length = UINT64_MAX, .each = 1};
    CU_ASSERT_EQUAL(pc_stream_run(context, "/nowhere", NULL, &query, NULL, add_n_rows, &n_rows),
                    PC_ERR_MEMORY);
    query.each = 0;
    CU_ASSERT_EQUAL(pc_stream_run(context, "/nowhere", NULL, &query, NULL, add_n_rows, &n_rows),
                    PC_ERR_NO_INPUT);
    CU_ASSERT_EQUAL(n_rows, 0);
}

typedef struct some_stream {
    const char *path;
    pc_stream_query query;
} some_stream;

static pc_status run_some(pc_context *context, void *user)
{
    const some_stream *s = user;
    uint64_t n_rows = 0;
    return pc_stream_run(context, s->path, NULL, &s->query, NULL, add_n_rows, &n_rows);
}

/* Small ones, one of wide counts and one too large for rows of bits. */
static void write_some(const char *path)
{
    static const uint64_t sizes[] = {3, 10, 60, 70, 5};
    FILE *file = fopen(path, "w");
    for (size_t g = 0; g < 5; g++) {
        OWNED(edge_set) edges = edge_set_constant(sizes[g], 1);
        edges.directed = g % 2;
        print_graph(file, &edges);
    }
    fclose(file);
}

/* A refusal may be made up for: a graph is tried again alone. What is refused for good is an
 * error with a sentence, and nothing leaks. */
TEST("no memory")
{
    some_stream s = {scratch_path(".g6"), {.total = 1, .closed = 1, .length = 30, .each = 1}};
    failing_allocator allocator = FAILING_ALLOCATOR;
    write_some(s.path);
    for (int keeps_failing = 0; keeps_failing < 2; keeps_failing++) {
        pc_status status = PC_ERR_MEMORY;
        for (uint64_t at = 1; keeps_failing ? status != PC_OK : at < 200; at++) {
            pc_context *context = failing_context(&allocator, 2);
            failing_allocator_rearm(&allocator, at, keeps_failing);
            status = run_some(context, &s);
            CU_ASSERT(status == PC_OK || status == PC_ERR_MEMORY);
            CU_ASSERT(status == PC_OK || pc_context_message(context)[0] != '\0');
            pc_context_free(context);
            CU_ASSERT_EQUAL_FATAL(allocator.n_live, 0);
        }
    }
    remove(s.path);
}

/* All lengths to 20 of a complete graph with loops: 20 counts of paths and 20 of closed ones, the widest 60^21, of two
 * words each. */
TEST("what there is no memory for")
{
    enum { N = 60 };
    uint64_t row[40];
    pci_wide_row wide;
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 1);
    pci_stream_asked asked = {.query = {.total = 1, .closed = 1, .length = 20, .each = 1},
                              .n_lengths = 20,
                              .n_columns = 40};
    pci_stream_counter counter = {
        .asked = &asked,
        .context = context,
        .graph = {.n_vertices = N, .is_directed = true, .is_small = true, .n_entries = N * N}};
    for (int v = 0; v < N; v++)
        counter.graph.row[v] = UINT64_MAX >> (64 - N);
    failing_allocator_rearm(&allocator, 1, false);
    CU_ASSERT(is_refused(context, pci_stream_count(&counter, row, &wide), PC_ERR_MEMORY,
                         "no memory for the counts of a graph (640 bytes)"));
    MUST(pci_stream_count(&counter, row, &wide));
    CU_ASSERT_EQUAL(wide.n_limbs, 2);
    pci_free(context, wide.words);
}

TEST("cancelled")
{
    some_stream s = {scratch_path(".g6"), {.total = 1, .closed = 1, .length = 30}};
    write_some(s.path);
    CU_ASSERT(cancel_at_each_question(run_some, 2, &s) > 1);
    remove(s.path);
}

static pc_status stop(void *user, const pc_rows *rows)
{
    pc_context *context = user;
    (void)rows;
    return pc_context_fail(context, PC_ERR_IO, "enough");
}

TEST("stopped by the receiver")
{
    const char *path = scratch_path(".g6");
    OWNED(pc_context) *context = new_context(2);
    pc_stream_query query = {.total = 1, .length = 2};
    write_some(path);
    CU_ASSERT_EQUAL(pc_stream_run(context, path, NULL, &query, NULL, stop, context), PC_ERR_IO);
    CU_ASSERT_STRING_EQUAL(pc_context_message(context), "enough");
    remove(path);
}

/* ---- Pipes and memory ------------------------------------------------------------------------ */

typedef struct stalling {
    int end;        /* of the pipe, to write to */
    sem_t answered; /* three rows have come */
    bool was_answered;
    uint64_t n_rows;
} stalling;

static void *write_and_wait(void *user)
{
    stalling *s = user;
    struct timespec limit;
    bool whole = write(s->end, "A_\nA?\nBw\nB", 10) == 10;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 30;
    s->was_answered = whole && sem_timedwait(&s->answered, &limit) == 0;
    whole = write(s->end, "w\n", 2) == 2;
    close(s->end);
    return NULL;
}

static pc_status answer(void *user, const pc_rows *rows)
{
    stalling *s = user;
    bool had_three = s->n_rows >= 3;
    s->n_rows += rows->n_rows;
    if (!had_three && s->n_rows >= 3)
        sem_post(&s->answered);
    return PC_OK;
}

/* A pipe that waits in the middle of a line gets the answers to what it has sent. */
TEST("a slow pipe")
{
    int ends[2];
    char path[32];
    pthread_t writer;
    stalling s = {0};
    OWNED(pc_context) *context = new_context(2);
    pc_stream_query query = {.total = 1, .length = 2};
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    s.end = ends[1];
    sem_init(&s.answered, 0, 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&writer, NULL, write_and_wait, &s), 0);
    CU_ASSERT_EQUAL(pc_stream_run(context, path, NULL, &query, NULL, answer, &s), PC_OK);
    pthread_join(writer, NULL);
    CU_ASSERT_EQUAL(s.n_rows, 4);
    CU_ASSERT(s.was_answered);
    close(ends[0]);
    sem_destroy(&s.answered);
}

static uint64_t peak_of(unsigned n_lines)
{
    enum { N_KINDS = 16 };
    const char *path = scratch_path(".g6");
    random_source source = {9};
    failing_allocator allocator = FAILING_ALLOCATOR;
    some_stream s = {path, {.total = 1, .length = 30}};
    char *text = NULL;
    size_t n_bytes;
    FILE *kinds = open_memstream(&text, &n_bytes), *file = fopen(path, "w");
    for (int k = 0; k < N_KINDS; k++) {
        OWNED(edge_set) edges = edge_set_density(&source, 20, 500, true);
        print_graph(kinds, &edges);
    }
    fclose(kinds);
    for (unsigned line = 0; line < n_lines; line += N_KINDS)
        fwrite(text, 1, n_bytes, file);
    fclose(file);
    free(text);
    OWNED(pc_context) *context = failing_context(&allocator, 2);
    CU_ASSERT_EQUAL(run_some(context, &s), PC_OK);
    remove(path);
    return allocator.peak_bytes;
}

/* Two chunks of text at least, and five times as many. */
TEST("memory")
{
    uint64_t of_short = peak_of(50000), of_long = peak_of(250000);
    CU_ASSERT(of_long < of_short + of_short / 8);
    CU_ASSERT(of_long < 64 << 20);
}
