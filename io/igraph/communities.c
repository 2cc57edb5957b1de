/* Communities that igraph finds in a process of its own, as a partition: the process is started and waited for, and nothing in
 * its answer is trusted. */
#define _GNU_SOURCE /* dladdr1, addclosefrom, memfd_create */
#include "io/igraph/message.h"
#include "io/igraph/pathcount_igraph.h"
#include "src/core/variables.h"
#include "tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    PATH_BYTES = 4096,
    LOOK_MILLISECONDS = 100, /* between looks at the process; the first ones are closer together */
    DEFAULT_ITERATIONS = 10,
    BYTES_AN_EDGE = 160,  /* of the arrays here, and of what igraph makes of them */
    BYTES_A_VERTEX = 200, /* the same, and labels of the communities */
    LEAST_BYTES = 64 << 20,
    BASES = 10,              /* of CPU time: see PATHCOUNT_IGRAPH_SECONDS */
    EDGES_A_BASE = 10000000, /* and another for so many edges, in each iteration */
    LABEL_BYTES = 20         /* of a number below 2^32 and a NUL */
};

/* ---- Starting -------------------------------------------------------------------------------- */

/* The program in the folder of the object that contains this code. The dynamic linker knows it under the name that it was
 * opened by; the program itself it knows by what its caller says, which may be anything. "" where it is not known. */
