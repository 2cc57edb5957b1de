/* Files that are read part by part: whole lines whatever their lengths, places of flaws, files that
 * change between the two times they are read, and what few bytes may state. */
#include "tests/support/reading.h"

#include "io/input.h"
#include "io/readers.h"
#include "src/streams/stream.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/pack_text.h"
#include "tests/support/stream_sample.h"
#include "tests/support/fixture.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONG_TEXT = 1 << 20 }; /* bytes: more than are read at once */

static const pc_graph_options plain = {0}, weighted = {.weights = 1};

static pc_context *context_of(int n_threads)
{
    pc_context *context = new_context(0);
    MUST(pc_context_set_threads(context, n_threads));
    return context;
}

/* ---- Lines across the borders of what is read at once ---------------------------------------- */

/* A path through n vertices, in lines of many lengths: every hundredth is followed by a comment, some
 * of which are longer than all that is read at once. */
static char *uneven_path(const char *prefix, unsigned n, bool ends, size_t *n_bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    for (unsigned v = 0; v + 1 < n; v++) {
        fprintf(out, "%s%u%*s%s%u%s", prefix, v, (int)(v % 7) + 1, " ", prefix, v + 1,
                v + 2 < n || ends ? "\n" : "");
        if (v % 100 == 50)
            fprintf(out, "# %0*u\n", v % 10000 == 9950 ? 400000 : (int)(v % 913) + 1, v);
    }
    fclose(out);
    return text;
}

/* Asserts that the arcs are those of a path through all vertices in their order. */
static void check_path(const pc_graph *graph, unsigned n)
{
    pc_arcs arcs;
    bool right = pc_graph_n_vertices(graph) == n;
    pc_graph_arcs(graph, &arcs);
    for (unsigned v = 0; v < n && right; v++) {
        const uint32_t *column = arcs.column + arcs.row_start[v];
        uint64_t n_columns = arcs.row_start[v + 1] - arcs.row_start[v];
        right = n_columns == (v > 0) + (uint64_t)(v + 1 < n) && (v == 0 || *column++ == v - 1) &&
                (v + 1 == n || *column == v + 1);
    }
    CU_ASSERT(right);
}

TEST("lines of all lengths")
{
    static const char *const prefixes[] = {"", "v", "900000000"}; /* ids, names, large ids */
    enum { N = 40000 };
    for (int i = 0; i < 3; i++)
        for (int ends = 0; ends <= 1; ends++)
            for (int n_threads = 1; n_threads <= 3; n_threads++) {
                size_t n_bytes;
                OWNED(char) *text = uneven_path(prefixes[i], N, ends, &n_bytes);
                OWNED(pc_context) *context = context_of(n_threads);
                OWNED(pc_graph) *graph = NULL;
                CU_ASSERT_FATAL(n_bytes > LONG_TEXT);
                MUST(read_text(context, ".txt", text, n_bytes, NULL, &graph));
                check_path(graph, N);
            }
}

/* More files whose text is short than may be open. */
TEST("short files stay open for no longer than they are read")
{
    enum { N = 100 };
    struct rlimit limit, few;
    pci_input input[N];
    char folder[4000], path[4096];
    OWNED(pc_context) *context = new_context(1);
    scratch_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/short.txt", folder);
    scratch_write(path, "0 1\n", 4);
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_NOFILE, &limit), 0);
    few = limit;
    few.rlim_cur = N - 20;
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (int i = 0; i < N; i++) {
        CU_ASSERT(succeeds(context, pci_input_open(context, path, &input[i])));
        CU_ASSERT(input[i].is_whole && input[i].n_bytes == 4);
    }
    for (int i = 0; i < N; i++)
        pci_input_close(&input[i]);
    CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &limit), 0);
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* The banner and the size line, with a long comment between them. */
TEST("a long head")
{
    enum { N = 100000 };
    OWNED(char) *text = NULL;
    size_t n_bytes;
    FILE *out = open_memstream(&text, &n_bytes);
    fprintf(out, "%%%%MatrixMarket matrix coordinate pattern symmetric\n%% %0600000d\n\n%d %d %d\n",
            0, N, N, N - 1);
    for (int v = 2; v <= N; v++)
        fprintf(out, "%d %d\n", v, v - 1);
    fclose(out);
    for (int n_threads = 1; n_threads <= 3; n_threads++) {
        OWNED(pc_context) *context = context_of(n_threads);
        OWNED(pc_graph) *graph = NULL;
        MUST(read_text(context, "", text, n_bytes, NULL, &graph));
        check_path(graph, N);
    }
}

