/* Files that are complete or not there. Descriptors of the folder are kept, so that a change of the
 * working directory on the way does no harm. */
#define _GNU_SOURCE /* O_PATH */
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_NAME_BYTES = 40, MAX_TRIES = 100, COPY_BYTES = 1 << 20 };

struct pc_output {
    pc_context *context;
    int folder; /* descriptors; -1: not open */
    int file;
    char temporary[TEMPORARY_NAME_BYTES]; /* in the folder; "" when there is none */
    char *name;                           /* in the folder: the last part of target */
    char *target;                         /* path with links followed */
    char path[];                          /* as given, for messages */
};

/* Says that something about the output failed and why, from errno. */
static pc_status fail_with_errno(const pc_output *output, pc_status status, const char *what)
{
    char reason[128];
    return pci_fail(output->context, status, "cannot %s '%s': %s", what, output->path,
                    strerror_r(errno, reason, sizeof reason));
}

/* Opens the folder of the target and finds its name there. */
static pc_status open_folder(pc_output *output)
{
    char *slash = strrchr(output->target, '/');
    output->name = slash ? slash + 1 : output->target;
    if (!slash) {
        output->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    } else {
        char after = output->name[0];
        output->name[0] = '\0'; /* the path of the folder with its slash */
        output->folder = open(output->target, O_PATH | O_DIRECTORY | O_CLOEXEC);
        output->name[0] = after;
    }
    return output->folder >= 0 ? PC_OK : fail_with_errno(output, PC_ERR_CREATE, "create");
}

/* Refuses to replace what is no plain file or is write-protected; tells the permissions, or none
 * when there is nothing to replace. */
static pc_status inspect_target(const pc_output *output, bool *exists, mode_t *permissions)
{
    struct stat info;
    *exists = fstatat(output->folder, output->name, &info, 0) == 0;
    if (!*exists)
        return errno == ENOENT ? PC_OK : fail_with_errno(output, PC_ERR_CREATE, "create");
    *permissions = info.st_mode & 07777;
    if (!S_ISREG(info.st_mode))
        return pci_fail(output->context, PC_ERR_CREATE, "cannot create '%s': it is %s",
                        output->path, S_ISDIR(info.st_mode) ? "a folder" : "no plain file");
    if (faccessat(output->folder, output->name, W_OK, AT_EACCESS) != 0)
        return fail_with_errno(output, PC_ERR_CREATE, "replace");
    return PC_OK;
}

static pc_status create_temporary(pc_output *output)
{
    for (int tries = 0; tries < MAX_TRIES && output->file < 0; tries++) {
        uint64_t number;
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
            break;
        snprintf(output->temporary, sizeof output->temporary, ".pathcount-%016" PRIx64 ".tmp",
                 number);
        output->file =
            openat(output->folder, output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->file < 0 && errno != EEXIST)
            break;
    }
    if (output->file >= 0)
        return PC_OK;
    output->temporary[0] = '\0';
    return fail_with_errno(output, PC_ERR_CREATE, "create");
}

/* An output with its two paths in place and nothing open. */
static pc_output *make_output(pc_context *context, const char *path)
{
    char resolved[PATH_MAX];
    const char *target = realpath(path, resolved) ? resolved : path;
    size_t path_bytes = strlen(path) + 1, target_bytes = strlen(target) + 1;
    pc_output *output = pci_alloc_zero(context, 1, sizeof *output + path_bytes + target_bytes);
    if (!output)
        return NULL;
    output->context = context;
    output->folder = output->file = -1;
    memcpy(output->path, path, path_bytes);
    output->target = output->path + path_bytes;
    memcpy(output->target, target, target_bytes);
    return output;
}

pc_status pc_output_open(pc_context *context, const char *path, pc_output **output)
{
    if (!context || !path || !output)
        return pci_fail_null(context, "path or output");
    bool exists = false;
    mode_t permissions = 0;
    pc_output *made = make_output(context, path);
    if (!made)
        return pci_fail_memory(context, "the output file", sizeof *made);
    pc_status status = open_folder(made);
    if (status == PC_OK)
        status = inspect_target(made, &exists, &permissions);
    if (status == PC_OK)
        status = create_temporary(made);
    if (status == PC_OK && exists && fchmod(made->file, permissions) != 0)
        status = fail_with_errno(made, PC_ERR_CREATE, "set the permissions of");
    if (status == PC_OK)
        *output = made;
    else
        pc_output_free(made);
    return status;
}

pc_status pc_output_write(pc_output *output, const void *bytes, size_t n_bytes)
{
    if (!output || (!bytes && n_bytes > 0))
        return pci_fail_null(output ? output->context : NULL, "bytes");
    const char *next = bytes;
    while (n_bytes > 0) {
        ssize_t n_written = write(output->file, next, n_bytes);
        if (n_written < 0 && errno == EINTR)
            continue;
        if (n_written < 0)
            return fail_with_errno(output, PC_ERR_IO, "write to");
        next += n_written;
        n_bytes -= (size_t)n_written;
    }
    return PC_OK;
}

int pc_output_descriptor(const pc_output *output)
{
    return output ? output->file : -1;
}

pc_status pci_output_patch(pc_output *output, uint64_t offset, const void *bytes, size_t n_bytes)
{
    if (lseek(output->file, (off_t)offset, SEEK_SET) < 0)
        return fail_with_errno(output, PC_ERR_IO, "write to");
    pc_status status = pc_output_write(output, bytes, n_bytes);
    if (status == PC_OK && lseek(output->file, 0, SEEK_END) < 0)
        status = fail_with_errno(output, PC_ERR_IO, "write to");
    return status;
}

pc_status pci_output_append(pc_output *output, const pc_output *from)
{
    pc_status status = PC_OK;
    off_t offset = 0;
    char *buffer = pci_alloc(output->context, COPY_BYTES);
    if (!buffer)
        return pci_fail_memory(output->context, "copying the output", COPY_BYTES);
    while (status == PC_OK) {
        ssize_t n_read = pread(from->file, buffer, COPY_BYTES, offset);
        if (n_read < 0 && errno == EINTR)
            continue;
        if (n_read < 0)
            status = fail_with_errno(from, PC_ERR_IO, "read back");
        if (n_read <= 0)
            break;
        status = pc_output_write(output, buffer, (size_t)n_read);
        offset += n_read;
    }
    pci_free(output->context, buffer);
    return status;
}

pc_status pc_output_commit(pc_output *output)
{
    if (!output)
        return PC_ERR_ARGUMENT;
    pc_status status = PC_OK;
    int file = output->file;
    output->file = -1;
    if (close(file) != 0) /* some file systems tell only here that the disk is full */
        status = fail_with_errno(output, PC_ERR_IO, "finish");
    else if (renameat(output->folder, output->temporary, output->folder, output->name) != 0)
        status = fail_with_errno(output, PC_ERR_IO, "finish");
    else
        output->temporary[0] = '\0';
    pc_output_free(output);
    return status;
}

void pc_output_free(pc_output *output)
{
    if (!output)
        return;
    if (output->file >= 0)
        close(output->file);
    if (output->temporary[0])
        unlinkat(output->folder, output->temporary, 0);
    if (output->folder >= 0)
        close(output->folder);
    pci_free(output->context, output);
}
