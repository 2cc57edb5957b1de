/* Digests of files and jobs, the removal of results, and lines about failures. */
#define _GNU_SOURCE /* asprintf, TEMP_FAILURE_RETRY */
#include "src/cli/batch/job.h"

#include "pathcount_io.h"
#include "src/cli/load.h"
#include "src/cli/text.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 16 };

/* ---- Digests --------------------------------------------------------------------------------- */

/* Opens a regular file only: a pipe can be read once, so it cannot have a digest and then be read
 * as a graph. O_NONBLOCK: opening must not wait for a named pipe that nobody writes to. */
static int open_regular(const char *path)
{
    struct stat info = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return -1;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode))
        return file;
    close(file);
    errno = S_ISDIR(info.st_mode) ? EISDIR : ENOTSUP;
    return -1;
}

static bool hash_file(int file, struct sha256_ctx *hash)
{
    uint8_t piece[PIECE_BYTES];
    ssize_t n;
    while ((n = TEMP_FAILURE_RETRY(read(file, piece, sizeof piece))) > 0)
        sha256_update(hash, (size_t)n, piece);
    return n == 0;
}

static void write_digest(struct sha256_ctx *hash, char digest[CLI_DIGEST_SIZE])
{
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(hash, sizeof bytes, bytes);
    base16_encode_update(digest, sizeof bytes, bytes);
    digest[CLI_DIGEST_SIZE - 1] = '\0';
}

bool cli_digest_file(const char *path, char digest[CLI_DIGEST_SIZE], cli_file_mark *mark)
{
    struct sha256_ctx hash;
    int file = open_regular(path);
    if (file < 0)
        return false;
    if (mark != NULL)
        *mark = cli_file_mark_settled(file);
    sha256_init(&hash);
    bool is_whole = hash_file(file, &hash);
    int reason = errno;
    close(file);
    errno = reason;
    if (!is_whole)
        return false;
    write_digest(&hash, digest);
    return true;
}

/* With its NUL, so that no two lists of texts are the same bytes. */
static void hash_text(struct sha256_ctx *hash, const char *text)
{
    sha256_update(hash, strlen(text) + 1, (const uint8_t *)text);
}

void cli_digest_texts(size_t n, const char *const *texts, char digest[CLI_DIGEST_SIZE])
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    for (size_t i = 0; i < n; i++)
        hash_text(&hash, texts[i]);
    write_digest(&hash, digest);
}

void cli_digest_job(const cli_job *job, char digest[CLI_DIGEST_SIZE])
{
    struct sha256_ctx hash;
    size_t i;
    const json_t *option;
    sha256_init(&hash);
    hash_text(&hash, job->input);
    hash_text(&hash, job->result);
    hash_text(&hash, job->query_digest);
    json_array_foreach(job->options, i, option) hash_text(&hash, json_string_value(option));
    write_digest(&hash, digest);
}

void cli_digest_jobs(const cli_jobs *jobs, char digest[CLI_DIGEST_SIZE])
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    for (size_t j = 0; j < jobs->n; j++)
        hash_text(&hash, jobs->job[j].digest);
    write_digest(&hash, digest);
}

bool cli_job_is_intact(const cli_job *job)
{
    char digest[CLI_DIGEST_SIZE];
    cli_digest_job(job, digest);
    return strcmp(digest, job->digest) == 0;
}

/* ---- Results --------------------------------------------------------------------------------- */

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
    remove_in(folder, name, PC_LABELS_ENDING);
}

void cli_results_clean(const char *folder)
{
    char *path = NULL;
    if (asprintf(&path, "%s/.", folder) < 0)
        return;
    cli_clean_beside(path);
    free(path);
}

/* ---- Failures -------------------------------------------------------------------------------- */

void cli_print_failure(const char *input, const char *result, const char *message)
{
    size_t length = strlen(input);
    fputs("  ", stderr);
    if (result != NULL) {
        cli_print_shown(stderr, result);
        fputs(": ", stderr);
    }
    if (strncmp(message, input, length) != 0 || message[length] != ':') {
        cli_print_shown(stderr, input);
        fputs(": ", stderr);
    }
    cli_print_shown(stderr, message);
    putc('\n', stderr);
}
