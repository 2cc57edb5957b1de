/* Reads written matrices back by parsers of the tests' own, and looks at the folder when writing fails. */
#include "tests/support/matrix_file.h"
#include "tool.h"

#include "src/rows/counts.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every format, plain and packed, in blocks of most_rows. */
static void check_formats(const count_case *made, bool directed, uint64_t most_rows)
{
    for (int x = 0; extensions[x]; x++) {
        for (int p = 0; packings[p]; p++) {
            char name[32], path[MOST_PATH];
            snprintf(name, sizeof name, "out%s%s", extensions[x], packings[p]);
            in_folder(name, path);
            MUST(write_file(made, path, most_rows));
            CU_ASSERT_EQUAL(n_files(), 1);
            check_file(path, extensions[x], p > 0, made, directed);
            CU_ASSERT_EQUAL(unlink(path), 0);
        }
    }
}

/* Counts made up from a seed, on a context of n_threads, and an empty folder. */
static count_case start(uint64_t seed, int n_threads, uint64_t n, uint32_t n_limbs, bool directed,
                        entry_kind kind)
{
    random_source source = {seed};
    make_folder();
    return count_case_make(new_context(n_threads), &source, n, n_limbs, directed, kind);
}

static void finish(count_case *made)
{
    count_case_free(made);
    pc_context_free(made->context);
    remove_folder();
}

/* Blocks of some rows, and of several chunks, on one thread and on more than there are processors; an entry of more bytes
 * than are gathered before they are written. */
TEST("every format read back, plain and packed")
{
    static const uint64_t sizes[] = {1, 2, 9, 40};
    random_source source = {31};
    make_folder();
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t n_limbs = 0; n_limbs <= 3; n_limbs++) {
            bool directed = (s + n_limbs) % 2;
            OWNED(pc_context) *context = new_context(1 + (int)s);
            OWNED(count_case) made = count_case_make(context, &source, sizes[s], n_limbs, directed,
                                                     n_limbs % 2 ? ENTRIES_FEW : ENTRIES_ANY);
            if (n_limbs == 0) /* doubles of up to 15 digits are written as integers */
                for (uint64_t e = 0; e < sizes[s] * sizes[s]; e++)
                    made.counts->values[e] = floor(made.counts->values[e] / 16);
            check_formats(&made, directed, 1 + sizes[s] / 3);
        }
    for (int n_threads = 1; n_threads <= 6; n_threads += 5) {
        OWNED(pc_context) *context = new_context(n_threads);
        OWNED(count_case) many = count_case_make(context, &source, 330, 3, false, ENTRIES_ANY);
        OWNED(count_case) wide = count_case_make(context, &source, 1, 110000, true, ENTRIES_ANY);
        char path[MOST_PATH];
        check_formats(&many, false, 330);
        in_folder("wide.json", path);
        MUST(write_file(&wide, path, 1));
        check_file(path, ".json", false, &wide, true);
        unlink(path);
    }
    remove_folder();
}

/* The bytes of a file, packed or not, are the same for any number of threads. */
TEST("threads do not change the bytes")
{
    count_case made = start(33, 1, 500, 2, true, ENTRIES_ANY);
    char path[MOST_PATH];
    for (int p = 0; packings[p]; p++) {
        char name[32];
        snprintf(name, sizeof name, "out.mtx%s", packings[p]);
        in_folder(name, path);
        text first = {0};
        for (int n_threads = 1; n_threads <= 4; n_threads++) {
            MUST(pc_context_set_threads(made.context, n_threads));
            MUST(write_file(&made, path, 500));
            text got = read_back(path, false);
            if (n_threads == 1)
                first = got;
            else
                check_same(&first, got);
        }
        free(first.bytes);
    }
    finish(&made);
}

TEST("a graph without vertices")
{
    count_case made = start(34, 2, 0, 1, true, ENTRIES_ANY);
    static const struct {
        const char *name, *start;
    } expected[] = {{"e.tsv", "\n"},
                    {"e.csv", "\n"},
                    {"e.json", "{\"labels\": [],\n\"rows\": [\n]}\n"},
                    {"e.mtx", "%%MatrixMarket matrix coordinate integer general\n"},
                    {"e.mtx.gz", "%%MatrixMarket matrix coordinate integer general\n"},
                    {"e.npy", "\x93NUMPY"}};
    for (size_t x = 0; x < sizeof expected / sizeof *expected; x++) {
        char path[MOST_PATH];
        in_folder(expected[x].name, path);
        MUST(write_file(&made, path, 1));
        text got = read_back(path, strstr(path, ".gz") != NULL);
        CU_ASSERT_EQUAL(strncmp(got.bytes, expected[x].start, strlen(expected[x].start)), 0);
        free(got.bytes);
    }
    finish(&made);
}

