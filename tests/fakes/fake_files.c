/* Files as another file system has them, for tests of the command (LD_PRELOAD):
 *
 *   FAKE_FILES_NAMED=1   there are no files without a name (O_TMPFILE)
 *   FAKE_FILES_LOST=1    another process removes the first file that is locked, just before
 *   FAKE_FILES_CALLS=F   each call that decides what a power failure leaves adds a line to file F:
 *                        "fsync file", "fsync folder", "fdatasync file", "rename NAME" */
#define _GNU_SOURCE /* O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void note(const char *call, const char *what)
{
    const char *calls = getenv("FAKE_FILES_CALLS");
    int file = calls ? open(calls, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (file < 0)
        return;
    if (dprintf(file, "%s %s\n", call, what) < 0)
        abort();
    close(file);
}

static void note_descriptor(const char *call, int descriptor)
{
    struct stat info = {0};
    fstat(descriptor, &info);
    note(call, S_ISDIR(info.st_mode) ? "folder" : "file");
}

int openat(int folder, const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list values;
        va_start(values, flags);
        mode = va_arg(values, mode_t);
        va_end(values);
    }
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("FAKE_FILES_NAMED")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int flock(int file, int operation)
{
    static int n_calls;
    char link[32], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (n_calls++ == 0 && getenv("FAKE_FILES_LOST") && readlink(link, path, sizeof path - 1) > 0)
        unlink(path);
    return (int)syscall(SYS_flock, file, operation);
}

int fsync(int file)
{
    note_descriptor("fsync", file);
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file)
{
    note_descriptor("fdatasync", file);
    return (int)syscall(SYS_fdatasync, file);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    note("rename", to);
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}
