/* pathcount_igraph_child: the process that igraph runs in. It takes one task from its connection, works within
 * the limits of the task, sends the answer and ends. Only pci_igraph_ask starts it. */
#include "graphs/igraph_child.h"
#include "graphs/igraph_detect.h"
#include "graphs/igraph_parse.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

static void limit_process(const pci_igraph_header *header)
{
    uint64_t n_bytes = present_bytes() + header->memory_bytes;
    if (!IS_SANITIZED)
        limit(RLIMIT_DATA, n_bytes, n_bytes);
    limit(RLIMIT_CPU, header->cpu_seconds, header->cpu_seconds + SECONDS_TO_END);
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

static bool send_answer(pci_igraph_message *answer)
{
    pci_igraph_message_sign(answer);
    bool is_sent = send_all(&answer->header, sizeof answer->header);
    for (int p = 0; p < PCI_IGRAPH_PARTS && is_sent; p++)
        is_sent = send_all(answer->part[p], answer->header.n_bytes[p]);
    return is_sent;
}

static bool send_failure(const char *message, pc_status status)
{
    pci_igraph_message answer = {.header = {.status = (uint32_t)status}};
    size_t n_bytes = strlen(message);
    pci_igraph_message_put(&answer, PCI_IGRAPH_TEXT, message,
                           n_bytes < PCI_IGRAPH_TEXT_BYTES ? n_bytes : PCI_IGRAPH_TEXT_BYTES);
    return send_answer(&answer);
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static size_t labels_bytes(const igraph_strvector_t *labels)
{
    size_t n_bytes = 0;
    for (igraph_integer_t v = 0; v < igraph_strvector_size(labels); v++)
        n_bytes += strlen(igraph_strvector_get(labels, v)) + 1;
    return n_bytes;
}

static bool send_edges(const pci_igraph_parsing *job)
{
    const pci_igraph_edges *edges = &job->edges;
    pci_igraph_message answer = {.header = {.n_vertices = edges->n_vertices,
                                            .direction = (uint32_t)job->stated,
                                            .drops_weights = job->weights_ignored}};
    size_t n_bytes = labels_bytes(&edges->labels);
    char *labels = malloc(n_bytes + 1), *to = labels;
    if (!labels)
        return send_failure("out of memory for labels", PC_ERR_MEMORY);
    for (igraph_integer_t v = 0; v < igraph_strvector_size(&edges->labels); v++)
        to = stpcpy(to, igraph_strvector_get(&edges->labels, v)) + 1;
    uint64_t ends_bytes = 2 * edges->n_edges * sizeof(uint64_t);
    pci_igraph_message_put(&answer, PCI_IGRAPH_TEXT, edges->note, strlen(edges->note));
    pci_igraph_message_put(&answer, PCI_IGRAPH_NUMBERS, VECTOR(edges->ends), ends_bytes);
    if (edges->has_weights)
        pci_igraph_message_put(&answer, PCI_IGRAPH_WEIGHTS, VECTOR(edges->weights), ends_bytes / 2);
    pci_igraph_message_put(&answer, PCI_IGRAPH_LABELS, labels, n_bytes);
    bool is_sent = send_answer(&answer);
    free(labels);
    return is_sent;
}

static bool do_reading(pc_context *context, const pci_igraph_message *task)
{
    const pci_igraph_header *header = &task->header;
    pci_igraph_parsing job = {.context = context,
                              .path = task->part[PCI_IGRAPH_TEXT],
                              .format = pci_igraph_format_at(header->format),
                              .options = {.direction = (pc_direction)header->direction,
                                          .weights = (int)header->uses_weights,
                                          .real_weights = header->takes_decimals != 0,
                                          .max_vertices = header->max_vertices}};
    pc_status status =
        pci_igraph_parse(&job, task->part[PCI_IGRAPH_NUMBERS], header->n_bytes[PCI_IGRAPH_NUMBERS]);
    bool is_sent =
        status == PC_OK ? send_edges(&job) : send_failure(pc_context_message(context), status);
    pci_igraph_edges_destroy(&job.edges);
    return is_sent;
}

static bool do_communities(pc_context *context, const pci_igraph_message *task)
{
    uint64_t n_bytes = task->header.n_vertices * sizeof(uint64_t);
    uint64_t *block = malloc(n_bytes + 1);
    pci_igraph_message answer = {0};
    if (!block)
        return send_failure("out of memory for communities", PC_ERR_MEMORY);
    pci_igraph_message_put(&answer, PCI_IGRAPH_NUMBERS, block, n_bytes);
    pc_status status = pci_igraph_detect(context, task, block);
    bool is_sent =
        status == PC_OK ? send_answer(&answer) : send_failure(pc_context_message(context), status);
    free(block);
    return is_sent;
}

int main(void)
{
    pci_igraph_message task = {0};
    pc_context *context;
    settle();
    if (!receive(&task.header, sizeof task.header))
        return CODE_GIVEN_UP;
    if (!pci_igraph_message_is_ours(&task.header))
        return PCI_IGRAPH_OTHER_BUILD;
    limit_process(&task.header);
    bool is_received = pci_igraph_message_reserve(&task);
    for (int p = 0; p < PCI_IGRAPH_PARTS && is_received; p++)
        is_received = receive(task.part[p], task.header.n_bytes[p]);
    if (!is_received || pc_context_create(&context) != PC_OK)
        return send_failure("out of memory in igraph's process", PC_ERR_MEMORY) ? 0 : CODE_GIVEN_UP;
    pc_context_set_memory_limit(context, task.header.memory_bytes);
    bool is_done = task.header.kind == PCI_IGRAPH_READ ? do_reading(context, &task)
                                                       : do_communities(context, &task);
    pc_context_free(context);
    pci_igraph_message_free(&task);
    return is_done ? 0 : CODE_GIVEN_UP;
}