/* n lines that are alike, after a head; line number `at` of all is the odd one. */
static char *lines_with_one(const char *head, int n, const char *line, int at, const char *odd,
                            size_t *n_bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs(head, out);
    for (int i = 1; i <= n; i++)
        fprintf(out, "%s\n", i == at ? odd : line);
    fclose(out);
    return text;
}

static void check_place(const char *head, const char *line, int at, const char *odd,
                        const pc_graph_options *options, int place, const char *words)
{
    size_t n_bytes;
    OWNED(char) *text = lines_with_one(head, 100000, line, at, odd, &n_bytes);
    CU_ASSERT_FATAL(n_bytes > LONG_TEXT);
    check_refusal("", text, n_bytes, options, PC_ERR_DATA, place, words, __LINE__);
}

TEST("places of flaws")
{
    static const char head[] = "%%MatrixMarket matrix coordinate integer general\n"
                               "70000 70000 100000\n";
    static const char longer[] = "%%MatrixMarket matrix coordinate integer general\n"
                                 "70000 70000 99998\n";
    static const char label[] = "'abcdefghijabcdefghijabcdefghijabcdefghij...' stands alone";
    for (int at = 1; at <= 100000; at += 99999 / 4) {
        check_place("", "100000 100001", at, "12", &plain, at, "'12' stands alone");
        check_place("", "vertex1 vertex2", at, "abcdefghijabcdefghijabcdefghijabcdefghijkl", &plain,
                    at, at == 1 ? "edges below a header (--header)" : label);
        check_place("", "1000 1001 10", at, "1 2 x", &weighted, at, "weight 'x' is not a number");
        check_place("", "1000 1001 10", at, "1 2", &weighted, at,
                    at == 1 ? "than all others" : "another number of columns");
        check_place(head, "60000 60001 1", at, "70001 1 1", &weighted, at + 2,
                    "index '70001' is beyond");
        check_place(longer, "60000 60001 1", at, "%", &weighted, 100002, "promises 99998 entries");
    }
}

typedef struct long_text {
    char *text;
    size_t n_bytes;
} long_text;

static pc_status read_long(pc_context *context, void *user)
{
    const long_text *given = user;
    pc_graph *graph;
    pc_status status = read_text(context, "", given->text, given->n_bytes, &weighted, &graph);
    if (status == PC_OK)
        pc_graph_free(graph);
    return status;
}

/* What is wrong in a file that has changed is perhaps wrong for that reason only. */
TEST("a flaw in a file that has changed")
{
    const char *path = scratch_path(".txt");
    OWNED(pc_context) *context = context_of(1);
    scratch_write(path, "1 2\n", 4);
    pci_input input = {.context = context, .name = path, .n_all = 9};
    input.file = open(path, O_RDONLY | O_CLOEXEC);
    CU_ASSERT_FATAL(input.file >= 0);
    CU_ASSERT(is_refused(context, pci_input_fail_at(&input, 0, "a flaw"), PC_ERR_DATA,
                         "changed while it was read"));
    close(input.file);
    unlink(path);
}

/* What follows the text in memory is not part of it. */
TEST("a text of one byte")
{
    static const char bytes[] = "\xff\xfe";
    for (size_t n = 1; n <= 2; n++) {
        OWNED(pc_context) *context = context_of(1);
        OWNED(pc_graph) *graph = NULL;
        pci_input input = pci_input_from_text(context, "text", bytes, n);
        CU_ASSERT(is_refused(context, pci_graph_read_input(&input, PC_FORMAT_AUTO, NULL, &graph),
                             PC_ERR_DATA, n == 1 ? "stands alone" : "UTF-16"));
    }
}

TEST("memory, cancelling")
{
    static const char *const heads[] = {
        "", "%%MatrixMarket matrix coordinate integer general\n70000 70000 30000\n"};
    static const char *const lines[] = {"60000 60001 10", "60000 60001 10", "name1 name2 10"};
    for (int i = 0; i < 3; i++) {
        long_text given;
        given.text = lines_with_one(heads[i % 2], 30000, lines[i], 0, "", &given.n_bytes);
        CU_ASSERT(fail_each_allocation(read_long, &given) > 4);
        CU_ASSERT(cancel_at_each_question(read_long, 2, &given) > 2);
        free(given.text);
    }
}

/* ---- A file that changes --------------------------------------------------------------------- */

typedef enum change {
    NO_CHANGE,
    GROWS,
    SHRINKS,
    MORE_LINES,
    MORE_LINES_UNSEEN,
    SHRINKS_UNSEEN
} change;

/* Changes the file once, when reading has come so far. */
typedef struct changer {
    const char *path, *line; /* that is written again and again */
    size_t n_head;           /* bytes that stay */
    change how;
    double at;
    bool is_done;
} changer;

