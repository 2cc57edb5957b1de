/* Files that are complete or do not exist. The descriptor of the folder is kept, so that neither a
 * change of the working directory nor an exchanged link in the path matters. */
#define _GNU_SOURCE /* O_PATH */
#include "io/output.h"

#include "io/resolve.h"
#include "io/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_BYTES = 1 << 20, PERMISSIONS = 0777 };

struct pc_output {
    pc_context *context;
    pci_place target;
    pci_temporary temporary;
    char path[]; /* as given, for messages */
};

/* Fails with a message: what could not be done to the output, and why, from errno. */
static pc_status fail_with_errno(const pc_output *output, pc_status status, const char *what)
{
    char reason[128];
    return pci_fail(output->context, status, "cannot %s '%s': %s", what, output->path,
                    strerror_r(errno, reason, sizeof reason));
}

/* Refuses to replace a target that is no plain file or is write-protected. */
static pc_status inspect_target(const pc_output *output)
{
    const pci_place *target = &output->target;
    struct stat info;
    if (fstatat(target->folder, target->name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? PC_OK : fail_with_errno(output, PC_ERR_CREATE, "create");
    if (!S_ISREG(info.st_mode))
        return pci_fail(output->context, PC_ERR_CREATE, "cannot create '%s': it is %s",
                        output->path, S_ISDIR(info.st_mode) ? "a folder" : "no plain file");
    if (faccessat(target->folder, target->name, W_OK, AT_EACCESS) != 0)
        return fail_with_errno(output, PC_ERR_CREATE, "replace");
    return PC_OK;
}

static pc_status open_output(pc_output *output)
{
    pc_status status = pci_path_resolve(output->context, output->path, &output->target);
    if (status == PC_OK)
        status = inspect_target(output);
    if (status == PC_OK && !pci_temporary_create(output->target.folder, &output->temporary))
        status = fail_with_errno(output, PC_ERR_CREATE, "create");
    return status;
}

pc_status pc_output_open(pc_context *context, const char *path, pc_output **output)
{
    if (!context || !path || !output)
        return pci_fail_null(context, "path or output");
    size_t path_bytes = strlen(path) + 1;
    pc_output *made = pci_alloc_zero(context, 1, sizeof *made + path_bytes);
    if (!made)
        return pci_fail_memory(context, "the output file", sizeof *made);
    made->context = context;
    made->target.folder = made->temporary.file = -1;
    memcpy(made->path, path, path_bytes);
    pc_status status = open_output(made);
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
        ssize_t n_written = write(output->temporary.file, next, n_bytes);
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
    return output ? output->temporary.file : -1;
}

pc_status pci_output_patch(pc_output *output, uint64_t offset, const void *bytes, size_t n_bytes)
{
    if (lseek(output->temporary.file, (off_t)offset, SEEK_SET) < 0)
        return fail_with_errno(output, PC_ERR_IO, "write to");
    pc_status status = pc_output_write(output, bytes, n_bytes);
    if (status == PC_OK && lseek(output->temporary.file, 0, SEEK_END) < 0)
        status = fail_with_errno(output, PC_ERR_IO, "write to");
    return status;
}

pc_status pci_output_read(const pc_output *output, uint64_t offset, void *bytes, size_t n_bytes)
{
    for (size_t n_read = 0; n_read < n_bytes;) {
        errno = 0;
        ssize_t n = pread(output->temporary.file, (char *)bytes + n_read, n_bytes - n_read,
                          (off_t)(offset + n_read));
        if (n <= 0 && errno != EINTR)
            return fail_with_errno(output, PC_ERR_IO, "read back");
        n_read += n > 0 ? (size_t)n : 0;
    }
    return PC_OK;
}

pc_status pci_output_append(pc_output *output, const pc_output *from)
{
    pc_status status = PC_OK;
    off_t offset = 0;
    char *buffer = pci_alloc(output->context, COPY_BYTES);
    if (!buffer)
        return pci_fail_memory(output->context, "copying the output", COPY_BYTES);
    while (status == PC_OK) {
        ssize_t n_read = pread(from->temporary.file, buffer, COPY_BYTES, offset);
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

/* The permissions of the file to replace are kept when it belongs to us. Another owner chose them
 * for a file of his own. */
static mode_t find_permissions(const pc_output *output)
{
    const pci_place *target = &output->target;
    struct stat old;
    bool is_ours = fstatat(target->folder, target->name, &old, AT_SYMLINK_NOFOLLOW) == 0 &&
                   S_ISREG(old.st_mode) && old.st_uid == geteuid();
    return is_ours ? old.st_mode & PERMISSIONS : output->temporary.default_mode;
}

/* A file system without permissions refuses to set them; then the permissions are right already. */
static bool set_permissions(const pc_output *output)
{
    struct stat info;
    mode_t wanted = find_permissions(output);
    int file = output->temporary.file;
    return fstat(file, &info) == 0 &&
           ((info.st_mode & PERMISSIONS) == wanted || fchmod(file, wanted) == 0);
}

/* Some kinds of files and folders cannot be synced. */
static bool sync_descriptor(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == EOPNOTSUPP;
}

/* Some file systems report a full disk only when a file is closed. So a copy of the descriptor is
 * closed; closing the last one would release the lock. */
static bool finish_writing(const pc_output *output)
{
    int file = output->temporary.file;
    bool is_synced = output->context->no_sync || sync_descriptor(file);
    return is_synced && close(dup(file)) == 0;
}

/* A folder that may not be read cannot be opened, and thus not be synced. */
static bool sync_folder(const pc_output *output)
{
    if (output->context->no_sync)
        return true;
    int folder = openat(output->target.folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return errno == EACCES;
    bool is_synced = sync_descriptor(folder);
    int reason = errno;
    close(folder);
    errno = reason;
    return is_synced;
}

static pc_status give_name(pc_output *output)
{
    const pci_place *target = &output->target;
    if (!set_permissions(output))
        return fail_with_errno(output, PC_ERR_IO, "set the permissions of");
    if (!finish_writing(output) ||
        !pci_temporary_rename(target->folder, &output->temporary, target->name) ||
        !sync_folder(output))
        return fail_with_errno(output, PC_ERR_IO, "finish");
    return PC_OK;
}

/* Fails when the place of the file is no longer that of its path: memory has changed. */
static pc_status check_place(const pc_output *output)
{
    pci_place again;
    struct stat now, before;
    pc_status status = pci_path_resolve(output->context, output->path, &again);
    if (status != PC_OK)
        return status;
    bool is_same = strcmp(again.name, output->target.name) == 0 && fstat(again.folder, &now) == 0 &&
                   fstat(output->target.folder, &before) == 0 && now.st_ino == before.st_ino &&
                   now.st_dev == before.st_dev;
    close(again.folder);
    return is_same ? PC_OK
                   : pci_fail(output->context, PC_ERR_IO, "'%s' leads to another file by now",
                              output->path);
}

/* Asks whether the file may leave. */
static pc_status ask(const pc_output *output, int *is_withheld)
{
    pc_context *context = output->context;
    if (!context->release)
        return PC_OK;
    pc_status status =
        context->release(context->release_user, output->path, output->temporary.file, is_withheld);
    return status == PC_OK ? check_place(output) : status;
}

pc_status pc_output_commit(pc_output *output)
{
    if (!output)
        return PC_ERR_ARGUMENT;
    int is_withheld = 0;
    pc_status status = ask(output, &is_withheld);
    if (status == PC_OK && !is_withheld)
        status = give_name(output);
    pc_output_free(output);
    return status;
}

void pc_output_free(pc_output *output)
{
    if (!output)
        return;
    pci_temporary_free(output->target.folder, &output->temporary);
    if (output->target.folder >= 0)
        close(output->target.folder);
    pci_free(output->context, output);
}

void pc_output_clean(pc_context *context, const char *path)
{
    pci_place place;
    if (!context || !path || pci_path_resolve(context, path, &place) != PC_OK)
        return;
    pci_temporaries_clean(place.folder);
    close(place.folder);
}
