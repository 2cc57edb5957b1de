/* The datasets of a folder: the files in it that are called like graphs, by name. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/batch/job_names.h"
#include "src/cli/batch/job_sources.h"
#include "src/cli/exit_codes.h"
#include "src/cli/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct names {
    char **name;
    size_t n, capacity;
    uint64_t n_folders;
    uint64_t n_others;
    char *other; /* one that was passed over; NULL */
} names;

static void free_names(names *found)
{
    for (size_t i = 0; i < found->n; i++)
        free(found->name[i]);
    free(found->name);
    free(found->other);
}

static bool take_name(names *found, const char *name)
{
    if (found->n == found->capacity) {
        size_t capacity = found->capacity > 0 ? 2 * found->capacity : 64;
        char **grown = realloc(found->name, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        found->name = grown;
        found->capacity = capacity;
    }
    found->name[found->n] = strdup(name);
    return found->name[found->n++] != NULL;
}

static bool is_folder(DIR *folder, const char *name)
{
    struct stat info;
    return fstatat(dirfd(folder), name, &info, 0) == 0 && S_ISDIR(info.st_mode);
}

/* The first name of what is passed over, in the order of strcmp, so that the note is always the same. */
static void pass_over(names *found, const char *name)
{
    found->n_others++;
    if (found->other == NULL || strcmp(name, found->other) < 0) {
        free(found->other);
        found->other = strdup(name);
    }
}

/* Files that are hidden are none of the user's: nothing is said of them. False with errno. */
static bool read_names(DIR *folder, names *found)
{
    const struct dirent *entry;
    for (errno = 0; (entry = readdir(folder)) != NULL; errno = 0) {
        const char *name = entry->d_name;
        if (name[0] == '.')
            continue;
        if (is_folder(folder, name))
            found->n_folders++;
        else if (!cli_job_is_graph_name(name))
            pass_over(found, name);
        else if (!take_name(found, name))
            return false;
    }
    return errno == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_names(cli_jobs *jobs, const cli_batch_options *options, const char *folder,
                     const names *found)
{
    size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    int code = CLI_DONE;
    qsort(found->name, found->n, sizeof *found->name, by_name);
    for (size_t i = 0; i < found->n && code == CLI_DONE; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s%s%s", folder, slash, found->name[i]) < 0)
            return cli_fail_for_memory();
        code = cli_jobs_add(jobs, options, &(cli_dataset){.path = path});
        free(path);
    }
    return code;
}

/* Results among the datasets would be datasets of the next run. */
static bool is_same(const char *path, const char *other)
{
    struct stat one, two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

static int report_names(const cli_batch_options *options, const char *folder, const names *found)
{
    if (found->n == 0)
        return cli_fail(CLI_NO_INPUT,
                        "'%s' holds no file that is called like a graph, such as "
                        "graph.txt, graph.mtx or graph.gml.gz",
                        folder);
    if (found->n_folders > 0 && !options->count.running.is_quiet)
        fprintf(stderr, "%s: %" PRIu64 " folder%s in it not looked into\n", folder,
                found->n_folders, found->n_folders == 1 ? "" : "s");
    if (found->n_others > 0 && !options->count.running.is_quiet) {
        fprintf(stderr, "%s: %" PRIu64 " skipped, not called like a graph file: ", folder,
                found->n_others);
        cli_print_shown(stderr, found->other != NULL ? found->other : "");
        fputs(found->n_others > 1 ? ", ...\n" : "\n", stderr);
    }
    return CLI_DONE;
}

int cli_jobs_add_folder(cli_jobs *jobs, const cli_batch_options *options, const char *folder)
{
    names found = {0};
    if (is_same(folder, options->folder))
        return cli_fail(CLI_USAGE,
                        "'%s' is the folder of the results too: they would become "
                        "datasets of the next run; choose another --out",
                        folder);
    DIR *opened = opendir(folder);
    if (opened == NULL)
        return cli_fail(CLI_NO_INPUT, "cannot open '%s': %s", folder, strerror(errno));
    int code = CLI_DONE;
    if (!read_names(opened, &found))
        code = cli_fail(CLI_IO, "cannot read '%s': %s", folder, strerror(errno));
    closedir(opened);
    if (code == CLI_DONE)
        code = report_names(options, folder, &found);
    if (code == CLI_DONE)
        code = add_names(jobs, options, folder, &found);
    free_names(&found);
    return code;
}
