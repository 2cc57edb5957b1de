/* Written under another name in the same folder, then renamed. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/look/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static pc_status fail(pc_context *context, pc_status status, const char *what, const char *path,
                      const char *why)
{
    char sentence[512];
    snprintf(sentence, sizeof sentence, "cannot %s '%s': %s", what, path, why);
    return pc_context_fail(context, status, sentence);
}

/* What is no plain file, or is write-protected, is not replaced. *permissions are those of the file
 * that is there. */
static pc_status inspect(pc_context *context, const cli_whole_file *file, mode_t *permissions)
{
    struct stat info;
    *permissions = 0;
    if (stat(file->target, &info) != 0)
        return errno == ENOENT
                   ? PC_OK
                   : fail(context, PC_ERR_CREATE, "create", file->path, strerror(errno));
    *permissions = info.st_mode & 07777;
    if (!S_ISREG(info.st_mode))
        return fail(context, PC_ERR_CREATE, "create", file->path,
                    S_ISDIR(info.st_mode) ? "it is a folder" : "it is no plain file");
    if (access(file->target, W_OK) != 0)
        return fail(context, PC_ERR_CREATE, "replace", file->path, strerror(errno));
    return PC_OK;
}

/* "folder/.pathcount-0123456789abcdef.tmp" */
static bool name_temporary(cli_whole_file *file)
{
    uint64_t number;
    const char *slash = strrchr(file->target, '/');
    int folder = slash == NULL ? 0 : (int)(slash + 1 - file->target);
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return false;
    return asprintf(&file->temporary, "%.*s.pathcount-%016" PRIx64 ".tmp", folder, file->target,
                    number) >= 0;
}

static pc_status create(pc_context *context, cli_whole_file *file)
{
    mode_t permissions;
    pc_status status = inspect(context, file, &permissions);
    if (status != PC_OK)
        return status;
    if (!name_temporary(file)) {
        file->temporary = NULL;
        return pc_context_fail(context, PC_ERR_MEMORY, "no memory for the name of a file");
    }
    int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        status = fail(context, PC_ERR_CREATE, "create", file->path, strerror(errno));
        free(file->temporary);
        file->temporary = NULL;
        return status;
    }
    if (permissions != 0)
        (void)!fchmod(fd, permissions);
    file->descriptor = fd;
    return PC_OK;
}

pc_status cli_whole_file_open(pc_context *context, const char *path, cli_whole_file *file)
{
    *file = (cli_whole_file){.path = path, .descriptor = -1};
    file->target = realpath(path, NULL);
    if (file->target == NULL)
        file->target = strdup(path);
    pc_status status = file->target != NULL ? create(context, file)
                                            : pc_context_fail(context, PC_ERR_MEMORY,
                                                              "no memory for the name of a file");
    if (status != PC_OK)
        cli_whole_file_free(file);
    return status;
}

static bool write_all(int descriptor, const char *bytes, size_t n_bytes)
{
    while (n_bytes > 0) {
        ssize_t n_written = write(descriptor, bytes, n_bytes);
        if (n_written < 0 && errno == EINTR)
            continue;
        if (n_written < 0)
            return false;
        bytes += n_written;
        n_bytes -= (size_t)n_written;
    }
    return true;
}

pc_status cli_whole_file_commit(pc_context *context, cli_whole_file *file, const char *bytes,
                                size_t n_bytes)
{
    pc_status status = PC_OK;
    if (!write_all(file->descriptor, bytes, n_bytes)) {
        status = fail(context, PC_ERR_IO, "write to", file->path, strerror(errno));
    } else {
        int closed = close(file->descriptor); /* some file systems tell only here of a full disk */
        file->descriptor = -1;
        if (closed != 0 || rename(file->temporary, file->target) != 0) {
            status = fail(context, PC_ERR_IO, "finish", file->path, strerror(errno));
        } else {
            free(file->temporary);
            file->temporary = NULL;
        }
    }
    cli_whole_file_free(file);
    return status;
}

void cli_whole_file_free(cli_whole_file *file)
{
    if (file->temporary != NULL) {
        if (file->descriptor >= 0)
            close(file->descriptor);
        unlink(file->temporary);
    }
    free(file->temporary);
    free(file->target);
    *file = (cli_whole_file){.descriptor = -1};
}
