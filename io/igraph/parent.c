/* Starting the process of igraph, talking to it, ending it. */
#define _GNU_SOURCE /* dladdr1, addclosefrom */
#include "io/igraph/guard.h"
#include "io/igraph/message.h"
#include "tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    PATH_BYTES = 4096,
    LOOK_MILLISECONDS = 100, /* between looks at a process that says nothing */
    LOOKS_AT_END = 45, /* before it is killed: about a second, the first ones close together */
    BYTES_A_LOOK = 1 << 20
};

typedef struct child {
    pc_context *context;
    const pci_igraph_task *task;
    uint64_t base_seconds; /* without any use of CPU time until it is ended */
    pid_t process;
    int connection;
    double used_seconds; /* CPU time at the last look */
    double idle_seconds; /* since that grew, or a byte came or went */
    bool has_ended;
    int exit_status; /* as of waitpid, when the process has ended */
} child;

/* ---- Starting -------------------------------------------------------------------------------- */

/* The folder of the object that contains this code. The dynamic linker knows it under the name that it was
 * opened by; the program itself it knows by what its caller says, which may be anything. */
static bool find_folder(char path[PATH_BYTES])
{
    Dl_info own;
    struct link_map *map = NULL;
    ssize_t n = -1;
    if (!dladdr1((void *)pci_igraph_ask, &own, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return false;
    if (map->l_name && map->l_name[0] != '\0')
        n = snprintf(path, PATH_BYTES, "%s", map->l_name);
    else
        n = readlink("/proc/self/exe", path, PATH_BYTES - 1);
    if (n <= 0 || n >= PATH_BYTES)
        return false;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        slash[1] = '\0';
    return slash != NULL;
}

static pc_status find_program(pc_context *context, char path[2 * PATH_BYTES])
{
    char folder[PATH_BYTES] = "";
    bool is_known = find_folder(folder);
    snprintf(path, (size_t)(2 * PATH_BYTES), "%s" PCI_IGRAPH_CHILD, folder);
    if (is_known && access(path, X_OK) == 0)
        return PC_OK;
    return pci_igraph_fail(
        context, PC_ERR_ENGINE,
        "the program that runs igraph is not there: %s; it belongs in the folder "
        "of libpathcount_igraph.so, or of a program with that library in it, "
        "install both together",
        path);
}

/* The process uses one thread. OpenBLAS, which igraph may bring along, would start one a processor and
 * take 128 MiB for each. Returns a copy of the environment that says so, or NULL. */
static char **make_environment(void)
{
    static char one_thread[] = "OPENBLAS_NUM_THREADS=1";
    size_t n = 0, n_kept = 0;
    while (environ && environ[n])
        n++;
    char **copy = malloc((n + 2) * sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        if (strncmp(environ[i], one_thread, sizeof one_thread - 2) != 0)
            copy[n_kept++] = environ[i];
    if (copy) {
        copy[n_kept++] = one_thread;
        copy[n_kept] = NULL;
    }
    return copy;
}

/* The process inherits its end of the connection and no other file. Output of igraph goes to /dev/null. */
static int spawn(child *c, const char *program, int connection, char **environment)
{
    char name[] = PCI_IGRAPH_CHILD;
    char *arguments[] = {name, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    if ((errno = posix_spawn_file_actions_init(&files)) != 0)
        return errno;
    if ((errno = posix_spawnattr_init(&attributes)) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return errno;
    }
    int error;
    if ((error = posix_spawn_file_actions_adddup2(&files, connection, PCI_IGRAPH_CONNECTION)) ||
        (error = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0)) ||
        (error = posix_spawn_file_actions_adddup2(&files, 0, 1)) ||
        (error = posix_spawn_file_actions_adddup2(&files, 0, 2)) ||
        (error = posix_spawn_file_actions_addclosefrom_np(&files, PCI_IGRAPH_CONNECTION + 1)) ||
        (error = posix_spawnattr_setsigdefault(&attributes, &all)) ||
        (error = posix_spawnattr_setsigmask(&attributes, &none)) ||
        (error = posix_spawnattr_setflags(&attributes,
                                          POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)) == 0)
        error =
            error ? error
                  : posix_spawn(&c->process, program, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

static pc_status start(child *c)
{
    char program[2 * PATH_BYTES];
    int ends[2];
    pc_status status = find_program(c->context, program);
    if (status != PC_OK)
        return status;
    char **environment = make_environment();
    int error = environment ? 0 : ENOMEM;
    if (!error && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        error = errno;
    if (!error) {
        c->connection = ends[0];
        error = spawn(c, program, ends[1], environment);
        close(ends[1]);
        if (error)
            close(ends[0]);
    }
    free(environment);
    if (!error)
        return PC_OK;
    bool may_pass = error == ENOMEM || error == EAGAIN || error == EMFILE || error == ENFILE;
    return pci_igraph_fail(c->context, may_pass ? PC_ERR_MEMORY : PC_ERR_ENGINE,
                           "communities: a process for igraph (%s) cannot be started: %s", program,
                           strerror(error));
}

/* ---- Ending ---------------------------------------------------------------------------------- */

/* Tells if the process has ended. A program may reap processes that are not its own, or ignore SIGCHLD; then
 * nothing is known of the end. */
static bool look_for_end(child *c, int options)
{
    pid_t found = -1;
    while (!c->has_ended && (found = waitpid(c->process, &c->exit_status, options)) < 0 &&
           errno == EINTR)
        ;
    if (found == c->process || found < 0)
        c->has_ended = true;
    return c->has_ended;
}

/* A process that has answered, or has closed the connection, may end by itself for a moment. */
static void end(child *c, bool may_end)
{
    if (c->connection < 0)
        return;
    shutdown(c->connection, SHUT_RDWR);
    for (int i = 0; may_end && i < LOOKS_AT_END && !look_for_end(c, WNOHANG); i++)
        poll(NULL, 0, i);
    if (!look_for_end(c, WNOHANG))
        kill(c->process, SIGKILL);
    look_for_end(c, 0);
    close(c->connection);
    c->connection = -1;
}

static pc_status fail(const child *c, pc_status status, const char *what)
{
    return pci_igraph_fail(c->context, status,
                           "communities: %s: try the other method, leiden or multilevel, or read "
                           "blocks from a file",
                           what);
}

static pc_status fail_other_build(const child *c)
{
    return pci_igraph_fail(c->context, PC_ERR_ENGINE,
                           PCI_IGRAPH_CHILD " is of another build: install it and "
                                            "libpathcount_igraph together");
}

/* Says why a process ended before it had answered. */
static pc_status fail_by_end(child *c)
{
    char what[200];
    pc_status status = pc_context_progress(c->context, "blocks", 0);
    end(c, true);
    if (status != PC_OK)
        return status; /* a key of the terminal may have ended both */
    int number = WIFSIGNALED(c->exit_status) ? WTERMSIG(c->exit_status) : 0;
    if (number == SIGXCPU) {
        snprintf(what, sizeof what,
                 "igraph was ended after %u s of CPU time (PATHCOUNT_IGRAPH_SECONDS allows more)",
                 c->task->cpu_seconds);
        return fail(c, PC_ERR_INTERNAL, what);
    }
    if (number == SIGKILL)
        return fail(c, PC_ERR_MEMORY,
                    "the process of igraph was killed (signal 9), most likely for lack of memory");
    if (number != 0) {
        snprintf(what, sizeof what, "igraph crashed (signal %d, %s)", number, strsignal(number));
        return fail(c, PC_ERR_INTERNAL, what);
    }
    if (WIFEXITED(c->exit_status) && WEXITSTATUS(c->exit_status) == PCI_IGRAPH_OTHER_BUILD)
        return fail_other_build(c);
    return fail(c, PC_ERR_INTERNAL, "the process of igraph ended before it had answered");
}

/* ---- Talking --------------------------------------------------------------------------------- */

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec
                                            : -1;
}

/* Tells if the process has used CPU time since the last look. One that cannot be looked at has. */
static bool is_busy(child *c)
{
    clockid_t clock;
    double before = c->used_seconds;
    if (clock_getcpuclockid(c->process, &clock) != 0)
        return true;
    c->used_seconds = seconds_of(clock);
    return c->used_seconds < 0 || c->used_seconds > before;
}

/* Adds the time since the last look. A look counts a tenth of a second at most: a program that
 * was stopped, or a machine that slept, does not make its process late. */
static bool is_idle_for_long(child *c, double last_seconds)
{
    const double most = 1e-3 * LOOK_MILLISECONDS;
    double passed = seconds_of(CLOCK_MONOTONIC) - last_seconds;
    c->idle_seconds = is_busy(c) ? 0 : c->idle_seconds + (passed < most ? passed : most);
    return c->idle_seconds > (double)c->base_seconds;
}

/* Waits until the connection can be read from or written to. */
static pc_status wait_for(child *c, short events)
{
    struct pollfd its = {.fd = c->connection, .events = events};
    for (;;) {
        double now = seconds_of(CLOCK_MONOTONIC);
        pc_status status = pc_context_progress(c->context, "blocks", 0);
        if (status != PC_OK)
            return status;
        int n = poll(&its, 1, LOOK_MILLISECONDS);
        if (n > 0)
            return PC_OK;
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return fail(c, PC_ERR_IO, strerror(errno));
        if (look_for_end(c, WNOHANG))
            return poll(&its, 1, 0) > 0 ? PC_OK : fail_by_end(c);
        if (is_idle_for_long(c, now))
            return fail(c, PC_ERR_INTERNAL,
                        "igraph hangs: it was ended, because it used no CPU time for long "
                        "(PATHCOUNT_IGRAPH_SECONDS allows more)");
    }
}

static size_t at_most_a_look(uint64_t n_bytes)
{
    return n_bytes < BYTES_A_LOOK ? (size_t)n_bytes : BYTES_A_LOOK;
}

/* *has_answer is set, and nothing more is sent, when the process speaks or ends before it has heard all. */
static pc_status send_bytes(child *c, const void *bytes, uint64_t n_bytes, bool *has_answer)
{
    const char *at = bytes;
    while (n_bytes > 0 && !*has_answer) {
        pc_status status = wait_for(c, POLLIN | POLLOUT);
        if (status != PC_OK)
            return status;
        struct pollfd its = {.fd = c->connection, .events = POLLIN};
        if (poll(&its, 1, 0) > 0) {
            *has_answer = true;
            break;
        }
        ssize_t n = send(c->connection, at, at_most_a_look(n_bytes), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            *has_answer = true; /* receiving says what became of the process */
        n_bytes -= n > 0 ? (uint64_t)n : 0;
        at += n > 0 ? n : 0;
        c->idle_seconds = 0;
    }
    return PC_OK;
}

static pc_status receive_bytes(child *c, void *bytes, uint64_t n_bytes)
{
    char *at = bytes;
    while (n_bytes > 0) {
        pc_status status = wait_for(c, POLLIN);
        if (status != PC_OK)
            return status;
        ssize_t n = recv(c->connection, at, at_most_a_look(n_bytes), MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno == ECONNRESET))
            return fail_by_end(c);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return fail(c, PC_ERR_IO, strerror(errno));
        n_bytes -= n > 0 ? (uint64_t)n : 0;
        at += n > 0 ? n : 0;
        c->idle_seconds = 0;
    }
    return PC_OK;
}

static pc_status send_task(child *c, const uint64_t *ends, const double *weights)
{
    uint64_t n = c->task->n_edges;
    bool has_answer = false;
    pc_status status = send_bytes(c, c->task, sizeof *c->task, &has_answer);
    if (status == PC_OK)
        status = send_bytes(c, ends, 2 * n * sizeof *ends, &has_answer);
    return status ? status : send_bytes(c, weights, n * sizeof *weights, &has_answer);
}

/* The failure that the process reports, in its words, whose control characters could confuse a terminal. */
static pc_status pass_on_failure(const child *c, pci_igraph_answer *answer)
{
    char *text = answer->text;
    text[sizeof answer->text - 1] = '\0';
    for (char *at = text; *at != '\0'; at++)
        *at = (unsigned char)*at < ' ' || *at == 0x7f ? ' ' : *at;
    return pci_igraph_fail(c->context, (pc_status)answer->status, "communities: %s",
                           *text != '\0' ? text : "igraph failed without a reason");
}

static pc_status receive_answer(child *c, pci_igraph_answer *answer, uint64_t *block)
{
    uint64_t n = c->task->n_vertices, v = 0;
    pc_status status = receive_bytes(c, answer, sizeof *answer);
    if (status != PC_OK)
        return status;
    if (memcmp(answer->build, c->task->build, sizeof answer->build) != 0)
        return fail_other_build(c);
    if (answer->status == PC_ERR_MEMORY || answer->status == PC_ERR_INTERNAL)
        return PC_OK;
    if (answer->status == PC_OK) {
        if ((status = receive_bytes(c, block, n * sizeof *block)) != PC_OK)
            return status;
        while (v < n && block[v] < n)
            v++;
    }
    return answer->status == PC_OK && v == n
               ? PC_OK
               : fail(c, PC_ERR_INTERNAL, "the answer of igraph's process makes no sense");
}

pc_status pci_igraph_ask(pc_context *context, const pci_igraph_task *task, const uint64_t *ends,
                         const double *weights, uint64_t base_seconds, uint64_t *block)
{
    child c = {.context = context, .task = task, .base_seconds = base_seconds};
    pci_igraph_answer answer;
    pc_status status = start(&c);
    if (status != PC_OK)
        return status;
    status = send_task(&c, ends, weights);
    if (status == PC_OK)
        status = receive_answer(&c, &answer, block);
    end(&c, status == PC_OK);
    return status == PC_OK && answer.status != PC_OK ? pass_on_failure(&c, &answer) : status;
}
