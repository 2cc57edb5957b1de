/* pathcount_igraph_child: the process that igraph runs in. It takes one task from its connection, works within
 * the limits of the task, sends the answer and ends. Only pci_igraph_ask starts it: Leiden of igraph 0.10 crashes when
 * it gets no memory. */
#include "io/igraph/guard.h"
#include "io/igraph/message.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { CODE_GIVEN_UP = 1, SECONDS_TO_END = 5 };

typedef struct work {
    pci_igraph_task task;
    uint64_t *ends;  /* [n_edges][2] */
    double *weights; /* [n_edges] */
    uint64_t *block; /* [n_vertices] */
} work;

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

/* ---- The process ----------------------------------------------------------------------------- */

/* Keys of the terminal reach this process too; the one that started it decides what they mean, and this
 * one ends with it. A crash leaves no file. */
static void settle(void)
{
    const struct rlimit none = {0, 0};
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    setrlimit(RLIMIT_CORE, &none);
}

/* Private memory that this process has, the libraries' included. */
static uint64_t present_bytes(void)
{
    unsigned long n_pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file || fscanf(file, "%*u %*u %*u %*u %*u %lu", &n_pages) != 1)
        n_pages = 0;
    if (file)
        fclose(file);
    return n_pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* A limit that was there is not raised. */
static void limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return;
    now.rlim_max = hard < now.rlim_max ? hard : now.rlim_max;
    now.rlim_cur = soft < now.rlim_cur ? soft : now.rlim_cur;
    now.rlim_cur = now.rlim_cur < now.rlim_max ? now.rlim_cur : now.rlim_max;
    setrlimit(resource, &now);
}

static void limit_process(const pci_igraph_task *task)
{
    uint64_t n_bytes = present_bytes() + task->memory_bytes;
    if (!IS_SANITIZED)
        limit(RLIMIT_DATA, n_bytes, n_bytes);
    limit(RLIMIT_CPU, task->cpu_seconds, task->cpu_seconds + SECONDS_TO_END);
}

/* ---- Communities ----------------------------------------------------------------------------- */

static const double leiden_randomness = 0.01; /* the default of those who published it */

/* The input of igraph. All of it is freed in the end, whether it was made or not. */
typedef struct input {
    igraph_vector_int_t ends; /* from, to, from, to ... */
    igraph_vector_t weights;
    igraph_vector_t strengths; /* of vertices: the sum of their weights */
    igraph_vector_int_t communities;
    igraph_t graph;
    bool has_graph;
} input;

static igraph_error_t init_input(input *in)
{
    igraph_error_t error;
    memset(in, 0, sizeof *in); /* destroying a vector of zeros does nothing */
    if ((error = igraph_vector_int_init(&in->ends, 0)) ||
        (error = igraph_vector_init(&in->weights, 0)) ||
        (error = igraph_vector_init(&in->strengths, 0)))
        return error;
    return igraph_vector_int_init(&in->communities, 0);
}

static void destroy_input(input *in)
{
    if (in->has_graph)
        igraph_destroy(&in->graph);
    igraph_vector_int_destroy(&in->communities);
    igraph_vector_destroy(&in->strengths);
    igraph_vector_destroy(&in->weights);
    igraph_vector_int_destroy(&in->ends);
}

static igraph_error_t fill_edges(const work *w, input *in)
{
    uint64_t n_edges = w->task.n_edges;
    igraph_error_t error = igraph_vector_int_resize(&in->ends, 2 * (igraph_integer_t)n_edges);
    if (error == IGRAPH_SUCCESS)
        error = igraph_vector_resize(&in->weights, (igraph_integer_t)n_edges);
    if (error != IGRAPH_SUCCESS)
        return error;
    for (uint64_t i = 0; i < 2 * n_edges; i++)
        VECTOR(in->ends)[i] = (igraph_integer_t)w->ends[i];
    for (uint64_t e = 0; e < n_edges; e++)
        VECTOR(in->weights)[e] = w->weights[e];
    error = igraph_create(&in->graph, &in->ends, (igraph_integer_t)w->task.n_vertices,
                          IGRAPH_UNDIRECTED);
    in->has_graph = error == IGRAPH_SUCCESS;
    return error;
}

/* The function that igraph's Leiden optimises depends on node weights and resolution. It is
 * modularity when the weight of a vertex is its strength and the resolution is divided by the sum
 * of the strengths. */
