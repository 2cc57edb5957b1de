/* SHA-256 of a file, read piece by piece. */
#include "src/cli/batch/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 16 };

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

static bool take_pieces(int file, struct sha256_ctx *hash)
{
    uint8_t piece[PIECE_BYTES];
    for (;;) {
        ssize_t n = read(file, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        sha256_update(hash, (size_t)n, piece);
    }
}

static void write_digest(struct sha256_ctx *hash, char digest[CLI_DIGEST_SIZE])
{
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(hash, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        sprintf(digest + 2 * i, "%02x", bytes[i]);
}

bool cli_digest_marked(const char *path, char digest[CLI_DIGEST_SIZE], cli_file_mark *mark)
{
    struct sha256_ctx hash;
    int file = open_regular(path);
    if (file < 0)
        return false;
    if (mark != NULL)
        *mark = cli_file_mark_settled(file);
    sha256_init(&hash);
    bool is_whole = take_pieces(file, &hash);
    int reason = errno;
    close(file);
    errno = reason;
    if (!is_whole)
        return false;
    write_digest(&hash, digest);
    return true;
}

bool cli_digest_file(const char *path, char digest[CLI_DIGEST_SIZE])
{
    return cli_digest_marked(path, digest, NULL);
}

void cli_digest_texts(size_t n, const char *const *texts, char digest[CLI_DIGEST_SIZE])
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    for (size_t i = 0; i < n; i++) /* with the zero that ends each */
        sha256_update(&hash, strlen(texts[i]) + 1, (const uint8_t *)texts[i]);
    write_digest(&hash, digest);
}
