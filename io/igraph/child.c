/* pathcount_igraph_child: the process that igraph runs in. It takes the task from the file that it shares with the
 * program that started it, works within the limits of the task, writes the answer and ends. Only pc_igraph_communities starts
 * it: Leiden of igraph 0.10 crashes when it gets no memory. */
#include "io/igraph/message.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CODE_GIVEN_UP = 1, SECONDS_TO_END = 5 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0 /* else the tables of the sanitizer would pass each limit of memory */
#endif

/* A limit that was there is not raised. */
static void limit(int resource, uint64_t n, uint64_t n_more)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return;
    now.rlim_max = n + n_more < now.rlim_max ? n + n_more : now.rlim_max;
    now.rlim_cur = n < now.rlim_cur ? n : now.rlim_cur;
    setrlimit(resource, &now);
}

/* Memory is limited beyond the private memory that this process has already, the libraries' included. */
static void limit_process(const pci_igraph_task *task)
{
    unsigned long n_pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file || fscanf(file, "%*u %*u %*u %*u %*u %lu", &n_pages) != 1)
        n_pages = 0;
    if (file)
        fclose(file);
    if (!IS_SANITIZED)
        limit(RLIMIT_DATA, n_pages * (uint64_t)sysconf(_SC_PAGESIZE) + task->memory_bytes, 0);
    limit(RLIMIT_CPU, task->cpu_seconds, SECONDS_TO_END);
}

/* ---- Communities ----------------------------------------------------------------------------- */

static const double leiden_randomness = 0.01; /* the default of those who published it */

/* The function that igraph's Leiden optimises depends on node weights and resolution. It is
 * modularity when the weight of a vertex is its strength and the resolution is divided by the sum
 * of the strengths. */
static igraph_error_t run_leiden(const pci_igraph_task *task, const igraph_t *graph,
                                 const igraph_vector_t *weights, igraph_vector_int_t *communities)
{
    igraph_vector_t strengths;
    igraph_error_t error = igraph_vector_init(&strengths, 0);
    if (error == IGRAPH_SUCCESS)
        error =
            igraph_strength(graph, &strengths, igraph_vss_all(), IGRAPH_ALL, IGRAPH_LOOPS, weights);
    if (error != IGRAPH_SUCCESS) /* the process ends, and its memory with it */
        return error;
    igraph_integer_t n_communities;
    double resolution = task->resolution / igraph_vector_sum(&strengths), quality;
    error = igraph_community_leiden(graph, weights, &strengths, resolution, leiden_randomness,
                                    false, (igraph_integer_t)task->n_iterations, communities,
                                    &n_communities, &quality);
    igraph_vector_destroy(&strengths);
    return error;
}

/* The words behind the task get the communities, which depend on the seed alone. igraph looks at the edges where they
 * are. After a failure the process ends, and its memory with it. */
static pc_status detect(pc_context *context, pci_igraph_task *task)
{
    const igraph_integer_t n = (igraph_integer_t)task->n_vertices;
    const igraph_integer_t n_edges = (igraph_integer_t)task->n_edges;
    pci_igraph_guard guard;
    igraph_vector_int_t ends, communities;
    igraph_vector_t weights;
    igraph_t graph;
    igraph_rng_t own;
    igraph_error_t error;
    pci_igraph_enter(context, &guard);
    igraph_vector_int_view(&ends, (const igraph_integer_t *)task->word, 2 * n_edges);
    igraph_vector_view(&weights, (const double *)(task->word + 2 * n_edges), n_edges);
    if ((error = igraph_vector_int_init(&communities, 0)) == IGRAPH_SUCCESS &&
        (error = igraph_create(&graph, &ends, n, IGRAPH_UNDIRECTED)) == IGRAPH_SUCCESS &&
        (error = igraph_rng_init(&own, &igraph_rngtype_pcg32)) == IGRAPH_SUCCESS &&
        (error = igraph_rng_seed(&own, task->seed)) == IGRAPH_SUCCESS) {
        igraph_rng_set_default(&own);
        error = task->is_leiden ? run_leiden(task, &graph, &weights, &communities)
                                : igraph_community_multilevel(&graph, &weights, task->resolution,
                                                              &communities, NULL, NULL);
    }
    for (igraph_integer_t v = 0; v < n && error == IGRAPH_SUCCESS; v++)
        task->word[3 * n_edges + v] = (uint64_t)VECTOR(communities)[v];
    pc_status status = error == IGRAPH_SUCCESS ? PC_OK : pci_igraph_fail_call(&guard);
    pci_igraph_leave(&guard);
    return status;
}

/* Keys of the terminal reach this process too; the one that started it decides what they mean, and this
 * one ends with it. A crash leaves no file. */
int main(void)
{
    const struct rlimit none = {0, 0};
    struct stat about;
    pc_context *context;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    setrlimit(RLIMIT_CORE, &none);
    if (fstat(PCI_IGRAPH_FILE, &about) != 0 || (size_t)about.st_size < sizeof(pci_igraph_task))
        return CODE_GIVEN_UP;
    pci_igraph_task *task =
        mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, PCI_IGRAPH_FILE, 0);
    if (task == MAP_FAILED)
        return CODE_GIVEN_UP;
    if (strncmp(task->build, PCI_IGRAPH_BUILD, sizeof task->build) != 0)
        return PCI_IGRAPH_OTHER_BUILD;
    limit_process(task);
    bool is_ready = pc_context_create(&context) == PC_OK;
    task->status = is_ready ? (uint32_t)detect(context, task) : PC_ERR_MEMORY;
    snprintf(task->text, sizeof task->text, "%s",
             is_ready ? pc_context_message(context) : "out of memory in igraph's process");
    task->is_answered = 1;
    if (is_ready)
        pc_context_free(context);
    return 0;
}
