/* An igraph that misbehaves, for tests of the process that it runs in: loaded before igraph (LD_PRELOAD),
 * it takes the place of Leiden. FAKE_IGRAPH says what it does:
 *
 *   crash abort exit    ends the process
 *   hang spin           never returns, without and with CPU time
 *   nap                 sleeps half a second, then does as igraph does
 *   memory              takes memory until there is none, and dies of that
 *   print               prints, changes locale, folder and umask, leaks, then does as igraph does
 *   files               fails, and its message lists the files that are open
 *   none header short block status build
 *                       answers by itself: not at all, with part of a header, with too few communities,
 *                       with contents that cannot be right
 *   full                gets no memory for a vector
 *   limit               fails, and its message is the limit of memory
 *   flood               goes on sending after its answer
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

static void put(const void *bytes, size_t n_bytes)
{
    ssize_t ignored = write(PCI_IGRAPH_CONNECTION, bytes, n_bytes);
    (void)ignored;
}

/* Three vertices, the first in a community of its own; and what is asked to be wrong with that. */
static void answer(void)
{
    pci_igraph_answer answer = {.build = PCI_IGRAPH_BUILD};
    uint64_t block[] = {0, 1, is("block") ? 3 : 1};
    answer.status = is("status") ? PC_ERR_CANCELLED : PC_OK;
    answer.build[0] = is("build") ? 'P' : 'p';
    if (!is("none"))
        put(&answer, is("header") ? sizeof answer / 2 : sizeof answer);
    if (!is("none") && !is("header"))
        put(block, is("short") ? 16 : 24);
}

static bool answers_itself(void)
{
    static const char *const kinds[] = {"none",   "header", "short", "block",
                                        "status", "build",  "flood", "right"};
    bool is_one = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        is_one = is_one || is(kinds[i]);
    if (is_one)
        answer();
    while (is("flood"))
        put("more", 4);
    return is_one;
}

/* ---- In place of igraph ---------------------------------------------------------------------- */

igraph_error_t igraph_vector_int_resize(igraph_vector_int_t *vector, igraph_integer_t n)
{
    igraph_error_t (*resize)(igraph_vector_int_t *, igraph_integer_t) = (igraph_error_t(*)(
        igraph_vector_int_t *, igraph_integer_t))dlsym(RTLD_NEXT, "igraph_vector_int_resize");
    if (is("full"))
        IGRAPH_ERROR("the fake has no memory", IGRAPH_ENOMEM);
    return resize(vector, n);
}

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
    if (answers_itself())
        _exit(0);
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
