/* A file that does not hold what was written to it, for tests of the command (LD_PRELOAD):
 *
 *   FAKE_BYTES_AT=N   of the byte at offset N the last bit is turned, in each regular file that is no
 *                     standard stream */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static ssize_t really_write(int file, const void *bytes, size_t n)
{
    return syscall(SYS_write, file, bytes, n);
}

ssize_t write(int file, const void *bytes, size_t n)
{
    const char *at = getenv("FAKE_BYTES_AT");
    struct stat info;
    off_t first = lseek(file, 0, SEEK_CUR), spoilt = at != NULL ? atol(at) : -1;
    if (file <= STDERR_FILENO || spoilt < first || spoilt >= first + (off_t)n ||
        fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
        return really_write(file, bytes, n);
    char *copy = malloc(n);
    if (copy == NULL)
        abort();
    memcpy(copy, bytes, n);
    copy[spoilt - first] ^= 1;
    ssize_t n_written = really_write(file, copy, n);
    free(copy);
    return n_written;
}