static void find_program(char path[2 * PATH_BYTES])
{
    Dl_info own;
    struct link_map *map = NULL;
    ssize_t n = -1;
    if (dladdr1((void *)find_program, &own, (void **)&map, RTLD_DL_LINKMAP) && map)
        n = map->l_name && map->l_name[0] != '\0'
                ? snprintf(path, PATH_BYTES, "%s", map->l_name)
                : readlink("/proc/self/exe", path, PATH_BYTES - 1);
    path[n > 0 && n < PATH_BYTES ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, slash ? PCI_IGRAPH_CHILD : "");
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

/* Starts the program; it inherits the file of its task and no other one. Output of igraph goes to /dev/null. */
static pc_status start(pc_context *context, int file, pid_t *process)
{
    char name[] = PCI_IGRAPH_CHILD, path[2 * PATH_BYTES];
    char *arguments[] = {name, NULL}, **environment = make_environment();
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    find_program(path);
    int error = environment ? posix_spawn_file_actions_init(&files) : ENOMEM;
    if (error == 0 && (error = posix_spawnattr_init(&attributes)) != 0)
        posix_spawn_file_actions_destroy(&files);
    if (error == 0) {
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
                          : posix_spawn(process, path, &files, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
    }
    free(environment);
    if (error == ENOENT || error == EACCES)
        return pci_igraph_fail(
            context, PC_ERR_ENGINE,
            "the program that runs igraph is not there: %s; it belongs in the folder "
            "of libpathcount_igraph.so, or of a program with that library in it, "
            "install both together",
            *path ? path : name);
    bool may_pass = error == ENOMEM || error == EAGAIN || error == EMFILE || error == ENFILE;
    return error ? pci_igraph_fail(context, may_pass ? PC_ERR_MEMORY : PC_ERR_ENGINE,
                                   "communities: a process for igraph (%s) cannot be started: %s",
                                   path, strerror(error))
                 : PC_OK;
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
    char what[200] = "the process of igraph ended before it had answered";
    int number = WIFSIGNALED(exit_status) ? WTERMSIG(exit_status) : 0;
    if (WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == PCI_IGRAPH_OTHER_BUILD)
        return pci_igraph_fail(context, PC_ERR_ENGINE,
                               PCI_IGRAPH_CHILD " is of another build: install it and "
                                                "libpathcount_igraph together");
    if (number == SIGKILL)
        return fail(context, PC_ERR_MEMORY,
                    "the process of igraph was killed (signal 9), most likely for lack of memory");
    if (number == SIGXCPU)
        snprintf(what, sizeof what,
                 "igraph was ended after %u s of CPU time (PATHCOUNT_IGRAPH_SECONDS allows more)",
                 cpu_seconds);
    else if (number != 0)
        snprintf(what, sizeof what, "igraph crashed (signal %d, %s)", number, strsignal(number));
    return fail(context, PC_ERR_INTERNAL, what);
}

/* Runs the process with the task in the file. base_seconds: how long it may use no CPU time. */
static pc_status run(pc_context *context, pci_igraph_task *task, int file, uint64_t base_seconds)
{
    const uint32_t cpu_seconds = task->cpu_seconds;
    const uint64_t n = task->n_vertices, *block = task->word + 3 * task->n_edges;
    int exit_status = 0;
    pid_t process;
    pc_status status = start(context, file, &process);
    if (status == PC_OK)
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

/* ---- Communities ----------------------------------------------------------------------------- */

/* Fills in the limits and the edges, each edge of an undirected graph once, every arc of a directed one, and runs the
 * process of igraph. */
static pc_status find_communities(pc_context *context, const pc_graph *graph, pci_igraph_task *task,
                                  int file)
{
    uint64_t n = task->n_vertices, n_edges = task->n_edges, e = 0, base_seconds;
    uint64_t *ends = task->word;
    double *weights = (double *)(task->word + 2 * n_edges);
    pc_arcs arcs;
    pc_graph_info info;
    pc_status status = pci_variable_read(context, PCI_VARIABLE_IGRAPH_SECONDS, &base_seconds);
    if (status != PC_OK)
        return status;
    uint64_t available = pc_context_memory_available(context);
    uint64_t least = LEAST_BYTES + BYTES_AN_EDGE * n_edges + BYTES_A_VERTEX * n;
    double seconds =
        (double)base_seconds * (BASES + (double)n_edges * task->n_iterations / EDGES_A_BASE);
    task->memory_bytes = available > least ? available : least;
    task->cpu_seconds = seconds < INT32_MAX ? (uint32_t)seconds : INT32_MAX;
    pc_graph_arcs(graph, &arcs);
    pc_graph_get_info(graph, &info);
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++) {
            if (!info.directed && arcs.column[a] < row)
                continue;
            ends[2 * e] = row;
            ends[2 * e + 1] = arcs.column[a];
            weights[e++] = arcs.weight ? (double)arcs.weight[a] : 1;
        }
    return run(context, task, file, base_seconds);
}

/* Numbers communities, which are below n, by their first vertices, and makes them a partition. */
static pc_status make_partition(pc_context *context, const pc_graph *graph, uint64_t n,
                                uint64_t *block, pc_partition **partition)
{
    uint64_t *number = malloc((n + 1) * sizeof *number), n_blocks = 0;
    char(*text)[LABEL_BYTES] = malloc((n + 1) * sizeof *text);
    const char **labels = malloc((n + 1) * sizeof *labels);
    pc_status status = PC_ERR_MEMORY;
    if (number && text && labels) {
        for (uint64_t c = 0; c < n; c++)
            number[c] = n;
        for (uint64_t v = 0; v < n; v++) {
            uint64_t *its = &number[block[v]];
            if (*its == n)
                *its = n_blocks++;
            block[v] = *its;
        }
        for (uint64_t b = 0; b < n_blocks; b++) {
            snprintf(text[b], sizeof text[b], "%" PRIu32, (uint32_t)b + 1);
            labels[b] = text[b];
        }
        status = pc_partition_from_arrays(context, graph, n_blocks, block, labels, partition);
    } else {
        pc_context_fail(context, status, "out of memory for communities");
    }
    free(number);
    free(text);
    free(labels);
    return status;
}

pc_status pc_igraph_communities(pc_context *context, const pc_graph *graph, const char *method,
                                uint64_t seed, double resolution, int n_iterations,
                                pc_partition **partition)
{
    if (!context || !graph || !partition)
        return pc_context_fail(context, PC_ERR_ARGUMENT, "graph or partition is NULL");
    method = method ? method : "leiden";
    pc_graph_info info;
    pc_arcs arcs;
    pc_graph_get_info(graph, &info);
    pc_graph_arcs(graph, &arcs);
    if (!arcs.column)
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "the graph lies in parts in several processes, and communities need "
                               "all of its arcs: find them in one process");
    if (strcmp(method, "leiden") != 0 && strcmp(method, "multilevel") != 0)
        return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                               "no method for communities is called '%.40s': it is leiden or "
                               "multilevel",
                               method);
    if (!(resolution >= 0) || isinf(resolution))
        return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                               "a resolution of %g makes no sense: 1 is modularity, more gives "
                               "smaller communities",
                               resolution);
    if (n_iterations < 0)
        return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                               "%d iterations make no sense: give 1 or more, 0 for %d",
                               n_iterations, DEFAULT_ITERATIONS);
    uint64_t n = info.n_vertices, n_edges = info.n_edges;
    double need = (double)BYTES_AN_EDGE * (double)n_edges + (double)BYTES_A_VERTEX * (double)n;
    double available = (double)pc_context_memory_available(context);
    if (need > available)
        return pci_igraph_fail(context, PC_ERR_MEMORY,
                               "communities of this graph need about %.3g GB of memory, and there "
                               "are %.3g GB",
                               need / 1e9, available / 1e9);
    size_t bytes = sizeof(pci_igraph_task) + (3 * n_edges + n) * sizeof(uint64_t);
    pci_igraph_task *task = MAP_FAILED;
    pc_status status = PC_OK;
    int file = memfd_create("pathcount igraph", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0 &&
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
        task = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (task == MAP_FAILED) {
        status = pci_igraph_fail(context, PC_ERR_MEMORY,
                                 "communities: out of memory for their edges: %s", strerror(errno));
        goto done;
    }
    *task = (pci_igraph_task){.build = PCI_IGRAPH_BUILD,
                              .is_leiden = strcmp(method, "leiden") == 0,
                              .n_iterations =
                                  n_iterations ? (uint32_t)n_iterations : DEFAULT_ITERATIONS,
                              .n_vertices = n,
                              .n_edges = n_edges,
                              .seed = seed,
                              .resolution = resolution};
    uint64_t *block = task->word + 3 * n_edges;
    for (uint64_t v = 0; v < n; v++)
        block[v] = v; /* without edges each vertex is a community, which igraph need not find */
    if (n_edges > 0)
        status = find_communities(context, graph, task, file);
    if (status == PC_OK)
        status = make_partition(context, graph, n, block, partition);
    munmap(task, bytes);
done:
    if (file >= 0)
        close(file);
    return status;
}
