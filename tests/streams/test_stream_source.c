/* Streams of graphs: whatever pieces a pipe gives, packed or not, every graph comes in its order and
 * every flaw with its line. */
#include "tests/support/failing_allocator.h"
#include "tests/support/pack_text.h"
#include "tests/support/reading.h"
#include "tests/support/stream_sample.h"
#include "tests/support/fixture.h"

#include "src/streams/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Pipes ----------------------------------------------------------------------------------- */

/* The writer of a pipe, which writes pieces of n_bytes. */
typedef struct pipe_writer {
    pthread_t thread;
    int ends[2];
    char path[64]; /* of the end to read from */
    const char *text;
    size_t n_bytes, n_piece;
} pipe_writer;

static void *write_pieces(void *user)
{
    pipe_writer *writer = user;
    for (size_t at = 0; at < writer->n_bytes; at += writer->n_piece) {
        size_t n_left = writer->n_bytes - at;
        size_t n_now = n_left < writer->n_piece ? n_left : writer->n_piece;
        if (write(writer->ends[1], writer->text + at, n_now) != (ssize_t)n_now)
            break;
    }
    close(writer->ends[1]);
    return NULL;
}

static void start_writer(pipe_writer *writer, const char *text, size_t n_bytes, size_t n_piece)
{
    *writer = (pipe_writer){.text = text, .n_bytes = n_bytes, .n_piece = n_piece};
    CU_ASSERT_EQUAL_FATAL(pipe(writer->ends), 0);
    snprintf(writer->path, sizeof writer->path, "/dev/fd/%d", writer->ends[0]);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&writer->thread, NULL, write_pieces, writer), 0);
}

static void end_writer(pipe_writer *writer)
{
    pthread_join(writer->thread, NULL);
    close(writer->ends[0]);
}

TEST("pieces of any size")
{
    static const size_t pieces[] = {1, 2, 7, 4096, 65536};
    sample wanted = make_sample(1, 3000, 20);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        pipe_writer writer;
        start_writer(&writer, wanted.text, wanted.n_bytes, pieces[i]);
        check_stream(writer.path, &wanted);
        end_writer(&writer);
    }
    free_sample(&wanted);
}

TEST("standard input")
{
    sample wanted = make_sample(2, 50, 70);
    int kept = dup(STDIN_FILENO);
    pipe_writer writer;
    start_writer(&writer, wanted.text, wanted.n_bytes, 100);
    dup2(writer.ends[0], STDIN_FILENO);
    check_stream("-", &wanted);
    if (kept >= 0)
        dup2(kept, STDIN_FILENO);
    close(kept);
    end_writer(&writer);
    free_sample(&wanted);
}

/* A pipe whose writer waits for each answer before it writes on. */
typedef struct patient_writer {
    int file;
    sem_t answered;
    int n_unanswered;
} patient_writer;

enum { N_QUESTIONS = 5, SECONDS_OF_PATIENCE = 10 };

static void *write_and_wait(void *user)
{
    patient_writer *writer = user;
    for (int i = 0; i < N_QUESTIONS && writer->n_unanswered == 0; i++) {
        struct timespec until;
        CU_ASSERT_EQUAL(write(writer->file, "B", 1), 1);
        CU_ASSERT_EQUAL(write(writer->file, "w\n", 2), 2);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += SECONDS_OF_PATIENCE;
        writer->n_unanswered += sem_timedwait(&writer->answered, &until) != 0;
    }
    close(writer->file);
    return NULL;
}

/* A graph is given out before the next one is written. */
TEST("a slow pipe")
{
    OWNED(pc_context) *context = new_context(0);
    pci_stream_source *source;
    pthread_t thread;
    int ends[2];
    char path[64];
    size_t n_graphs = 1, n_all = 0;
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    patient_writer writer = {.file = ends[1]};
    sem_init(&writer.answered, 0, 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, write_and_wait, &writer), 0);
    MUST(pci_stream_open(context, path, 0, &source));
    while (n_graphs > 0) {
        MUST(source->kind->next(source, &n_graphs));
        n_all += n_graphs;
        for (size_t i = 0; i < n_graphs; i++)
            sem_post(&writer.answered);
    }
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(n_all, N_QUESTIONS);
    CU_ASSERT_EQUAL(writer.n_unanswered, 0);
    source->kind->close(source);
    sem_destroy(&writer.answered);
    close(ends[0]);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* More than a chunk, and lines of more than a chunk. */
TEST("many chunks and long lines")
{
    sample small = make_sample(3, 150000, 14), large = make_sample(4, 4, 6000);
    const char *path = scratch_path(".g6");
    CU_ASSERT(small.n_bytes > 1 << 20 && large.n_bytes > 3 << 20);
    scratch_write(path, small.text, small.n_bytes);
    check_stream(path, &small);
    scratch_write(path, large.text, large.n_bytes);
    check_stream(path, &large);
    unlink(path);
    free_sample(&small);
    free_sample(&large);
}