TEST("doubles with an exponent")
{
    count_case made = start(35, 1, 2, 0, true, ENTRIES_FEW);
    char path[MOST_PATH];
    memcpy(made.counts->values, (double[]){0, 1, 3, 0.5}, 4 * sizeof(double));
    made.counts->exponent = 4;
    in_folder("d.npy", path);
    MUST(write_file(&made, path, 2));
    text got = read_back(path, false);
    CU_ASSERT_EQUAL(memcmp(got.bytes + got.n - 32, (double[]){0, 16, 48, 8}, 32), 0);
    free(got.bytes);

    made.counts->exponent = 4000; /* 2^4000 and so on, from Python */
    CU_ASSERT_EQUAL(write_file(&made, path, 2), PC_ERR_RANGE);
    in_folder("d.tsv", path);
    MUST(write_file(&made, path, 2));
    got = read_back(path, false);
    CU_ASSERT_STRING_EQUAL(got.bytes, "\t0\t1\n0\t0\t1.3182040934309431e+1204\n"
                                      "1\t3.9546122802928293e+1204\t6.5910204671547155e+1203\n");
    free(got.bytes);
    CU_ASSERT_EQUAL(n_files(), 2);
    finish(&made);
}

/* ---- Failures -------------------------------------------------------------------------------- */

static void write_old_file(const char *path)
{
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("old", file);
    CU_ASSERT_EQUAL_FATAL(fclose(file), 0);
}

/* The file that was there before is still there, and nothing else. */
static void check_old_file(const char *path)
{
    text got = read_back(path, false);
    CU_ASSERT_STRING_EQUAL(got.bytes, "old");
    free(got.bytes);
    CU_ASSERT_EQUAL(n_files(), 1);
}

/* A limit on the size of files is met in the middle of writing, like the end of a disk. A writer that failed once cannot be
 * made to deliver a file with a hole in it. */
TEST("a full disk leaves the old file")
{
    count_case made = start(37, 3, 600, 1, true, ENTRIES_ANY);
    pc_rows rows = count_case_rows(&made, 0, 600);
    struct rlimit before, small;
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (int x = 0; extensions[x]; x++) {
        for (int p = 0; packings[p]; p++) {
            char name[32], path[MOST_PATH];
            pc_writer *writer = NULL;
            snprintf(name, sizeof name, "full%s%s", extensions[x], packings[p]);
            in_folder(name, path);
            write_old_file(path);
            small = (struct rlimit){100000, before.rlim_max};
            MUST(count_case_open(&made, path, &writer));
            CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &small), 0);
            pc_status status = pc_writer_add(writer, &rows);
            bool was_added = status == PC_OK; /* what is packed may wait for the end */
            if (was_added)
                status = pc_writer_commit(writer);
            CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &before), 0);
            CU_ASSERT(is_refused(made.context, status, PC_ERR_IO, path));
            if (!was_added) {
                CU_ASSERT_EQUAL(pc_writer_add(writer, &rows), PC_ERR_IO);
                CU_ASSERT_EQUAL(pc_writer_commit(writer), PC_ERR_IO);
            }
            check_old_file(path);
            unlink(path);
        }
    }
    signal(SIGXFSZ, handler);
    finish(&made);
}

/* The state of a release callback: the file that it saw, and its decision. */
typedef struct gate {
    pc_status status;
    int is_withheld;
    const char *path;
    int n_calls;
    off_t n_bytes;
} gate;

static pc_status pass_gate(void *user, const char *path, int file, int *is_withheld)
{
    gate *g = user;
    struct stat info;
    CU_ASSERT_STRING_EQUAL(path, g->path);
    CU_ASSERT_EQUAL_FATAL(fstat(file, &info), 0);
    g->n_bytes = info.st_size;
    g->n_calls++;
    *is_withheld = g->is_withheld;
    return g->status;
}

