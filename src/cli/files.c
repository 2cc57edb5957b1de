/* Compares files with their earlier states and with one another. */
#define _GNU_SOURCE /* basename that leaves its argument, CLOCK_REALTIME_COARSE */
#include "src/cli/files.h"

#include "src/cli/process.h"

#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Marks of files -------------------------------------------------------------------------- */

enum { MOST_WAITS = 250, WAIT_NANOSECONDS = 10000000, COARSEST_SECONDS = 2, PIECE_BYTES = 1 << 16 };

cli_file_mark cli_file_mark_of(const char *path)
{
    cli_file_mark mark;
    mark.is_there = stat(path, &mark.info) == 0;
    return mark;
}

/* The mark of an open file, once the file is so old that every later change also changes the
 * mark: times come from a clock with ticks. This takes up to 10 ms when the file was just
 * written, or 2 s where times are whole seconds. A time in the future was set by another
 * machine, whose clock is not known. */
static cli_file_mark settled_mark(int file)
{
    const struct timespec pause = {.tv_nsec = WAIT_NANOSECONDS};
    cli_file_mark mark;
    for (int n = 0;; n++) {
        mark.is_there = fstat(file, &mark.info) == 0;
        if (!mark.is_there || n == MOST_WAITS)
            return mark;
        struct timespec changed = mark.info.st_ctim, now;
        clock_gettime(CLOCK_REALTIME_COARSE, &now); /* file systems of this machine have it */
        double age =
            (double)(now.tv_sec - changed.tv_sec) + 1e-9 * (double)(now.tv_nsec - changed.tv_nsec);
        double tick = changed.tv_nsec == 0 ? COARSEST_SECONDS : 0;
        if (age > tick || age < -1)
            return mark;
        nanosleep(&pause, NULL);
    }
}

bool cli_file_mark_equal(const cli_file_mark *one, const cli_file_mark *other)
{
    const struct stat *a = &one->info, *b = &other->info;
    return one->is_there && other->is_there && a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
           a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* ---- Digests of files ------------------------------------------------------------------------ */

static void write_digest(struct sha256_ctx *hash, char digest[CLI_DIGEST_SIZE])
{
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(hash, sizeof bytes, bytes);
    base16_encode_update(digest, sizeof bytes, bytes);
    digest[CLI_DIGEST_SIZE - 1] = '\0';
}

bool cli_digest_open_file(int file, char digest[CLI_DIGEST_SIZE])
{
    uint8_t piece[PIECE_BYTES];
    struct sha256_ctx hash;
    off_t at = 0;
    ssize_t n;
    sha256_init(&hash);
    while ((n = TEMP_FAILURE_RETRY(pread(file, piece, sizeof piece, at))) > 0) {
        sha256_update(&hash, (size_t)n, piece);
        at += n;
    }
    if (n == 0)
        write_digest(&hash, digest);
    return n == 0;
}

/* Opens a regular file only: a pipe can be read once, so it cannot have a digest and then be read
 * as a graph. O_NONBLOCK: opening must not wait for a named pipe that nobody writes to. */
bool cli_digest_file(const char *path, char digest[CLI_DIGEST_SIZE], cli_file_mark *mark)
{
    struct stat info = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), reason;
    bool is_read = false;
    if (file < 0)
        return false;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode)) {
        if (mark != NULL)
            *mark = settled_mark(file);
        is_read = cli_digest_open_file(file, digest);
        reason = errno;
    } else {
        reason = S_ISDIR(info.st_mode) ? EISDIR : ENOTSUP;
    }
    close(file);
    errno = reason;
    return is_read;
}

/* Each text is hashed with its NUL, so that no two lists of texts are the same bytes. */
void cli_digest_texts(size_t n, const char *const *texts, char digest[CLI_DIGEST_SIZE])
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    for (size_t i = 0; i < n; i++)
        sha256_update(&hash, strlen(texts[i]) + 1, (const uint8_t *)texts[i]);
    write_digest(&hash, digest);
}

/* ---- Files of a command line ----------------------------------------------------------------- */

/* Compares files by device and number where they exist, else by the folder, without links, and the
 * name in it. A device or a pipe is compared by its name alone. */

enum { MOST_LINKS = 40 };

struct cli_known_file {
    const char *what;
    char *path;
    bool is_labels; /* of the file that `what` names */
    bool is_written;
    bool is_plain; /* info is known */
    struct stat info;
    char *place; /* NULL: there is no such folder, or it is a stream */
};

/* The folder of a path without links, and the name in it. The last name may be a link to a file
 * that does not exist yet. */
