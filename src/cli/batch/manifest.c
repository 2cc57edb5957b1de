/* DIR/manifest.jsonl. Its lock belongs to this process: workers do not inherit it, and it is gone when
 * the process is, however that ended. The file is never opened a second time: closing that would
 * give the lock away. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/batch/manifest.h"

#include "src/cli/batch/result_file.h"
#include "src/cli/exit_codes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 16, SIGNIFICANT_DIGITS = 6 };

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct pieces {
    char *text; /* from the last line that has not ended yet */
    size_t n_bytes, capacity;
    off_t at; /* in the file, of what follows */
} pieces;

static void take_line(cli_manifest *manifest, const char *line, size_t n_bytes)
{
    json_t *object = json_loadb(line, n_bytes, 0, NULL);
    const char *result = json_string_value(json_object_get(object, "result"));
    if (result != NULL)
        json_object_set(manifest->latest, result, object);
    json_decref(object);
}

/* Takes the lines that have ended, and keeps the rest. */
static void take_lines(cli_manifest *manifest, pieces *from)
{
    char *line = from->text, *end = from->text + from->n_bytes, *stop;
    while ((stop = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        take_line(manifest, line, (size_t)(stop - line));
        line = stop + 1;
    }
    from->n_bytes = (size_t)(end - line);
    memmove(from->text, line, from->n_bytes);
}

/* Bytes read, 0 at the end, -1 with errno. */
static ssize_t read_piece(int file, pieces *to)
{
    if (to->capacity - to->n_bytes < PIECE_BYTES) {
        size_t capacity = 2 * to->capacity + PIECE_BYTES;
        char *grown = realloc(to->text, capacity);
        if (grown == NULL)
            return -1;
        to->text = grown;
        to->capacity = capacity;
    }
    ssize_t n;
    do
        n = pread(file, to->text + to->n_bytes, PIECE_BYTES, to->at);
    while (n < 0 && errno == EINTR);
    if (n > 0) {
        to->n_bytes += (size_t)n;
        to->at += n;
    }
    return n;
}

/* A process that was killed may have left half a line. It stays, as nothing is ever taken away, but
 * what follows is on a line of its own; half a line is no JSON and is passed over. */
static bool end_torn_line(cli_manifest *manifest, const pieces *rest)
{
    if (rest->n_bytes == 0)
        return true;
    take_line(manifest, rest->text, rest->n_bytes);
    return write(manifest->file, "\n", 1) == 1;
}

static int read_lines(cli_manifest *manifest)
{
    pieces from = {0};
    ssize_t n;
    while ((n = read_piece(manifest->file, &from)) > 0)
        take_lines(manifest, &from);
    int code = CLI_DONE;
    if (n < 0 || !end_torn_line(manifest, &from))
        code = cli_fail(CLI_IO, "cannot read '%s': %s", manifest->path, strerror(errno));
    free(from.text);
    return code;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static int fail_to_create(const char *path)
{
    return cli_fail(CLI_NO_CREATE, "cannot create '%s': %s", path, strerror(errno));
}

static int lock(const cli_manifest *manifest, const char *folder)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(manifest->file, F_SETLK, &whole) == 0)
        return CLI_DONE;
    if (errno != EACCES && errno != EAGAIN)
        return cli_fail(CLI_NO_CREATE, "cannot lock '%s': %s", manifest->path, strerror(errno));
    struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(manifest->file, F_GETLK, &other) == 0 && other.l_type != F_UNLCK)
        return cli_fail(CLI_NO_CREATE,
                        "another batch, process %ld, is writing to '%s': wait for it, or choose "
                        "another --out",
                        (long)other.l_pid, folder);
    return cli_fail(CLI_NO_CREATE,
                    "another batch is writing to '%s': wait for it, or choose another --out",
                    folder);
}

/* The library refuses a path with links that other users have put there. */
static int check_path(const char *path)
{
    pc_context *context;
    pc_output *output = NULL;
    if (pc_context_create(&context) != PC_OK)
        return cli_fail_for_memory();
    pc_status status = pc_output_open(context, path, &output);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
    pc_output_free(output);
    pc_context_free(context);
    return code;
}

/* Follows a link of our own, which nobody else can exchange in a sticky folder. */
static int open_path(const char *path)
{
    int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    struct stat link;
    int file = open(path, flags | O_NOFOLLOW, 0666);
    if (file >= 0 || errno != ELOOP)
        return file;
    return lstat(path, &link) == 0 && link.st_uid == geteuid() ? open(path, flags, 0666) : -1;
}

static int open_file(cli_manifest *manifest, const char *folder)
{
    struct stat info;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail_to_create(folder);
    if (asprintf(&manifest->path, "%s/manifest.jsonl", folder) < 0) {
        manifest->path = NULL;
        return cli_fail_for_memory();
    }
    int code = check_path(manifest->path);
    if (code != CLI_DONE)
        return code;
    manifest->file = open_path(manifest->path);
    if (manifest->file < 0)
        return fail_to_create(manifest->path);
    if (fstat(manifest->file, &info) != 0 || !S_ISREG(info.st_mode))
        return cli_fail(CLI_NO_CREATE, "cannot write to '%s': it is no plain file", manifest->path);
    return CLI_DONE;
}

static int fill(cli_manifest *manifest, const char *folder, bool resume)
{
    struct stat info;
    int code = open_file(manifest, folder);
    if (code == CLI_DONE)
        code = lock(manifest, folder);
    if (code != CLI_DONE)
        return code;
    if (!resume && fstat(manifest->file, &info) == 0 && info.st_size > 0)
        return cli_fail(CLI_USAGE,
                        "'%s' holds an earlier run: --resume does what is left of it, or choose "
                        "another --out",
                        folder);
    code = read_lines(manifest);
    if (code == CLI_DONE)
        cli_results_clean(folder); /* nobody else writes here while the lock is ours */
    return code;
}

int cli_manifest_open(const char *folder, bool resume, bool no_sync, cli_manifest *manifest)
{
    *manifest = (cli_manifest){.file = -1, .latest = json_object(), .no_sync = no_sync};
    int code = manifest->latest != NULL ? fill(manifest, folder, resume) : cli_fail_for_memory();
    if (code != CLI_DONE)
        cli_manifest_close(manifest);
    return code;
}

void cli_manifest_close(cli_manifest *manifest)
{
    if (manifest->file >= 0)
        close(manifest->file);
    free(manifest->path);
    json_decref(manifest->latest);
    *manifest = (cli_manifest){.file = -1};
}

/* ---- Lines ----------------------------------------------------------------------------------- */

json_t *cli_manifest_find(const cli_manifest *manifest, const char *result)
{
    return json_object_get(manifest->latest, result);
}

static int write_line(const cli_manifest *manifest, char *text)
{
    struct iovec parts[] = {{text, strlen(text)}, {"\n", 1}};
    ssize_t n;
    do
        n = writev(manifest->file, parts, 2);
    while (n < 0 && errno == EINTR);
    bool is_written = n == (ssize_t)parts[0].iov_len + 1;
    if (is_written && (manifest->no_sync || fdatasync(manifest->file) == 0))
        return CLI_DONE;
    return cli_fail(CLI_IO, "cannot write to '%s': %s", manifest->path,
                    strerror(n < 0 || is_written ? errno : ENOSPC));
}

int cli_manifest_add(const cli_manifest *manifest, const json_t *line)
{
    char *text = json_dumps(line, JSON_REAL_PRECISION(SIGNIFICANT_DIGITS));
    if (text == NULL)
        return cli_fail_for_memory();
    int code = write_line(manifest, text);
    free(text);
    return code;
}