TEST("a file that is refused, withheld, not committed or let go before it gets its name")
{
    count_case made = start(40, 2, 30, 2, true, ENTRIES_ANY);
    for (int x = 0; extensions[x]; x++) {
        for (int way = 0; way < 4; way++) {
            char name[32], path[MOST_PATH];
            struct stat info;
            pc_writer *writer;
            snprintf(name, sizeof name, "gate%s", extensions[x]);
            in_folder(name, path);
            gate g = {
                .status = way == 0 ? PC_ERR_CERTIFY : PC_OK, .is_withheld = way == 1, .path = path};
            pc_context_set_release(made.context, pass_gate, &g);
            write_old_file(path);
            MUST(write_rows(&made, path, 7, &writer));
            if (way == 2)
                pc_writer_free(writer);
            else
                CU_ASSERT_EQUAL(pc_writer_commit(writer), g.status);
            CU_ASSERT_EQUAL(g.n_calls, way != 2);
            CU_ASSERT_EQUAL(n_files(), 1);
            if (way < 3)
                check_old_file(path);
            else
                check_file(path, extensions[x], false, &made, true);
            CU_ASSERT_EQUAL_FATAL(stat(path, &info), 0);
            CU_ASSERT_EQUAL(info.st_size == g.n_bytes, way == 3); /* it saw the whole file */
            unlink(path);
        }
    }
    pc_writer_free(NULL);
    finish(&made);
}

TEST("rows missing or out of order")
{
    count_case made = start(40, 2, 10, 1, true, ENTRIES_ANY);
    random_source source = {41};
    count_case wide = count_case_make(made.context, &source, 10, 2, true, ENTRIES_ANY);
    char path[MOST_PATH];
    pc_writer *writer;
    in_folder("rows.tsv", path);
    MUST(count_case_open(&made, path, &writer));
    pc_rows first = count_case_rows(&made, 0, 4), later = count_case_rows(&made, 4, 6);
    pc_rows wider = count_case_rows(&wide, 0, 4), more = later;
    more.n_rows = 7;
    CU_ASSERT_EQUAL(pc_writer_add(writer, &later), PC_ERR_ARGUMENT); /* too early */
    CU_ASSERT_EQUAL(pc_writer_add(writer, &wider), PC_ERR_ARGUMENT); /* not as planned */
    CU_ASSERT_EQUAL(pc_writer_add(writer, &first), PC_OK);
    CU_ASSERT_EQUAL(pc_writer_add(writer, &first), PC_ERR_ARGUMENT); /* again */
    CU_ASSERT_EQUAL(pc_writer_add(writer, &more), PC_ERR_ARGUMENT);  /* too many */
    CU_ASSERT_EQUAL(pc_writer_commit(writer), PC_ERR_ARGUMENT);      /* too few */
    CU_ASSERT(says(made.context, "4 to 9"));
    CU_ASSERT_EQUAL(n_files(), 0);
    count_case_free(&wide);
    finish(&made);
}

/* The file is whole in every format, and has no name before commit, which changes nothing in it. */
TEST("a finished file can be read before it has a name")
{
    static const char *const names[] = {"rows.tsv", "rows.mtx", "rows.json", "rows.mtx.gz",
                                        "rows.npy"};
    for (size_t x = 0; x < sizeof names / sizeof *names; x++) {
        count_case made = start(7, 2, 10, 1, true, ENTRIES_ANY);
        pc_writer *writer;
        char path[MOST_PATH], bytes[1 << 14];
        int descriptor = -1;
        in_folder(names[x], path);
        MUST(write_rows(&made, path, 10, &writer));
        MUST(pc_writer_finish(writer, &descriptor));
        CU_ASSERT_EQUAL(n_files(), 0);
        ssize_t n_bytes = pread(descriptor, bytes, sizeof bytes, 0);
        CU_ASSERT_FATAL(n_bytes > 0);
        MUST(pc_writer_finish(writer, &descriptor));
        MUST(pc_writer_commit(writer));
        FILE *file = fopen(path, "rb");
        for (ssize_t i = 0; i < n_bytes; i++)
            CU_ASSERT_EQUAL(fgetc(file), (unsigned char)bytes[i]);
        CU_ASSERT_EQUAL(fgetc(file), EOF);
        fclose(file);
        finish(&made);
    }
}