static bool find_place(const char *path, char place[PATH_MAX])
{
    char at[PATH_MAX], folder[PATH_MAX], target[PATH_MAX];
    if (realpath(path, place) != NULL)
        return true;
    if (snprintf(at, sizeof at, "%s", path) >= PATH_MAX)
        return false;
    for (int n = 0; n < MOST_LINKS; n++) {
        const char *name = basename(at);
        snprintf(folder, sizeof folder, "%.*s.", (int)(name - at), at);
        if (realpath(folder, target) == NULL ||
            snprintf(place, PATH_MAX, "%s/%s", target, name) >= PATH_MAX)
            return false;
        ssize_t length = readlink(place, target, PATH_MAX - 1);
        if (length < 0)
            return true;
        target[length] = '\0';
        int n_bytes = target[0] == '/' ? snprintf(at, sizeof at, "%s", target)
                                       : snprintf(at, sizeof at, "%s/%s", folder, target);
        if (n_bytes >= PATH_MAX)
            return false;
    }
    return false;
}

static bool is_stream(const cli_known_file *file)
{
    return strcmp(file->path, "-") == 0;
}

static bool is_same(const cli_known_file *one, const cli_known_file *other)
{
    if (one->is_plain && other->is_plain)
        return one->info.st_dev == other->info.st_dev && one->info.st_ino == other->info.st_ino;
    if (is_stream(one) || is_stream(other))
        return is_stream(one) && is_stream(other) && one->is_written && other->is_written;
    return one->place != NULL && other->place != NULL && strcmp(one->place, other->place) == 0;
}

/* Adds a file, and the file of its labels beside it. */
static void add(const struct argp_state *state, cli_known_file file, bool has_labels)
{
    cli_parse *parse = state->input;
    if (file.path == NULL)
        return;
    size_t n = has_labels && !is_stream(&file) ? 2 : 1;
    parse->files = cli_need(realloc(parse->files, (parse->n_files + n) * sizeof *parse->files));
    for (size_t i = 0; i < n; i++) {
        const char *ending = i == 0 ? "" : PC_LABELS_ENDING;
        char *path = cli_need(malloc(strlen(file.path) + strlen(ending) + 1));
        cli_known_file *added = &parse->files[parse->n_files++];
        *added = file;
        added->path = strcat(strcpy(path, file.path), ending);
        added->is_labels = i == 1;
    }
}

void cli_file_is_read(const struct argp_state *state, const char *what, const char *path)
{
    add(state, (cli_known_file){.what = what, .path = (char *)path}, false);
}

void cli_file_is_written(const struct argp_state *state, const char *what, const char *path,
                         pc_format format)
{
    add(state, (cli_known_file){.what = what, .path = (char *)path, .is_written = true},
        format == PC_FORMAT_SERIALIZED || format == PC_FORMAT_NPY || format == PC_FORMAT_NPZ);
}

/* PC_FORMAT_AUTO when the name says none. */
static pc_format format_of(const char *path)
{
    const pc_file_format *format = path != NULL ? pc_file_format_of(path, NULL) : NULL;
    return format != NULL ? format->format : PC_FORMAT_AUTO;
}

void cli_graph_is_read(const struct argp_state *state, const cli_input_options *input)
{
    pc_format format = input->format != NULL ? input->format->format : format_of(input->path);
    add(state, (cli_known_file){.what = "GRAPH", .path = (char *)input->path},
        format == PC_FORMAT_SERIALIZED);
}

void cli_graph_is_written(const struct argp_state *state, const char *what, const char *path)
{
    cli_file_is_written(state, what, path, format_of(path));
}

void cli_named_files_check(cli_parse *parse)
{
    static const char *const whose[] = {"", " (its labels)"};
    for (size_t i = 0; i < parse->n_files; i++) {
        cli_known_file *file = &parse->files[i];
        char place[PATH_MAX];
        int error = !is_stream(file)
                        ? stat(file->path, &file->info)
                        : fstat(file->is_written ? STDOUT_FILENO : STDIN_FILENO, &file->info);
        file->is_plain = error == 0 && S_ISREG(file->info.st_mode);
        if (!is_stream(file) && find_place(file->path, place))
            file->place = strdup(place);
        for (const cli_known_file *other = parse->files; other < file; other++)
            if ((file->is_written || other->is_written) && is_same(other, file))
                argp_error(parse->state,
                           "%s%s '%s' and %s%s '%s' are the same file: write to another one",
                           other->what, whose[other->is_labels], other->path, file->what,
                           whose[file->is_labels], file->path);
    }
    for (size_t i = 0; i < parse->n_files; i++) {
        free(parse->files[i].path);
        free(parse->files[i].place);
    }
    free(parse->files);
    parse->files = NULL;
    parse->n_files = 0;
}
