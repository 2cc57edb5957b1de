/* Only a PNG that is a regular file of the folder itself gets into the page, whatever a manifest
 * says. */
#include "src/cli/batch/report_picture.h"

#include "src/cli/batch/report_html.h"

#include <fcntl.h>
#include <nettle/base64.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20, SIGNATURE_SIZE = 8 };

static int open_picture(int folder_fd, const char *name)
{
    if (strchr(name, '/') != NULL || *name == '.')
        return -1;
    return openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/* Whole into bytes, which has room for size of them. */
static bool read_whole(int file, size_t size, uint8_t *bytes)
{
    size_t n = 0;
    while (n < size) {
        ssize_t got = read(file, bytes + n, size - n);
        if (got <= 0)
            return false;
        n += (size_t)got;
    }
    static const uint8_t signature[SIGNATURE_SIZE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return n >= SIGNATURE_SIZE && memcmp(bytes, signature, SIGNATURE_SIZE) == 0;
}

static void put_data(FILE *out, int file, size_t size)
{
    size_t n_text = BASE64_ENCODE_RAW_LENGTH(size);
    uint8_t *bytes = malloc(size + 1);
    char *text = malloc(n_text + 1);
    if (bytes != NULL && text != NULL && read_whole(file, size, bytes)) {
        base64_encode_raw(text, size, bytes);
        fputs("<img width=\"120\" alt=\"picture of the counts\" src=\"data:image/png;base64,", out);
        fwrite(text, 1, n_text, out);
        fputs("\">", out);
    }
    free(bytes);
    free(text);
}

static void put_link(FILE *out, const char *name)
{
    fputs("<a href=\"", out);
    cli_html_address(out, name);
    fputs("\">picture</a>", out);
}

void cli_report_put_picture(FILE *out, int folder_fd, const char *name, size_t *room)
{
    struct stat about;
    int file = open_picture(folder_fd, name);
    if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
        size_t size = (size_t)about.st_size;
        if (size > MOST_BYTES || size > *room) {
            put_link(out, name);
        } else {
            put_data(out, file, size);
            *room -= size;
        }
    }
    if (file >= 0)
        close(file);
}