TEST("names that say no format")
{
    count_case made = start(41, 1, 2, 1, true, ENTRIES_ANY);
    static const char *const names[] = {"out",    "out.txt",       "out.tsv.xz", "tsv",
                                        "out.gz", "out.tsv.gz.gz", "out.npz.gz", "",
                                        ".zst",   "out.tsv/",      "x.mtx.bz2"};
    for (size_t x = 0; x < sizeof names / sizeof *names; x++) {
        char path[MOST_PATH];
        pc_writer *writer = NULL;
        in_folder(names[x], path);
        CU_ASSERT(is_refused(made.context, count_case_open(&made, path, &writer), PC_ERR_ARGUMENT,
                             ".mtx"));
        CU_ASSERT_PTR_NULL(writer);
    }
    CU_ASSERT_EQUAL(n_files(), 0);
    finish(&made);
}

static void check_not_created(const count_case *made, const char *path)
{
    pc_writer *writer = NULL;
    CU_ASSERT(is_refused(made->context, count_case_open(made, path, &writer), PC_ERR_CREATE, path));
    CU_ASSERT_PTR_NULL(writer);
}

TEST("places that cannot be written")
{
    count_case made = start(42, 1, 2, 1, true, ENTRIES_ANY);
    char path[MOST_PATH], name[251];
    in_folder("nowhere/out.tsv", path);
    check_not_created(&made, path);
    in_folder("file", path);
    write_old_file(path);
    in_folder("file/out.tsv", path);
    check_not_created(&made, path);
    memset(name, 'x', sizeof name);
    strcpy(name + sizeof name - 5, ".tsv");
    in_folder(name, path);
    strcat(path, ".gz..tsv"); /* longer than a name may be */
    check_not_created(&made, path);
    check_not_created(&made, "/proc/out.tsv");
    in_folder("pipe.tsv", path);
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
    check_not_created(&made, path);
    unlink(path);
    in_folder("folder.tsv", path);
    CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
    check_not_created(&made, path);
    CU_ASSERT_EQUAL(rmdir(path), 0);
    CU_ASSERT_EQUAL(n_files(), 1);
    finish(&made);
}

static int n_descriptors(void)
{
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    while (readdir(folder))
        n++;
    closedir(folder);
    return n;
}

TEST("a place that cannot be written costs nothing")
{
    failing_allocator allocator = FAILING_ALLOCATOR;
    pc_context *context = failing_context(&allocator, 1);
    int n_before = n_descriptors();
    static const char *const places[] = {"/proc/out.tsv", "/nowhere/out.tsv", "/dev/null", "/"};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        pc_output *output = NULL;
        CU_ASSERT_EQUAL(pc_output_open(context, places[p], &output), PC_ERR_CREATE);
        CU_ASSERT_EQUAL(allocator.n_live, 0);
        CU_ASSERT_EQUAL(n_descriptors(), n_before);
    }
    pc_context_free(context);
}

/* The superuser may write anywhere, so this needs another user. */
TEST("protected places")
{
    char path[MOST_PATH], folder[MOST_PATH];
    if (geteuid() == 0)
        test_skip("root may write to protected files");
    count_case made = start(43, 1, 2, 1, true, ENTRIES_ANY);
    in_folder("locked.tsv", path);
    write_old_file(path);
    CU_ASSERT_EQUAL(chmod(path, 0400), 0);
    check_not_created(&made, path);
    check_old_file(path);
    in_folder("", folder);
    CU_ASSERT_EQUAL(chmod(folder, 0500), 0);
    in_folder("new.tsv", path);
    check_not_created(&made, path);
    CU_ASSERT_EQUAL(chmod(folder, 0700), 0);
    finish(&made);
}

