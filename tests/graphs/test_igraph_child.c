/* The process that igraph runs in: what igraph does there becomes a status and a message, and leaves no process, no open file and no change behind. fake_igraph.so misbehaves in place of igraph. */
#define _GNU_SOURCE /* pipe2 */
#include "tests/support/fake.h"
#include "tests/support/fixture.h"

#ifndef PATHCOUNT_WITH_IGRAPH

TEST("the process of igraph")
{
    test_skip("built without igraph");
}

#else

#include "io/igraph/message.h"
#include "io/igraph/pathcount_igraph.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

CASE_CONTEXT(context)

/* igraph does this in the processes that the case starts. */
static void use_fake_igraph(const char *behaviour)
{
    use_beside("fake_igraph.so", "LD_PRELOAD");
    set_variable("ASAN_OPTIONS",
                 "verify_asan_link_order=0:detect_leaks=0:handle_segv=0:handle_abort=0");
    set_variable("FAKE_IGRAPH", behaviour);
}

static int n_open_files(void)
{
    int n = 0;
    DIR *files = opendir("/proc/self/fd");
    CU_ASSERT_PTR_NOT_NULL_FATAL(files);
    while (readdir(files))
        n++;
    closedir(files);
    return n;
}

static void check_no_child(void)
{
    errno = 0;
    CU_ASSERT_EQUAL(waitpid(-1, NULL, WNOHANG), -1);
    CU_ASSERT_EQUAL(errno, ECHILD);
}

/* The communities of a triangle. */
static pc_status find_blocks(pc_context *of, pc_partition **partition)
{
    static const uint64_t from[] = {0, 1, 2}, to[] = {1, 2, 0};
    OWNED(pc_context) *maker = new_context(1);
    OWNED(pc_graph) *graph = NULL;
    CU_ASSERT_EQUAL(graph_from_arrays(maker, 3, 3, from, to, NULL, NULL, &graph), PC_OK);
    return pc_igraph_communities(of, graph, NULL, 1, 1, 0, partition);
}

static void check_finds(uint64_t n_blocks)
{
    OWNED(pc_partition) *partition = NULL;
    pc_partition_info info = {0};
    CU_ASSERT(succeeds(context, find_blocks(context, &partition)));
    pc_partition_get_info(partition, &info);
    CU_ASSERT_EQUAL(info.n_blocks, n_blocks);
}

/* The search fails with that status, and with a message that has the words. */
static void check_fails(const char *behaviour, pc_status status, const char *words)
{
    OWNED(pc_partition) *partition = NULL;
    use_fake_igraph(behaviour);
    int before = n_open_files();
    bool is_right = is_refused(context, find_blocks(context, &partition), status, words);
    if (!is_right)
        printf("\n    %s\n", behaviour);
    CU_ASSERT(is_right);
    CU_ASSERT_PTR_NULL(partition);
    CU_ASSERT_EQUAL(n_open_files(), before);
    check_no_child();
}

static const char advice[] = "try the other method, leiden or multilevel";

/* ---- Ends and answers ------------------------------------------------------------------------ */

/* After each failure the next search is right. */
TEST("whatever igraph does")
{
    static const struct {
        const char *behaviour, *words;
        pc_status status;
    } cases[] = {
        {"crash", "igraph crashed (signal 11, Segmentation fault)", PC_ERR_INTERNAL},
        {"abort", "igraph crashed (signal 6, Aborted)", PC_ERR_INTERNAL},
        {"exit", "ended before it had answered", PC_ERR_INTERNAL},
        {"none", "ended before it had answered", PC_ERR_INTERNAL},
        {"spin", "ended after 10 s of CPU time (PATHCOUNT_IGRAPH_SECONDS", PC_ERR_INTERNAL},
        {"hang", "igraph hangs", PC_ERR_INTERNAL},
        {"block", "makes no sense", PC_ERR_INTERNAL},
        {"status", "makes no sense", PC_ERR_INTERNAL},
        {"full", "out of memory in igraph", PC_ERR_MEMORY},
    };
    set_variable("PATHCOUNT_IGRAPH_SECONDS", "1");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        check_fails(cases[c].behaviour, cases[c].status, cases[c].words);
        CU_ASSERT(cases[c].status == PC_ERR_MEMORY || says(context, advice));
        use_fake_igraph("nothing");
        check_finds(1);
    }
    use_fake_igraph("right");
    check_finds(2);
}

TEST("seconds that the user allows")
{
    static const char *const bad[] = {
        "x", "5x", "0", "-1", "+5", " 5", "1e3", "0x10", "1.5", "1000001", "99999999999999999999",
        NULL};
    static const char *const good_ones[] = {"", "1", "60", "1000000", NULL};
    use_fake_igraph("nothing");
    for (int i = 0; bad[i] != NULL; i++) {
        set_variable("PATHCOUNT_IGRAPH_SECONDS", bad[i]);
        OWNED(pc_partition) *partition = NULL;
        CU_ASSERT(is_refused(context, find_blocks(context, &partition), PC_ERR_ARGUMENT,
                             "this variable of the environment must be a whole number of seconds "
                             "for igraph, 1 to 1000000"));
    }
    for (int i = 0; good_ones[i] != NULL; i++) {
        set_variable("PATHCOUNT_IGRAPH_SECONDS", good_ones[i]);
        OWNED(pc_partition) *partition = NULL;
        CU_ASSERT(succeeds(context, find_blocks(context, &partition)));
    }
}