static igraph_error_t run_leiden(const work *w, input *in)
{
    igraph_error_t error = igraph_strength(&in->graph, &in->strengths, igraph_vss_all(), IGRAPH_ALL,
                                           IGRAPH_LOOPS, &in->weights);
    if (error != IGRAPH_SUCCESS)
        return error;
    igraph_integer_t n_communities;
    double resolution = w->task.resolution / igraph_vector_sum(&in->strengths), quality;
    return igraph_community_leiden(&in->graph, &in->weights, &in->strengths, resolution,
                                   leiden_randomness, false, (igraph_integer_t)w->task.n_iterations,
                                   &in->communities, &n_communities, &quality);
}

static igraph_error_t run(const work *w, input *in)
{
    if (w->task.is_leiden)
        return run_leiden(w, in);
    return igraph_community_multilevel(&in->graph, &in->weights, w->task.resolution,
                                       &in->communities, NULL, NULL);
}

/* The result depends on the seed alone. */
static igraph_error_t run_seeded(const work *w, input *in)
{
    igraph_rng_t own;
    igraph_error_t error = igraph_rng_init(&own, &igraph_rngtype_pcg32);
    if (error != IGRAPH_SUCCESS)
        return error;
    error = igraph_rng_seed(&own, w->task.seed);
    if (error == IGRAPH_SUCCESS) {
        igraph_rng_set_default(&own);
        error = run(w, in);
    }
    igraph_rng_destroy(&own);
    return error;
}

/* w->block gets the communities. */
static pc_status detect(pc_context *context, work *w)
{
    pci_igraph_guard guard;
    input in;
    pc_status status = PC_OK;
    pci_igraph_enter(context, &guard);
    if (init_input(&in) || fill_edges(w, &in) || run_seeded(w, &in))
        status = pci_igraph_fail_call(&guard);
    for (uint64_t v = 0; v < w->task.n_vertices && status == PC_OK; v++)
        w->block[v] = (uint64_t)VECTOR(in.communities)[v];
    destroy_input(&in);
    pci_igraph_leave(&guard);
    return status;
}

/* ---- Messages -------------------------------------------------------------------------------- */

static bool receive(void *bytes, uint64_t n_bytes)
{
    char *at = bytes;
    while (n_bytes > 0) {
        ssize_t n = read(PCI_IGRAPH_CONNECTION, at, n_bytes);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        n_bytes -= n > 0 ? (uint64_t)n : 0;
        at += n > 0 ? n : 0;
    }
    return true;
}

static bool send_all(const void *bytes, uint64_t n_bytes)
{
    const char *at = bytes;
    while (n_bytes > 0) {
        ssize_t n = write(PCI_IGRAPH_CONNECTION, at, n_bytes);
        if (n < 0 && errno != EINTR)
            return false;
        n_bytes -= n > 0 ? (uint64_t)n : 0;
        at += n > 0 ? n : 0;
    }
    return true;
}

static bool send_answer(const work *w, pc_status status, const char *text)
{
    pci_igraph_answer answer = {.build = PCI_IGRAPH_BUILD, .status = (uint32_t)status};
    snprintf(answer.text, sizeof answer.text, "%s", text);
    return send_all(&answer, sizeof answer) &&
           (status != PC_OK || send_all(w->block, w->task.n_vertices * sizeof *w->block));
}

static bool receive_edges(work *w)
{
    uint64_t n = w->task.n_edges;
    w->ends = malloc(2 * n * sizeof *w->ends);
    w->weights = malloc(n * sizeof *w->weights);
    w->block = malloc(w->task.n_vertices * sizeof *w->block);
    return w->ends && w->weights && w->block && receive(w->ends, 2 * n * sizeof *w->ends) &&
           receive(w->weights, n * sizeof *w->weights);
}

int main(void)
{
    work w = {0};
    pc_context *context;
    settle();
    if (!receive(&w.task, sizeof w.task))
        return CODE_GIVEN_UP;
    if (strncmp(w.task.build, PCI_IGRAPH_BUILD, sizeof w.task.build) != 0)
        return PCI_IGRAPH_OTHER_BUILD;
    limit_process(&w.task);
    bool is_ready = receive_edges(&w) && pc_context_create(&context) == PC_OK;
    pc_status status = is_ready ? detect(context, &w) : PC_ERR_MEMORY;
    bool is_sent = send_answer(
        &w, status, is_ready ? pc_context_message(context) : "out of memory in igraph's process");
    if (is_ready)
        pc_context_free(context);
    free(w.ends);
    free(w.weights);
    free(w.block);
    return is_sent ? 0 : CODE_GIVEN_UP;
}