TEST("links and permissions")
{
    count_case made = start(44, 1, 2, 1, true, ENTRIES_ANY);
    char path[MOST_PATH], link_path[MOST_PATH];
    struct stat info;
    in_folder("real.csv", path);
    in_folder("link.csv", link_path);
    write_old_file(path);
    CU_ASSERT_EQUAL(chmod(path, 0604), 0);
    CU_ASSERT_EQUAL(symlink("real.csv", link_path), 0);
    MUST(write_file(&made, link_path, 2));
    CU_ASSERT_EQUAL(lstat(link_path, &info), 0);
    CU_ASSERT_TRUE(S_ISLNK(info.st_mode));
    CU_ASSERT_EQUAL(lstat(path, &info), 0);
    CU_ASSERT_EQUAL(info.st_mode & 07777, 0604);
    CU_ASSERT_EQUAL(n_files(), 2);
    check_file(path, ".csv", false, &made, true);
    mode_t mask = umask(027);
    in_folder("fresh.csv", path);
    MUST(write_file(&made, path, 2));
    umask(mask);
    CU_ASSERT_EQUAL(lstat(path, &info), 0);
    CU_ASSERT_EQUAL(info.st_mode & 07777, 0640);
    finish(&made);
}

/* A name without a folder, and the working directory changed before the commit. */
TEST("the working directory changes")
{
    count_case made = start(45, 1, 3, 1, true, ENTRIES_ANY);
    char before[MOST_PATH], path[MOST_PATH];
    pc_writer *writer;
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(before, sizeof before));
    in_folder("", path);
    CU_ASSERT_EQUAL_FATAL(chdir(path), 0);
    CU_ASSERT_EQUAL(write_rows(&made, "here.json", 3, &writer), PC_OK);
    CU_ASSERT_EQUAL_FATAL(chdir(before), 0);
    CU_ASSERT_EQUAL(pc_writer_commit(writer), PC_OK);
    in_folder("here.json", path);
    check_file(path, ".json", false, &made, true);
    finish(&made);
}

static int stop_at(void *user, const char *stage, double fraction)
{
    int *calls_left = user;
    CU_ASSERT_STRING_EQUAL(stage, "write");
    CU_ASSERT_TRUE(fraction > 0 && fraction <= 1);
    return --*calls_left == 0;
}

TEST("cancelled by the progress callback")
{
    count_case made = start(46, 1, 700, 1, true, ENTRIES_ANY);
    char path[MOST_PATH];
    in_folder("stopped.tsv", path);
    int calls_left = 3;
    write_old_file(path);
    pc_context_set_progress(made.context, stop_at, &calls_left);
    CU_ASSERT_EQUAL(write_file(&made, path, 350), PC_ERR_CANCELLED);
    CU_ASSERT_EQUAL(calls_left, 0);
    check_old_file(path);
    pc_context_set_progress(made.context, NULL, NULL);
    finish(&made);
}

typedef struct allocation_case {
    const char *path;
    const pc_rows *rows;
} allocation_case;

static pc_status open_and_write(pc_context *context, void *user)
{
    const allocation_case *given = user;
    pc_graph *graph = NULL;
    pc_writer *writer = NULL;
    pc_plan_info plan = {.n_vertices = given->rows->n_columns, .n_limbs = given->rows->n_limbs};
    edge_set edges = edge_set_empty(plan.n_vertices, true);
    pc_status status = edge_set_load(context, &edges, &graph);
    edge_set_free(&edges);
    if (status == PC_OK) {
        pc_frame frame = plan_frame(&plan, pc_graph_labels(graph));
        status = pc_writer_open(context, given->path, &frame, &writer);
    }
    if (status == PC_OK)
        status = pc_writer_add(writer, given->rows);
    if (status == PC_OK)
        status = pc_writer_commit(writer);
    else
        pc_writer_free(writer);
    pc_graph_free(graph);
    CU_ASSERT_EQUAL(n_files(), status == PC_OK);
    unlink(given->path);
    return status;
}

TEST("allocations that fail")
{
    enum { N = 20 };
    static const uint64_t limbs[2 * N * N];
    pc_rows rows = {.n_rows = N, .n_columns = N, .n_limbs = 2, .limbs = limbs};
    static const char *const names[] = {"a.tsv", "a.npy", "a.json.gz", "a.mtx", "a.mtx.zst"};
    make_folder();
    for (size_t x = 0; x < sizeof names / sizeof *names; x++) {
        char path[MOST_PATH];
        in_folder(names[x], path);
        allocation_case given = {path, &rows};
        CU_ASSERT_TRUE(fail_each_allocation(open_and_write, &given) >= 4);
    }
    remove_folder();
}
