/* Faults for tests of the workers: loaded before the library (LD_PRELOAD), it takes the place of
 * pc_graph_read and does as the file's name begins:
 *
 *   crash, abort, exit   ends by SIGSEGV, by abort(), by exit code 3
 *   hang                 does not come back
 *   slow                 takes 0.2 s longer
 *   hog                  takes memory until there is none, then gives up as GMP does
 *   lack                 ends as the command does when it gets no memory
 *   flaky                ends by SIGSEGV the first time, which a file of that name and ".was" notes
 *   change               another program writes the file anew first: of the same size, and as old
 *   swap                 another program puts the file of that name and ".other" in its place first
 *   gone                 another program removes the file first
 *   bit                  a bit of its path changes in memory when the folder of the results is made
 *
 * A call adds a line, "path process", to the file that BATCH_FAULTS_CALLS names, if it does. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "src/pathcount.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef char *(*strdup_fn)(const char *);
typedef int (*mkdir_fn)(const char *, mode_t);
typedef pc_status (*read_fn)(pc_context *, const char *, pc_format, const pc_graph_options *,
                             pc_graph **);

static void note_call(const char *path)
{
    const char *calls = getenv("BATCH_FAULTS_CALLS");
    int file = calls ? open(calls, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (file < 0)
        return;
    if (dprintf(file, "%s %ld\n", path, (long)getpid()) < 0)
        abort();
    close(file);
}

static void take_all_memory(void)
{
    enum { PIECE_BYTES = 16 << 20 };
    for (char *piece; (piece = malloc(PIECE_BYTES));)
        explicit_bzero(piece, PIECE_BYTES); /* which no compiler leaves out */
    fputs("hog: Cannot allocate memory\n", stderr);
    abort();
}

static bool is_first_time(const char *path)
{
    char *note = NULL;
    int file = asprintf(&note, "%s.was", path) > 0 ? open(note, O_CREAT | O_EXCL, 0666) : -1;
    free(note);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static void write_anew(const char *path)
{
    struct stat old;
    char text[64];
    int file = open(path, O_RDWR);
    ssize_t n = file >= 0 && fstat(file, &old) == 0 ? read(file, text, sizeof text) : -1;
    if (n < 1)
        abort();
    text[n - 2] = '0'; /* the last vertex */
    const struct timespec times[] = {old.st_atim, old.st_mtim};
    if (pwrite(file, text, (size_t)n, 0) != n || futimens(file, times) != 0)
        abort();
    close(file);
}

static void swap(const char *path)
{
    char *other = NULL;
    if (asprintf(&other, "%s.other", path) < 0 || rename(other, path) != 0)
        abort();
    free(other);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The paths of datasets are copied by strdup, before the folder is made. */
static char *path_to_change;

char *strdup(const char *text)
{
    char *copy = ((strdup_fn)dlsym(RTLD_NEXT, "strdup"))(text);
    if (copy && strncmp(name_of(text), "bit", 3) == 0)
        path_to_change = copy;
    return copy;
}

int mkdir(const char *path, mode_t mode)
{
    if (path_to_change)
        path_to_change[strlen(path_to_change) - 1] ^= 1;
    return ((mkdir_fn)dlsym(RTLD_NEXT, "mkdir"))(path, mode);
}

static void misbehave(const char *path)
{
    const char *name = name_of(path);
    if (strncmp(name, "crash", 5) == 0 || (strncmp(name, "flaky", 5) == 0 && is_first_time(path)))
        raise(SIGSEGV);
    if (strncmp(name, "abort", 5) == 0)
        abort();
    if (strncmp(name, "exit", 4) == 0)
        _exit(3);
    if (strncmp(name, "lack", 4) == 0) {
        fputs("pathcount: out of memory\n", stderr);
        exit(69);
    }
    if (strncmp(name, "slow", 4) == 0)
        usleep(200000);
    if (strncmp(name, "hog", 3) == 0)
        take_all_memory();
    if (strncmp(name, "change", 6) == 0)
        write_anew(path);
    if (strncmp(name, "swap", 4) == 0)
        swap(path);
    if (strncmp(name, "gone", 4) == 0)
        unlink(path);
    while (strncmp(name, "hang", 4) == 0)
        pause();
}

pc_status pc_graph_read(pc_context *context, const char *path, pc_format format,
                        const pc_graph_options *options, pc_graph **graph)
{
    read_fn read_graph = (read_fn)dlsym(RTLD_NEXT, "pc_graph_read");
    note_call(path);
    misbehave(path);
    return read_graph(context, path, format, options, graph);
}
