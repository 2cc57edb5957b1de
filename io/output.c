/* Files that are complete or do not exist. The path is resolved without trust in the links of
 * other users, and the descriptor of the folder is kept, so that neither a change of the working
 * directory nor an exchanged link in the path matters. A temporary file takes all that is
 * written, and gets the name at the end. */
#define _GNU_SOURCE /* O_PATH, O_TMPFILE */
#include "io/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PERMISSIONS = 0777, MAX_TRIES = 100, MOST_LINKS = 40, NO_LINK = -1, FOREIGN_LINK = -2 };

/* ---- Paths -----------------------------------------------------------------------------------
 *
 * A path is resolved part by part. Each folder is opened relative to the folder before it, and each
 * link is read through its own descriptor. So no part can be exchanged between its check and its
 * use. The functions return 0, errno, or one of the numbers below 0. */

typedef struct resolution {
    int folder;              /* O_PATH; -1: not open */
    char name[NAME_MAX + 1]; /* the part that comes next; at the end that of the file, no link */
    char rest[PATH_MAX];     /* "" or the parts behind it, with a slash before each */
    int n_links;
} resolution;

static int enter(resolution *r, int folder)
{
    if (folder < 0)
        return errno;
    if (r->folder >= 0)
        close(r->folder);
    r->folder = folder;
    return 0;
}