/* The fake dies when there is no more memory. igraph says so. */
TEST("endless memory")
{
#ifdef __SANITIZE_ADDRESS__
    test_skip("with a sanitizer there is no limit of memory");
#endif
    pc_context_set_memory_limit(context, 1 << 20);
    check_fails("memory", PC_ERR_INTERNAL, "igraph crashed (signal 6");
}

/* ---- What stays ------------------------------------------------------------------------------ */

TEST("what igraph prints and changes stays there")
{
    char before[4096], after[4096], printed[16];
    OWNED(pc_partition) *partition = NULL;
    int ends[2], out = dup(STDOUT_FILENO), error = dup(STDERR_FILENO);
    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    CU_ASSERT_PTR_NOT_NULL(getcwd(before, sizeof before));
    mode_t mask = umask(022);
    umask(mask);
    use_fake_igraph("print");
    fflush(NULL);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    pc_status status = find_blocks(context, &partition);
    fflush(NULL);
    dup2(out, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    CU_ASSERT(succeeds(context, status));
    CU_ASSERT_EQUAL(read(ends[0], printed, sizeof printed), -1);
    CU_ASSERT_PTR_NOT_NULL(getcwd(after, sizeof after));
    CU_ASSERT_STRING_EQUAL(before, after);
    CU_ASSERT_EQUAL(umask(mask), mask);
    CU_ASSERT_STRING_EQUAL(setlocale(LC_ALL, NULL), "C");
    close(ends[0]), close(ends[1]), close(out), close(error);
}

/* Also one that the program does not close when it starts others. */
TEST("no file is inherited")
{
    int file = open("/dev/null", O_RDONLY);
    check_fails("files", PC_ERR_INTERNAL, "open: 0 1 2 3");
    const char *message = pc_context_message(context);
    CU_ASSERT_EQUAL(strcmp(message + strlen(message) - strlen("open: 0 1 2 3"), "open: 0 1 2 3"),
                    0);
    close(file);
}

/* Searches while the first n standard streams are closed: their numbers are those of the next files. */
static pc_status find_with_closed(int n)
{
    OWNED(pc_partition) *partition = NULL;
    int copies[3];
    fflush(NULL);
    for (int file = 0; file < n; file++) {
        copies[file] = fcntl(file, F_DUPFD_CLOEXEC, 10);
        close(file);
    }
    pc_status status = find_blocks(context, &partition);
    for (int file = 0; file < n; file++) {
        dup2(copies[file], file);
        close(copies[file]);
    }
    return status;
}

TEST("standard streams that are closed")
{
    for (int n = 1; n <= 3; n++)
        CU_ASSERT(succeeds(context, find_with_closed(n)));
}

/* ---- Cancelling ------------------------------------------------------------------------------ */

static int stop_at_fifth(void *user, const char *stage, double fraction)
{
    int *n = user;
    (void)stage, (void)fraction;
    return ++*n >= 5;
}

static void check_cancelled(const char *behaviour)
{
    OWNED(pc_partition) *partition = NULL;
    int n = 0, before = n_open_files();
    use_fake_igraph(behaviour);
    pc_context_set_progress(context, stop_at_fifth, &n);
    CU_ASSERT_EQUAL(find_blocks(context, &partition), PC_ERR_CANCELLED);
    CU_ASSERT_PTR_NULL(partition);
    CU_ASSERT_EQUAL(n, 5);
    CU_ASSERT_EQUAL(n_open_files(), before);
    check_no_child();
}

TEST("a search is cancelled")
{
    check_cancelled("hang");
    check_cancelled("spin");
}

typedef struct stopper {
    int n_calls, stop_at;
} stopper;

static int stop_once(void *user, const char *stage, double fraction)
{
    stopper *s = user;
    (void)stage, (void)fraction;
    return ++s->n_calls == s->stop_at;
}

/* A key of the terminal ends both: that is no crash, whenever the program hears of it. */
TEST("a search whose process crashes is cancelled")
{
    stopper s = {.stop_at = 1};
    use_fake_igraph("crash");
    pc_context_set_progress(context, stop_once, &s);
    for (bool is_over = false; !is_over && s.stop_at < 1000; s.stop_at++) {
        OWNED(pc_partition) *partition = NULL;
        s.n_calls = 0;
        pc_status status = find_blocks(context, &partition);
        is_over = s.n_calls < s.stop_at;
        CU_ASSERT_EQUAL(status, is_over ? PC_ERR_INTERNAL : PC_ERR_CANCELLED);
        check_no_child();
    }
    CU_ASSERT(s.stop_at > 2);
}

/* ---- The program that asks ------------------------------------------------------------------ */

TEST("a program that ignores or reaps its processes")
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    OWNED(pc_partition) *partition = NULL;
    sigaction(SIGCHLD, &ignore, &before);
    CU_ASSERT(succeeds(context, find_blocks(context, &partition)));
    check_fails("crash", PC_ERR_INTERNAL, "");
    sigaction(SIGCHLD, &before, NULL);
}

