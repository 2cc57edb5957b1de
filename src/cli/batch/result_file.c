/* Standard output as a file of the library's kind, which takes its name when all of it is written. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/batch/result_file.h"

#include "src/cli/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    if (!print_to(open("/dev/null", O_WRONLY | O_CLOEXEC)))
        return false;
    fflush(stdout);
    clearerr(stdout);
    return true;
}

static pc_status fail_with_errno(const cli_result_file *result)
{
    int reason = errno;
    char *sentence = NULL;
    if (asprintf(&sentence, "cannot write to '%s': %s", result->path, strerror(reason)) < 0)
        return PC_ERR_IO;
    pc_status status = pc_context_fail(result->context, PC_ERR_IO, sentence);
    free(sentence);
    return status;
}

pc_status cli_result_begin(cli_result_file *result, const char *path, bool no_sync)
{
    *result = (cli_result_file){.path = path};
    pc_status status = pc_context_create(&result->context);
    if (status != PC_OK)
        return status;
    pc_context_set_sync(result->context, !no_sync);
    status = pc_output_open(result->context, path, &result->output);
    if (status == PC_OK && !print_to(dup(pc_output_descriptor(result->output))))
        status = fail_with_errno(result);
    return status;
}

static bool flush(void)
{
    int had_failed = ferror(stdout);
    errno = 0;
    if (fflush(stdout) == 0 && !had_failed)
        return true;
    errno = errno != 0 ? errno : EIO;
    return false;
}

pc_status cli_result_commit(cli_result_file *result)
{
    if (!flush())
        return fail_with_errno(result);
    pc_output *output = result->output;
    result->output = NULL;
    return pc_output_commit(output);
}

const char *cli_result_message(const cli_result_file *result)
{
    return result->context != NULL ? pc_context_message(result->context) : "";
}

void cli_result_drop(cli_result_file *result)
{
    if (result->path == NULL)
        return;
    cli_result_ignore();
    pc_output_free(result->output);
    pc_context_free(result->context);
    *result = (cli_result_file){0};
}

static void remove_in(const char *folder, const char *name, const char *ending)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s%s", folder, name, ending) < 0)
        return;
    unlink(path);
    free(path);
}

void cli_result_remove(const char *folder, const char *name)
{
    remove_in(folder, name, "");
    remove_in(folder, name, CLI_RESULT_PICTURE);
}

void cli_results_clean(const char *folder)
{
    char *path = NULL;
    if (asprintf(&path, "%s/.", folder) < 0)
        return;
    cli_clean_beside(path);
    free(path);
}
