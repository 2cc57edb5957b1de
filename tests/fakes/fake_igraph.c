/* An igraph that misbehaves, for tests of the process that it runs in: loaded before igraph (LD_PRELOAD),
 * it takes the place of Leiden. FAKE_IGRAPH says what it does:
 *
 *   crash abort exit    ends the process
 *   hang spin           never returns, without and with CPU time
 *   nap                 sleeps half a second, then does as igraph does
 *   memory              takes memory until there is none, and dies of that
 *   print               prints, changes locale, folder and umask, leaks, then does as igraph does
 *   files               fails, and its message lists the files that are open
 *   none block status   answers by itself: not at all, with contents that cannot be right
 *   full                gets no memory
 *   limit               fails, and its message is the limit of memory
 *   right               answers by itself, as it should */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "io/igraph/message.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <igraph/igraph.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is(const char *what)
{
    const char *asked = getenv("FAKE_IGRAPH");
    return asked && strcmp(asked, what) == 0;
}

static _Noreturn void take_all_memory(void)
{
    enum { BLOCK_BYTES = 1 << 20 };
    for (char *block; (block = malloc(BLOCK_BYTES)) != NULL;)
        memset(block, 1, BLOCK_BYTES);
    abort();
}

static void misbehave(void)
{
    if (is("crash"))
        raise(SIGSEGV);
    if (is("abort"))
        abort();
    if (is("exit"))
        exit(0);
    while (is("hang"))
        pause();
    for (volatile bool goes_on = is("spin"); goes_on;)
        ;
    if (is("nap"))
        usleep(500000);
    if (is("memory"))
        take_all_memory();
}

static igraph_error_t list_files(void)
{
    char text[256] = "open:";
    for (int file = 0; file < 1024; file++)
        if (fcntl(file, F_GETFD) >= 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), " %d", file);
    IGRAPH_ERROR(text, IGRAPH_EINVAL);
}

static igraph_error_t tell_limit(void)
{
    char text[64];
    struct rlimit limit = {0, 0};
    getrlimit(RLIMIT_DATA, &limit);
    snprintf(text, sizeof text, "limit: %llu", (unsigned long long)limit.rlim_cur);
    IGRAPH_ERROR(text, IGRAPH_EINVAL);
}

/* ---- Answers of its own ---------------------------------------------------------------------- */

/* Three vertices, the first in a community of its own; and what is asked to be wrong with that. */
static void answer(void)
{
    struct stat about;
    if (fstat(PCI_IGRAPH_FILE, &about) != 0)
        abort();
    pci_igraph_task *task =
        mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, PCI_IGRAPH_FILE, 0);
    uint64_t *block = task->word + 3 * task->n_edges;
    block[0] = 0;
    block[1] = 1;
    block[2] = is("block") ? 3 : 1;
    task->status = is("status") ? PC_ERR_CANCELLED : PC_OK;
    task->is_answered = !is("none");
    _exit(0);
}

/* ---- In place of igraph ---------------------------------------------------------------------- */

igraph_error_t igraph_community_leiden(const igraph_t *graph, const igraph_vector_t *edge_weights,
                                       const igraph_vector_t *node_weights,
                                       igraph_real_t resolution, igraph_real_t beta,
                                       igraph_bool_t start, igraph_integer_t n_iterations,
                                       igraph_vector_int_t *membership,
                                       igraph_integer_t *n_clusters, igraph_real_t *quality)
{
    __typeof__(&igraph_community_leiden) find =
        (__typeof__(&igraph_community_leiden))dlsym(RTLD_NEXT, "igraph_community_leiden");
    misbehave();
    if (is("none") || is("block") || is("status") || is("right"))
        answer();
    if (is("full"))
        IGRAPH_ERROR("the fake has no memory", IGRAPH_ENOMEM);
    if (is("files"))
        return list_files();
    if (is("limit"))
        return tell_limit();
    if (is("print")) {
        printf("printed\n");
        fprintf(stderr, "printed\n");
        setlocale(LC_ALL, "");
        umask(0777);
        if (chdir("/") != 0 || !malloc(1000))
            abort();
    }
    return find(graph, edge_weights, node_weights, resolution, beta, start, n_iterations,
                membership, n_clusters, quality);
}