/* ---- Packed ---------------------------------------------------------------------------------- */

static void pack(const char *path, const char *packing, const sample *text)
{
    size_t room = 2 * text->n_bytes + 4096; /* what cannot be packed grows a little */
    OWNED(char) *packed = malloc(room);
    CU_ASSERT_PTR_NOT_NULL_FATAL(packed);
    scratch_write(path, packed, pack_text(packing, text->text, text->n_bytes, packed, room));
}

/* The bytes of a file, to be freed. */
static char *slurp(const char *path, size_t *n_bytes)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    CU_ASSERT_FATAL(file != NULL && fstat(fileno(file), &about) == 0);
    *n_bytes = (size_t)about.st_size;
    char *bytes = malloc(*n_bytes + 1);
    CU_ASSERT_EQUAL_FATAL(fread(bytes, 1, *n_bytes, file), *n_bytes);
    fclose(file);
    return bytes;
}

/* Reads files, and a pipe whose first piece ends within the magic. */
TEST("packed streams")
{
    static const char *const packings[] = {"gzip", "zstd", "xz", "bzip2"};
    sample wanted = make_sample(6, 60000, 12);
    for (int i = 0; i < 4; i++) {
        pipe_writer writer;
        size_t n_bytes;
        const char *path = scratch_path("");
        pack(path, packings[i], &wanted);
        check_stream(path, &wanted);
        OWNED(char) *packed = slurp(path, &n_bytes);
        start_writer(&writer, packed, n_bytes, 5);
        check_stream(writer.path, &wanted);
        end_writer(&writer);
        unlink(path);
    }
    free_sample(&wanted);
}

/* One gz file behind another is one stream. */
TEST("packed files behind each other")
{
    sample wanted = make_sample(9, 3000, 12);
    const char *path = scratch_path(".gz");
    size_t n_bytes;
    pack(path, "gzip", &wanted);
    char *once = slurp(path, &n_bytes), *twice = malloc(2 * n_bytes);
    memcpy(twice, once, n_bytes);
    memcpy(twice + n_bytes, once, n_bytes);
    scratch_write(path, twice, 2 * n_bytes);
    sample all = {.matrix = calloc(2 * wanted.n, sizeof(line_matrix)), .n = 2 * wanted.n};
    memcpy(all.matrix, wanted.matrix, wanted.n * sizeof(line_matrix));
    memcpy(all.matrix + wanted.n, wanted.matrix, wanted.n * sizeof(line_matrix));
    check_stream(path, &all);
    unlink(path);
    free(all.matrix);
    free(once);
    free(twice);
    free_sample(&wanted);
}

/* Ends early or with another check sum: never a shorter or another stream. */
TEST("damaged streams")
{
    sample wanted = make_sample(7, 2000, 12);
    const char *path = scratch_path(".gz");
    size_t n_bytes, n_right;
    pc_context *context = new_context(0);
    pack(path, "gzip", &wanted);
    char *packed = slurp(path, &n_bytes);
    scratch_write(path, packed, n_bytes - 9);
    CU_ASSERT_EQUAL(read_stream(context, path, &wanted, &n_right), PC_ERR_DATA);
    packed[n_bytes - 6] ^= 1;
    scratch_write(path, packed, n_bytes);
    CU_ASSERT(
        is_refused(context, read_stream(context, path, &wanted, &n_right), PC_ERR_DATA, "damaged"));
    unlink(path);
    free(packed);
    pc_context_free(context);
    free_sample(&wanted);
}

/* ---- Flaws ----------------------------------------------------------------------------------- */

/* Asserts that n_graphs come before the failure whose message ends with words. */
static void check_failure(const char *text, size_t n_bytes, size_t n_graphs, const char *words)
{
    OWNED(pc_context) *context = new_context(0);
    size_t n_right;
    const char *path = scratch_path(".g6");
    scratch_write(path, text, n_bytes);
    pc_status status = read_stream(context, path, NULL, &n_right);
    const char *message = pc_context_message(context);
    if (status != PC_ERR_DATA || !strstr(message, words) || n_right != n_graphs)
        printf("\n    %zu graphs, then %s: %s\n", n_right, pc_status_text(status), message);
    CU_ASSERT_EQUAL(status, PC_ERR_DATA);
    CU_ASSERT_EQUAL(n_right, n_graphs);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, words));
    unlink(path);
}
#define CHECK_FAILURE(TEXT, N, WORDS) check_failure(TEXT, sizeof(TEXT) - 1, N, WORDS)

