/* Starting the process of igraph, waiting for its end, saying what became of it. */
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    PATH_BYTES = 4096,
    LOOK_MILLISECONDS = 100 /* between looks at the process; the first ones are closer together */
};

/* ---- Starting -------------------------------------------------------------------------------- */

/* The folder of the object that contains this code. The dynamic linker knows it under the name that it was
 * opened by; the program itself it knows by what its caller says, which may be anything. */
static bool find_folder(char path[PATH_BYTES])
{
    Dl_info own;
    struct link_map *map = NULL;
    ssize_t n = -1;
    if (!dladdr1((void *)pci_igraph_run, &own, (void **)&map, RTLD_DL_LINKMAP) || !map)
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

/* The process inherits the file of its task and no other one. Output of igraph goes to /dev/null. Returns 0 or errno. */
static int spawn(const char *program, int file, pid_t *process)
{
    char name[] = PCI_IGRAPH_CHILD;
    char *arguments[] = {name, NULL}, **environment = make_environment();
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int error = environment ? posix_spawn_file_actions_init(&files) : ENOMEM;
    if (error == 0 && (error = posix_spawnattr_init(&attributes)) != 0)
        posix_spawn_file_actions_destroy(&files);
    if (error != 0) {
        free(environment);
        return error;
    }
    if ((error = posix_spawn_file_actions_adddup2(&files, file, PCI_IGRAPH_FILE)) ||
        (error = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0)) ||
        (error = posix_spawn_file_actions_adddup2(&files, 0, 1)) ||
        (error = posix_spawn_file_actions_adddup2(&files, 0, 2)) ||
        (error = posix_spawn_file_actions_addclosefrom_np(&files, PCI_IGRAPH_FILE + 1)) ||
        (error = posix_spawnattr_setsigdefault(&attributes, &all)) ||
        (error = posix_spawnattr_setsigmask(&attributes, &none)) ||
        (error = posix_spawnattr_setflags(&attributes,
                                          POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)) == 0)
        error = error ? error
                      : posix_spawn(process, program, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    return error;
}

/* ---- Waiting --------------------------------------------------------------------------------- */

/* Tells if the process has ended. A program may reap processes that are not its own, or ignore SIGCHLD; then
 * nothing is known of the end. */
static bool has_ended(pid_t process, int options, int *exit_status)
{
    pid_t found;
    do
        found = waitpid(process, exit_status, options);
    while (found < 0 && errno == EINTR);
    return found != 0;
}

static pc_status fail(pc_context *context, pc_status status, const char *what)
{
    return pci_igraph_fail(context, status,
                           "communities: %s: try the other method, leiden or multilevel, or read "
                           "blocks from a file",
                           what);
}

/* Waits for the end of the process, and makes it when the caller cancels, or igraph hangs. Only whole looks count as
 * time without any use of CPU time: a program that was stopped, or a machine that slept, does not make its process
 * late. */
static pc_status wait_for_end(pc_context *context, pid_t process, uint64_t base_seconds,
                              int *exit_status)
{
    double used_seconds = -1;
    uint64_t idle_milliseconds = 0;
    pc_status status = PC_OK;
    for (int look = 0; !has_ended(process, WNOHANG, exit_status); look++) {
        int milliseconds = look < LOOK_MILLISECONDS ? look : LOOK_MILLISECONDS;
        clockid_t clock;
        struct timespec now = {-1, 0}; /* where it cannot be looked at */
        status = pc_context_progress(context, "blocks", 0);
        if (status == PC_OK && poll(NULL, 0, milliseconds) == 0) {
            if (clock_getcpuclockid(process, &clock) == 0)
                clock_gettime(clock, &now);
            double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
            bool is_idle = seconds >= 0 && seconds == used_seconds;
            idle_milliseconds = is_idle ? idle_milliseconds + (uint64_t)milliseconds : 0;
            used_seconds = seconds;
        }
        if (status == PC_OK && idle_milliseconds > 1000 * base_seconds)
            status = fail(context, PC_ERR_INTERNAL,
                          "igraph hangs: it was ended, because it used no CPU time for long "
                          "(PATHCOUNT_IGRAPH_SECONDS allows more)");
        if (status != PC_OK) {
            kill(process, SIGKILL);
            has_ended(process, 0, exit_status);
            return status;
        }
    }
    return pc_context_progress(context, "blocks",
                               0); /* a key of the terminal may have ended both */
}

/* ---- The answer ------------------------------------------------------------------------------ */

/* Says why a process ended before it had answered. */
static pc_status fail_by_end(pc_context *context, int exit_status, uint32_t cpu_seconds)
{
    char what[200];
    int number = WIFSIGNALED(exit_status) ? WTERMSIG(exit_status) : 0;
    if (number == SIGXCPU)
        snprintf(what, sizeof what,
                 "igraph was ended after %u s of CPU time (PATHCOUNT_IGRAPH_SECONDS allows more)",
                 cpu_seconds);
    else if (number == SIGKILL)
        return fail(context, PC_ERR_MEMORY,
                    "the process of igraph was killed (signal 9), most likely for lack of memory");
    else if (number != 0)
        snprintf(what, sizeof what, "igraph crashed (signal %d, %s)", number, strsignal(number));
    else if (WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == PCI_IGRAPH_OTHER_BUILD)
        return pci_igraph_fail(context, PC_ERR_ENGINE,
                               PCI_IGRAPH_CHILD " is of another build: install it and "
                                                "libpathcount_igraph together");
    else
        snprintf(what, sizeof what, "the process of igraph ended before it had answered");
    return fail(context, PC_ERR_INTERNAL, what);
}

pc_status pci_igraph_run(pc_context *context, pci_igraph_task *task, int file,
                         uint64_t base_seconds)
{
    char program[2 * PATH_BYTES];
    const uint32_t cpu_seconds = task->cpu_seconds;
    const uint64_t n = task->n_vertices, *block = task->word + 3 * task->n_edges;
    int exit_status = 0;
    pid_t process;
    pc_status status = find_program(context, program);
    if (status != PC_OK)
        return status;
    int error = spawn(program, file, &process);
    if (error) {
        bool may_pass = error == ENOMEM || error == EAGAIN || error == EMFILE || error == ENFILE;
        return pci_igraph_fail(context, may_pass ? PC_ERR_MEMORY : PC_ERR_ENGINE,
                               "communities: a process for igraph (%s) cannot be started: %s",
                               program, strerror(error));
    }
    status = wait_for_end(context, process, base_seconds, &exit_status);
    if (status != PC_OK)
        return status;
    if (!task->is_answered)
        return fail_by_end(context, exit_status, cpu_seconds);
    if (task->status == PC_ERR_MEMORY || task->status == PC_ERR_INTERNAL) {
        char *text = task->text;
        text[sizeof task->text - 1] = '\0';
        for (char *at = text; *at != '\0'; at++) /* which could confuse a terminal */
            *at = (unsigned char)*at < ' ' || *at == 0x7f ? ' ' : *at;
        return pci_igraph_fail(context, (pc_status)task->status, "communities: %s",
                               *text != '\0' ? text : "igraph failed without a reason");
    }
    uint64_t v = 0;
    while (v < n && block[v] < n)
        v++;
    return task->status == PC_OK && v == n
               ? PC_OK
               : fail(context, PC_ERR_INTERNAL, "the answer of igraph's process makes no sense");
}