static void write_lines(const changer *c, size_t n_bytes)
{
    FILE *file = fopen(c->path, "r+b");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fseek(file, (long)c->n_head, SEEK_SET);
    for (size_t n = c->n_head; n + strlen(c->line) <= n_bytes; n += strlen(c->line))
        fputs(c->line, file);
    fclose(file);
}

static int change_file(void *user, const char *stage, double fraction)
{
    changer *c = user;
    struct stat about;
    if (c->is_done || fraction < c->at || strcmp(stage, "read") != 0)
        return 0;
    c->is_done = true;
    CU_ASSERT_EQUAL_FATAL(stat(c->path, &about), 0);
    if (c->how == GROWS || c->how == SHRINKS || c->how == SHRINKS_UNSEEN)
        CU_ASSERT_EQUAL(truncate(c->path, about.st_size / 2 * (c->how == GROWS ? 3 : 1)), 0);
    if (c->how == MORE_LINES || c->how == MORE_LINES_UNSEEN)
        write_lines(c, (size_t)about.st_size);
    if (c->how == MORE_LINES_UNSEEN || c->how == SHRINKS_UNSEEN) {
        const struct timespec times[] = {about.st_atim, about.st_mtim};
        CU_ASSERT_EQUAL(utimensat(AT_FDCWD, c->path, times, 0), 0);
    }
    return 0;
}

/* Reads 100000 lines after a head, while the file changes. Both ends of an edge are vertices of the
 * head, so only the number of lines is another one. */
static pc_status read_changing(const char *head, const char *line, const char *short_line,
                               const pc_graph_options *options, double at, change how,
                               int n_threads, char *message)
{
    size_t n_bytes;
    OWNED(char) *text = lines_with_one(head, 100000, line, 0, "", &n_bytes);
    const char *path = scratch_path("");
    OWNED(pc_context) *context = context_of(n_threads);
    changer c = {.path = path, .line = short_line, .n_head = strlen(head), .how = how, .at = at};
    OWNED(pc_graph) *graph = NULL;
    CU_ASSERT_FATAL(n_bytes > LONG_TEXT);
    scratch_write(path, text, n_bytes);
    if (how != NO_CHANGE)
        pc_context_set_progress(context, change_file, &c);
    pc_status status = pc_graph_read(context, path, PC_FORMAT_AUTO, options, &graph);
    CU_ASSERT(c.is_done == (how != NO_CHANGE));
    snprintf(message, 256, "%s", pc_context_message(context));
    CU_ASSERT(status == PC_OK || graph == NULL);
    unlink(path);
    return status;
}

/* With two threads, all may have been read before the file changes, or the other thread reads a line
 * that is written at that moment. When the change cannot be seen, this is a flaw of the line. */
static void check_changes(const char *head, const char *line, const char *short_line,
                          const pc_graph_options *options, double at)
{
    char message[256];
    for (int n_threads = 1; n_threads <= 2; n_threads++)
        for (change how = NO_CHANGE; how <= SHRINKS_UNSEEN; how++) {
            pc_status status =
                read_changing(head, line, short_line, options, at, how, n_threads, message);
            CU_ASSERT(how != NO_CHANGE || status == PC_OK);
            CU_ASSERT(how == NO_CHANGE || status == PC_ERR_DATA ||
                      (n_threads == 2 && status == PC_OK));
            CU_ASSERT(status == PC_OK || strstr(message, "changed while it was read") ||
                      (n_threads == 2 && how == MORE_LINES_UNSEEN));
        }
}

TEST("a file that changes")
{
    static const char head[] = "%%MatrixMarket matrix coordinate pattern general\n"
                               "70000 70000 100000\n";
    static const char weights[] = "%%MatrixMarket matrix coordinate integer general\n"
                                  "70000 70000 100000\n";
    check_changes("", "100000 100001", "1 2\n", &plain, 0);
    check_changes("", "100000 100001 1", "1 2 1\n", &weighted, 0);
    check_changes("", "vertex1 vertex2", "a b\n", &plain, 0.25); /* the second way to read it */
    check_changes("", "vertex1 vertex2 1", "a b 1\n", &weighted, 0.25);
    check_changes(head, "60000 60001", "1 2\n", &plain, 0);
    check_changes(weights, "60000 60001 1", "1 2 1\n", &weighted, 0);
}

/* Files that are loaded whole: graph6. */
TEST("a file that changes while it is loaded")
{
    static char line[LONG_TEXT];
    memset(line, '?', sizeof line);
    memcpy(line, "~?~", 3);
    const char *path = scratch_path(".g6");
    OWNED(pc_context) *context = context_of(1);
    changer c = {.path = path, .how = GROWS};
    pc_graph *graph = NULL;
    scratch_write(path, line, sizeof line);
    pc_context_set_progress(context, change_file, &c);
    CU_ASSERT(is_refused(context, pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &graph),
                         PC_ERR_DATA, "changed while it was read"));
    unlink(path);
}