/* Puts a path before the rest: the parts of it come next. */
static int take_path(resolution *r, const char *path)
{
    char all[2 * PATH_MAX];
    int length = snprintf(all, sizeof all, "%s%s", path, r->rest);
    if (length >= PATH_MAX)
        return ENAMETOOLONG;
    memcpy(r->rest, all, (size_t)length + 1);
    if (r->folder >= 0 && path[0] != '/')
        return 0;
    return enter(r, open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* Follows a link that is open, and closes it. One in a sticky folder that everybody may write to is followed
 * only when it belongs to us or to the owner of the folder. This is the rule of
 * fs.protected_symlinks, applied to every part of the path on every system. */
static int follow_link(resolution *r, int link)
{
    const mode_t shared = S_ISVTX | S_IWOTH;
    char target[PATH_MAX];
    struct stat about, folder;
    ssize_t length = 0;
    int error = fstat(link, &about) != 0 || fstat(r->folder, &folder) != 0 ? errno : 0;
    if (error == 0 && !S_ISLNK(about.st_mode))
        error = NO_LINK;
    else if (error == 0 && (folder.st_mode & shared) == shared && about.st_uid != geteuid() &&
             about.st_uid != folder.st_uid)
        error = FOREIGN_LINK;
    else if (error == 0 && (length = readlinkat(link, "", target, PATH_MAX)) < 0)
        error = errno;
    close(link);
    if (error != 0)
        return error;
    if (length == PATH_MAX)
        return ENAMETOOLONG;
    target[length] = '\0';
    return r->n_links++ < MOST_LINKS ? take_path(r, target) : ELOOP;
}

/* Resolves until the name is the last one and no link; there need not be such a file. A path that ends in a slash
 * has "." for its last name. A folder is opened with O_DIRECTORY first, since without that flag the automounter does
 * not mount it. */
static int resolve_all(resolution *r)
{
    int error = 0;
    while (error == 0) {
        const char *begin = r->rest + strspn(r->rest, "/");
        size_t length = strcspn(begin, "/");
        if (length > NAME_MAX)
            return ENAMETOOLONG;
        snprintf(r->name, sizeof r->name, "%.*s", length > 0 ? (int)length : 1,
                 length > 0 ? begin : ".");
        memmove(r->rest, begin + length, strlen(begin + length) + 1);
        bool is_last = r->rest[0] == '\0';
        int next = -1, link;
        if (!is_last)
            next = openat(r->folder, r->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (!is_last && (next >= 0 || (errno != ENOTDIR && errno != ELOOP))) {
            error = enter(r, next);
            continue;
        }
        link = openat(r->folder, r->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        if (link < 0)
            return is_last && errno == ENOENT ? 0 : errno;
        error = follow_link(r, link);
        if (error == NO_LINK)
            return is_last ? 0 : ENOTDIR;
    }
    return error;
}

/* The caller closes the folder. PC_ERR_CREATE. */
static pc_status resolve(pc_context *context, const char *path, resolution *resolved)
{
    char reason[128];
    resolution r = {.folder = -1};
    int error = path[0] != '\0' ? take_path(&r, path) : ENOENT;
    if (error == 0)
        error = resolve_all(&r);
    if (error == 0) {
        *resolved = r;
        return PC_OK;
    }
    if (r.folder >= 0)
        close(r.folder);
    if (error == FOREIGN_LINK)
        return pci_fail(context, PC_ERR_CREATE,
                        "cannot create '%s': '%s' is a link of another user in a folder that "
                        "everybody may write to; remove it, or write to another folder",
                        path, r.name);
    return pci_fail(context, PC_ERR_CREATE, "cannot create '%s': %s%s", path,
                    strerror_r(error, reason, sizeof reason),
                    error == ENOENT ? ": make its folder first" : "");
}

/* ---- Temporary files -------------------------------------------------------------------------
 *
 * The lock is one of flock(). It belongs to the open file: all copies of the descriptor share it,
 * and it is released with the last of them, however the process ends. */

#define TEMPORARY_PREFIX ".pathcount-"
#define TEMPORARY_SUFFIX ".tmp"

enum { NAME_BYTES = sizeof TEMPORARY_PREFIX TEMPORARY_SUFFIX + 16 };

/* A file that only its owner may read and write. It has no name where the file system allows
 * that, so that nothing of it remains when the process ends in any way. Elsewhere its name says
 * that it is temporary, and a lock says that its writer is running. */
typedef struct temporary {
    int file;              /* descriptor */
    char name[NAME_BYTES]; /* in the folder; "": it has none */
    mode_t default_mode; /* the permissions that a new file in the folder gets from umask and ACL */
} temporary;

/* Closes the file, which is removed when it was not renamed. */
static void free_temporary(int folder, temporary *temporary)
{
    if (temporary->name[0] != '\0')
        unlinkat(folder, temporary->name, 0);
    if (temporary->file >= 0)
        close(temporary->file);
    temporary->name[0] = '\0';
    temporary->file = -1;
}

/* A name that cannot be guessed and is not used twice. */
static bool make_name(char name[NAME_BYTES])
{
    uint64_t number;
    if (getentropy(&number, sizeof number) != 0)
        return false;
    snprintf(name, NAME_BYTES, TEMPORARY_PREFIX "%016" PRIx64 TEMPORARY_SUFFIX, number);
    return true;
}

/* A descriptor, or -1 with errno; then the name is "". */
static int create_named(int folder, mode_t mode, char name[NAME_BYTES])
{
    int file = -1;
    errno = EEXIST;
    for (int tries = 0; tries < MAX_TRIES && file < 0 && errno == EEXIST; tries++)
        if (make_name(name))
            file = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0)
        name[0] = '\0';
    return file;
}

/* The default permissions are those of an empty file that is never written to: reading umask would
 * change it for all threads for a moment, and the temporary file itself must never be open to
 * others. Another process may remove the file before it is locked; then another one is made. Without locks
 * (some network file systems have none) no other process gets one either. */
static bool open_named(int folder, temporary *made)
{
    struct stat info;
    made->file = create_named(folder, 0666, made->name);
    bool is_known = made->file >= 0 && fstat(made->file, &info) == 0;
    made->default_mode = is_known ? info.st_mode & PERMISSIONS : 0;
    for (int tries = 0; tries < MAX_TRIES && is_known; tries++) {
        free_temporary(folder, made);
        made->file = create_named(folder, 0600, made->name);
        if (made->file < 0)
            return false;
        bool is_taken = flock(made->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!is_taken && fstat(made->file, &info) == 0 && info.st_nlink > 0)
            return true;
        errno = EEXIST;
    }
    return false;
}

/* The link by which a descriptor can be given a name without a privilege. */
static const char *link_of(int file, char link[32])
{
    snprintf(link, 32, "/proc/self/fd/%d", file);
    return link;
}

/* False when the file system has no such files or /proc is missing. */
static bool open_unnamed(int folder, temporary *made)
{
    char link[32];
    struct stat info;
    made->file = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (made->file < 0)
        return false;
    if (access(link_of(made->file, link), F_OK) == 0 && fstat(made->file, &info) == 0 &&
        fchmod(made->file, 0600) == 0) {
        flock(made->file, LOCK_EX | LOCK_NB); /* nobody else knows it yet */
        made->default_mode = info.st_mode & PERMISSIONS;
        return true;
    }
    free_temporary(folder, made);
    return false;
}

/* Gives the file the name target in the folder, and replaces the file that has it. A file without a name gets one first,
 * since linkat replaces no file. The descriptor stays open. False with errno. */
static bool rename_temporary(int folder, temporary *temporary, const char *target)
{
    char link[32], *name = temporary->name;
    bool has_name = name[0] != '\0';
    errno = EEXIST;
    for (int tries = 0; tries < MAX_TRIES && !has_name && errno == EEXIST; tries++)
        has_name = make_name(name) && linkat(AT_FDCWD, link_of(temporary->file, link), folder, name,
                                             AT_SYMLINK_FOLLOW) == 0;
    bool is_renamed = has_name && renameat(folder, name, folder, target) == 0;
    if (is_renamed || !has_name)
        name[0] = '\0';
    return is_renamed;
}

/* Removes a temporary file of this user whose writer has ended; one where that is not certain is
 * kept, and so is a file with another name. The lock is released after the file is removed. So a writer that was about
 * to lock the file notices that it has lost it. */
static void remove_if_dead(int folder, const char *name)
{
    struct stat info;
    size_t prefix = sizeof TEMPORARY_PREFIX - 1;
    if (strncmp(name, TEMPORARY_PREFIX, prefix) != 0 ||
        strspn(name + prefix, "0123456789abcdef") != 16 ||
        strcmp(name + prefix + 16, TEMPORARY_SUFFIX) != 0)
        return;
    int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        flock(file, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(file);
}

void pc_output_clean(pc_context *context, const char *path)
{
    resolution place;
    if (!context || !path || resolve(context, path, &place) != PC_OK)
        return;
    int file = openat(place.folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = file >= 0 ? fdopendir(file) : NULL;
    const struct dirent *entry;
    while (listing && (entry = readdir(listing)))
        remove_if_dead(place.folder, entry->d_name);
    if (listing)
        closedir(listing);
    else if (file >= 0)
        close(file);
    close(place.folder);
}

/* ---- Outputs --------------------------------------------------------------------------------- */

struct pc_output {
    pc_context *context;
    resolution target;
    temporary temporary;
    char path[]; /* as given, for messages */
};

/* Fails with a message: what could not be done to the output, and why, from errno. */
static pc_status fail_with_errno(const pc_output *output, pc_status status, const char *what)
{
    char reason[128];
    return pci_fail(output->context, status, "cannot %s '%s': %s", what, output->path,
                    strerror_r(errno, reason, sizeof reason));
}

/* Finds the place, refuses to replace what is no plain file or is write-protected, and makes a temporary file. */
static pc_status begin(pc_output *output)
{
    resolution *target = &output->target;
    struct stat info;
    pc_status status = resolve(output->context, output->path, target);
    if (status != PC_OK)
        return status;
    bool is_there = fstatat(target->folder, target->name, &info, AT_SYMLINK_NOFOLLOW) == 0;
    if (!is_there && errno != ENOENT)
        return fail_with_errno(output, PC_ERR_CREATE, "create");
    if (is_there && !S_ISREG(info.st_mode))
        return pci_fail(output->context, PC_ERR_CREATE, "cannot create '%s': it is %s",
                        output->path, S_ISDIR(info.st_mode) ? "a folder" : "no plain file");
    if (is_there && faccessat(target->folder, target->name, W_OK, AT_EACCESS) != 0)
        return fail_with_errno(output, PC_ERR_CREATE, "replace");
    bool is_made = open_unnamed(target->folder, &output->temporary) ||
                   open_named(target->folder, &output->temporary);
    return is_made ? PC_OK : fail_with_errno(output, PC_ERR_CREATE, "create");
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
    pc_status status = begin(made);
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
    char piece[1 << 16];
    off_t n_bytes = lseek(from->temporary.file, 0, SEEK_END);
    pc_status status = n_bytes < 0 ? fail_with_errno(from, PC_ERR_IO, "read back") : PC_OK;
    for (off_t at = 0, n; at < n_bytes && status == PC_OK; at += n) {
        n = n_bytes - at < (off_t)sizeof piece ? n_bytes - at : (off_t)sizeof piece;
        status = pci_output_read(from, (uint64_t)at, piece, (size_t)n);
        if (status == PC_OK)
            status = pc_output_write(output, piece, (size_t)n);
    }
    return status;
}

/* ---- The name -------------------------------------------------------------------------------- */

/* Some kinds of files and folders cannot be synced. */
static bool sync_descriptor(const pc_output *output, int descriptor)
{
    return output->context->no_sync || fsync(descriptor) == 0 || errno == EINVAL ||
           errno == EOPNOTSUPP;
}

/* The permissions are those of the file to replace when it belongs to us, for another owner
 * chose them for a file of his own. A file system without permissions refuses to set them; then
 * they are right already. Some file systems report a full disk only when a file is closed. So a copy of the descriptor
 * is closed; closing the last one would release the lock. A folder that may not be read cannot be opened, and thus not
 * be synced. */
static pc_status give_name(pc_output *output)
{
    const resolution *target = &output->target;
    struct stat old, info;
    int file = output->temporary.file;
    bool is_ours = fstatat(target->folder, target->name, &old, AT_SYMLINK_NOFOLLOW) == 0 &&
                   S_ISREG(old.st_mode) && old.st_uid == geteuid();
    mode_t wanted = is_ours ? old.st_mode & PERMISSIONS : output->temporary.default_mode;
    if (fstat(file, &info) != 0 ||
        ((info.st_mode & PERMISSIONS) != wanted && fchmod(file, wanted) != 0))
        return fail_with_errno(output, PC_ERR_IO, "set the permissions of");
    if (!sync_descriptor(output, file) || close(dup(file)) != 0 ||
        !rename_temporary(target->folder, &output->temporary, target->name))
        return fail_with_errno(output, PC_ERR_IO, "finish");
    int folder = output->context->no_sync
                     ? -1
                     : openat(target->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_synced = output->context->no_sync || (folder < 0 && errno == EACCES) ||
                     (folder >= 0 && sync_descriptor(output, folder));
    pc_status status = is_synced ? PC_OK : fail_with_errno(output, PC_ERR_IO, "finish");
    if (folder >= 0)
        close(folder);
    return status;
}

/* Fails when the place of the file is no longer that of its path: memory has changed. */
static pc_status check_place(const pc_output *output)
{
    resolution again;
    struct stat now, before;
    pc_status status = resolve(output->context, output->path, &again);
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

pc_status pc_output_commit(pc_output *output)
{
    if (!output)
        return PC_ERR_ARGUMENT;
    pc_context *context = output->context;
    int is_withheld = 0;
    pc_status status = PC_OK;
    if (context->release) {
        status = context->release(context->release_user, output->path, output->temporary.file,
                                  &is_withheld);
        if (status == PC_OK)
            status = check_place(output);
    }
    if (status == PC_OK && !is_withheld)
        status = give_name(output);
    pc_output_free(output);
    return status;
}

void pc_output_free(pc_output *output)
{
    if (!output)
        return;
    free_temporary(output->target.folder, &output->temporary);
    if (output->target.folder >= 0)
        close(output->target.folder);
    pci_free(output->context, output);
}
