/* Standard output as a temporary file that takes its name when all of it is written. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/batch/result_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static const char PREFIX[] = ".pathcount-", SUFFIX[] = ".tmp";

static bool is_temporary(const char *name)
{
    size_t length = strlen(name), suffix = sizeof SUFFIX - 1;
    return strncmp(name, PREFIX, sizeof PREFIX - 1) == 0 && length > suffix &&
           strcmp(name + length - suffix, SUFFIX) == 0;
}

/* A path in the folder, to be free()d; NULL when out of memory. */
static char *path_in(const char *folder, const char *name, const char *ending)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s%s", folder, name, ending) >= 0 ? path : NULL;
}

static void remove_in(const char *folder, const char *name, const char *ending)
{
    char *path = path_in(folder, name, ending);
    if (path != NULL)
        unlink(path);
    free(path);
}

/* Makes file the standard output and closes it under its other number. */
static bool print_to(int file)
{
    if (file < 0)
        return false;
    bool is_done = dup2(file, STDOUT_FILENO) >= 0;
    int reason = errno;
    if (file != STDOUT_FILENO)
        close(file);
    errno = reason;
    return is_done;
}

bool cli_result_ignore(void)
{
    return print_to(open("/dev/null", O_WRONLY | O_CLOEXEC));
}

bool cli_result_begin(cli_result_file *result, const char *folder, const char *name)
{
    uint64_t number;
    *result = (cli_result_file){.folder = folder, .name = name};
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return false;
    snprintf(result->temporary, sizeof result->temporary, "%s%016" PRIx64 "%s", PREFIX, number,
             SUFFIX);
    char *path = path_in(folder, result->temporary, "");
    int file =
        path != NULL ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666) : -1;
    int reason = errno;
    free(path);
    errno = reason;
    if (file < 0)
        result->temporary[0] = '\0';
    return print_to(file);
}

/* All that was printed, to the disk. */
static bool flush(void)
{
    int had_failed = ferror(stdout);
    errno = 0;
    if (fflush(stdout) == 0 && !had_failed && fsync(STDOUT_FILENO) == 0)
        return true;
    errno = errno != 0 ? errno : EIO;
    return false;
}

static bool name_it(const cli_result_file *result)
{
    char *from = path_in(result->folder, result->temporary, "");
    char *to = path_in(result->folder, result->name, "");
    bool is_done = from != NULL && to != NULL && rename(from, to) == 0;
    int reason = errno;
    free(from);
    free(to);
    errno = reason;
    return is_done;
}

bool cli_result_commit(cli_result_file *result)
{
    bool is_done = flush() && name_it(result);
    int reason = errno;
    if (is_done)
        result->temporary[0] = '\0';
    cli_result_drop(result);
    errno = reason;
    return is_done;
}

void cli_result_drop(cli_result_file *result)
{
    fflush(stdout);
    clearerr(stdout); /* a job that comes after this one begins anew */
    cli_result_ignore();
    if (result->temporary[0] != '\0')
        remove_in(result->folder, result->temporary, "");
    result->temporary[0] = '\0';
}

void cli_result_remove(const char *folder, const char *name)
{
    remove_in(folder, name, "");
    remove_in(folder, name, CLI_RESULT_PICTURE);
}

void cli_results_clean(const char *folder)
{
    DIR *listing = opendir(folder);
    if (listing == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (is_temporary(entry->d_name))
            unlinkat(dirfd(listing), entry->d_name, 0);
    closedir(listing);
}