/* ---- What is no text ------------------------------------------------------------------------- */

/* A packed file of zeros is not unpacked to its end. */
TEST("packed zeros")
{
    enum { N_ZEROS = 64 << 20, N_TEXT = 1 << 19, MOST_PACKED = 1 << 20 };
    static char packed[MOST_PACKED];
    for (int begins_as_text = 0; begins_as_text <= 1; begins_as_text++) {
        char *text = calloc(1, N_ZEROS);
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        for (int i = 0; i < N_TEXT && begins_as_text; i += 4)
            memcpy(text + i, "1 2\n", 4);
        failing_allocator allocator = FAILING_ALLOCATOR;
        OWNED(pc_context) *context = failing_context(&allocator, 1);
        pc_graph *graph = NULL;
        size_t n_packed = pack_text("gzip", text, N_ZEROS, packed, MOST_PACKED);
        free(text);
        CU_ASSERT_EQUAL(read_text(context, ".txt.gz", packed, n_packed, NULL, &graph), PC_ERR_DATA);
        const char *where = begins_as_text ? ":131073: a NUL byte" : ":1: a NUL byte";
        CU_ASSERT(says(context, where));
        CU_ASSERT(allocator.peak_bytes < 8 << 20);
    }
}

/* ---- What few bytes state -------------------------------------------------------------------- */

/* ":" and the number of vertices as sparse6 has it, and no edge. */
static void write_empty_sparse6(uint64_t n, char line[16])
{
    strcpy(line, ":~~");
    for (int i = 0; i < 6; i++)
        line[3 + i] = (char)(63 + (n >> (30 - 6 * i) & 63));
    strcpy(line + 9, "\n");
}

static void check_stated(const char *suffix, const char *text, uint64_t max_vertices, bool is_taken)
{
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 1);
    pc_graph_options options = {.max_vertices = max_vertices};
    OWNED(pc_graph) *graph = NULL;
    pc_status status = read_text(context, suffix, text, strlen(text), &options, &graph);
    CU_ASSERT_EQUAL(status, is_taken ? PC_OK : PC_ERR_DATA);
    CU_ASSERT(is_taken || strstr(pc_context_message(context), "--max-vertices"));
    CU_ASSERT(is_taken || allocator.peak_bytes < 1 << 20);
}

TEST("vertices that few bytes state")
{
    char most[128], more[128];
    uint64_t n = PC_STATED_VERTICES + 10; /* of a line of 10 bytes */
    write_empty_sparse6(n, most);
    write_empty_sparse6(n + 1, more);
    check_stated(".s6", most, 0, true);
    check_stated(".s6", more, 0, false);
    check_stated(".s6", more, n, false);
    check_stated(".s6", more, n + 1, true);
    check_stated(".s6", ":~~?@????\n", 0, false);
    check_stated(".s6", ":~~?B~~~~An\n", 0, false);
    static const char form[] = "%%%%MatrixMarket matrix coordinate pattern general\n"
                               "%" PRIu64 " %" PRIu64 " 1\n1 2\n";
    n = PC_STATED_VERTICES + 71;
    snprintf(most, sizeof most, form, n, n);
    snprintf(more, sizeof more, form, n + 1, n + 1);
    CU_ASSERT_EQUAL(strlen(most), 71);
    check_stated("", most, 0, true);
    check_stated("", more, 0, false);
    check_stated("", more, n + 1, true);
}

/* Each line of a stream may state so many. */
TEST("vertices that a line of a stream states")
{
    char line[16];
    OWNED(pc_context) *context = context_of(1);
    pci_listed graph = {.context = context};
    const char *path = scratch_path(".s6");
    for (uint64_t more = 0; more <= 1; more++)
        for (uint64_t max_vertices = 0; max_vertices <= 3 << 20; max_vertices += 3 << 20) {
            pci_stream_source *source;
            const char *flaw = NULL;
            size_t n_graphs;
            write_empty_sparse6(PC_STATED_VERTICES + 9 + more, line);
            scratch_write(path, line, strlen(line));
            MUST(pci_stream_open(context, path, max_vertices, &source));
            MUST(source->kind->next(source, &n_graphs));
            bool is_taken = !more || max_vertices;
            CU_ASSERT_EQUAL(source->kind->decode(source, 0, false, &graph, &flaw),
                            is_taken ? PC_OK : PC_ERR_DATA);
            CU_ASSERT(is_taken || strstr(flaw, "--max-vertices"));
            source->kind->close(source);
        }
    unlink(path);
    pci_listed_free(&graph);
}