static void check_n_graphs(const char *text, size_t n_graphs)
{
    OWNED(pc_context) *context = new_context(0);
    size_t n_right;
    const char *path = scratch_path(".g6");
    scratch_write(path, text, strlen(text));
    CU_ASSERT_EQUAL(read_stream(context, path, NULL, &n_right), PC_OK);
    CU_ASSERT_EQUAL(n_right, n_graphs);
    unlink(path);
}

TEST("line ends and blank lines")
{
    check_n_graphs("", 0);
    check_n_graphs("\n\n", 0);
    check_n_graphs(">>graph6<<", 0);
    check_n_graphs(">>graph6<<\n", 0);
    check_n_graphs("Bw", 1);
    check_n_graphs("Bw\n:A_\n&A_", 3);
    check_n_graphs(">>graph6<<Bw\r\nBw\r\n\r\n", 2);
    check_n_graphs("Bw\n\n\n\n", 1);
    CHECK_FAILURE("\nBw\n", 0, ".g6:1: no graph");
    CHECK_FAILURE("Bw\n\n\nBw\nBw\n", 1, ".g6:2: no graph");
    CHECK_FAILURE(">>graph6<<\nBw\n", 0, ".g6:1: no graph");
    CHECK_FAILURE("Bw\nBw\nBww\nBw\n", 2, ".g6:3: the line goes on");
    CHECK_FAILURE("Bw\nB", 1, ".g6:2: the line ends before");
    CHECK_FAILURE("Bw\n0 1\n", 1, ".g6:2: a character");
    CHECK_FAILURE("Bw\n;A\n", 1, ".g6:2: incremental");
}

/* A flaw far into the stream, beyond several chunks: its line is right. */
TEST("late flaws")
{
    enum { N_LINES = 700000, AT = 612345 };
    char *text = malloc(3 * N_LINES), words[64];
    for (size_t i = 0; i < N_LINES; i++)
        memcpy(text + 3 * i, "Bw\n", 3);
    text[3 * (AT - 1)] = 'C';
    text[3 * (AT - 1) + 1] = '!';
    snprintf(words, sizeof words, ".g6:%d: a character", AT);
    check_failure(text, 3 * N_LINES, AT - 1, words);
    memcpy(text + 3 * (AT - 1), "A_\n", 3);
    memcpy(text + 3 * AT, "\n\n\n", 3);
    snprintf(words, sizeof words, ".g6:%d: no graph", AT + 1);
    check_failure(text, 3 * N_LINES, AT, words);
    memset(text + 3 * AT, '\n', 3 * (N_LINES - AT)); /* blank over many chunks, then a graph */
    memcpy(text + 3 * N_LINES - 3, "\nA_", 3);
    check_failure(text, 3 * N_LINES, AT, words);
    free(text);
}

TEST("no such file")
{
    OWNED(pc_context) *context = new_context(0);
    pci_stream_source *source;
    CU_ASSERT_EQUAL(pci_stream_open(context, "/no/such/file", 0, &source), PC_ERR_NO_INPUT);
    CU_ASSERT(is_refused(context, pci_stream_open(context, "/", 0, &source), PC_ERR_NO_INPUT,
                         "NAME_A.txt"));
}

/* ---- Memory ---------------------------------------------------------------------------------- */

TEST("no memory")
{
    sample wanted = make_sample(8, 40, 90);
    char path[256];
    snprintf(path, sizeof path, "%s", scratch_path(".g6"));
    scratch_write(path, wanted.text, wanted.n_bytes);
    CU_ASSERT(fail_each_allocation(read_quietly, path) > 4);
    CU_ASSERT(cancel_at_each_question(read_quietly, 1, path) > 1);
    pack(path, "gzip", &wanted);
    CU_ASSERT(fail_each_allocation(read_quietly, path) > 4);
    unlink(path);
    free_sample(&wanted);
}

/* A line without an end is read up to the limit, not beyond. */
TEST("a line without an end")
{
    enum { N_BYTES = 1 << 24 };
    failing_allocator allocator = FAILING_ALLOCATOR;
    pc_context *context = failing_context(&allocator, 1);
    char *text = malloc(N_BYTES);
    const char *path = scratch_path(".g6");
    size_t n_right;
    memset(text, '~', N_BYTES);
    memcpy(text, "Bw\nBw\n", 6);
    scratch_write(path, text, N_BYTES);
    pc_context_set_memory_limit(context, 8 << 20);
    CU_ASSERT(is_refused(context, read_stream(context, path, NULL, &n_right), PC_ERR_MEMORY,
                         ".g6:3: no memory for this line"));
    CU_ASSERT(allocator.peak_bytes <= 10 << 20);
    unlink(path);
    free(text);
    pc_context_free(context);
    CU_ASSERT_EQUAL(allocator.n_live, 0);
}