/* One more file may be open each time, until the search succeeds. */
TEST("no more files may be opened")
{
    struct rlimit before, few;
    int next = open("/dev/null", O_RDONLY), n_open = n_open_files(), n_failed = 0;
    close(next);
    getrlimit(RLIMIT_NOFILE, &before);
    few = before;
    pc_status status = PC_ERR_IO;
    for (int n_more = 0; n_more < 10 && status != PC_OK; n_more++) {
        OWNED(pc_partition) *partition = NULL;
        few.rlim_cur = (rlim_t)(next + n_more);
        setrlimit(RLIMIT_NOFILE, &few);
        status = find_blocks(context, &partition);
        setrlimit(RLIMIT_NOFILE, &before);
        CU_ASSERT_EQUAL(status == PC_OK, partition != NULL);
        n_failed += status != PC_OK && says(context, "communities: ");
        CU_ASSERT_EQUAL(n_open_files(), n_open - 1);
        check_no_child();
    }
    CU_ASSERT(succeeds(context, status));
    CU_ASSERT(n_failed >= 2);
}

static volatile sig_atomic_t n_alarms;

static void on_alarm(int number)
{
    (void)number;
    n_alarms++;
}

/* A signal each millisecond, without SA_RESTART. They make no process late that sleeps for a moment. */
TEST("calls that signals interrupt")
{
    struct sigaction action = {.sa_handler = on_alarm}, before;
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 10; i++) {
        OWNED(pc_partition) *partition = NULL;
        CU_ASSERT(succeeds(context, find_blocks(context, &partition)));
    }
    OWNED(pc_partition) *late = NULL;
    set_variable("PATHCOUNT_IGRAPH_SECONDS", "1");
    use_fake_igraph("nap");
    CU_ASSERT(succeeds(context, find_blocks(context, &late)));
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    CU_ASSERT(n_alarms > 10);
    check_no_child();
}

static void *find_in_thread(void *user)
{
    OWNED(pc_context) *own = new_context(1);
    size_t n_wrong = 0;
    (void)user;
    for (int i = 0; i < 5; i++) {
        OWNED(pc_partition) *partition = NULL;
        n_wrong += find_blocks(own, &partition) != PC_ERR_INTERNAL || partition;
    }
    return (void *)(uintptr_t)n_wrong;
}

TEST("crashes in several threads at once")
{
    enum { N = 8 };
    pthread_t threads[N];
    int before = n_open_files();
    use_fake_igraph("crash");
    for (int i = 0; i < N; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, find_in_thread, NULL), 0);
    for (int i = 0; i < N; i++) {
        void *n_wrong;
        pthread_join(threads[i], &n_wrong);
        CU_ASSERT_PTR_NULL(n_wrong);
    }
    CU_ASSERT_EQUAL(n_open_files(), before);
    check_no_child();
}

/* The program ends while the process of igraph hangs. */
TEST("a program that is killed takes the process with it")
{
    int ends[2];
    char byte;
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0); /* inherited by the program, not by the process */
    use_fake_igraph("hang");
    fflush(NULL);
    pid_t program = fork();
    if (program == 0) {
        OWNED(pc_partition) *partition = NULL;
        setpgid(0, 0);
        find_blocks(context, &partition);
        _exit(0);
    }
    setpgid(program, program);
    usleep(300000);
    kill(program, SIGKILL);
    waitpid(program, NULL, 0);
    for (int i = 0; i < 100 && kill(-program, 0) == 0; i++)
        usleep(20000);
    CU_ASSERT_EQUAL(kill(-program, 0), -1);
    close(ends[1]);
    CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/* Bytes that the process of igraph may take for communities of n vertices and an edge. */
static unsigned long long limit_of(uint64_t n)
{
    static const char words[] = "limit: ";
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_partition) *partition = NULL;
    const uint64_t from = 0, to = 1;
    MUST(graph_from_arrays(context, n, 1, &from, &to, NULL, NULL, &graph));
    CU_ASSERT(is_refused(context, pc_igraph_communities(context, graph, NULL, 1, 1, 0, &partition),
                         PC_ERR_INTERNAL, words));
    const char *at = strstr(pc_context_message(context), words);
    return at ? strtoull(at + strlen(words), NULL, 10) : 0;
}

/* The memory that is there is little more than the vertices need. igraph's vectors have 8 bytes for each
 * vertex; the graph and its communities are several of them. */
TEST("memory for communities of many vertices")
{
#ifdef __SANITIZE_ADDRESS__
    test_skip("with a sanitizer there is no limit of memory");
#endif
    enum { N = 200000, LEAST_VECTORS = 8 };
    pc_context_set_memory_limit(context, 60 << 20);
    use_fake_igraph("limit");
    CU_ASSERT(limit_of(N) > limit_of(2) + 8 * LEAST_VECTORS * N);
}

#endif
