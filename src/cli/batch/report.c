/* The page is written beside its name and gets it when it is whole. */
#include "src/cli/batch/report.h"

#include "src/cli/batch/report_page.h"
#include "src/cli/exit_codes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static const char page_name[] = "report.html";

enum { NAME_SIZE = 48 };

static int create_temporary(int folder_fd, char name[NAME_SIZE])
{
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return -1;
    snprintf(name, NAME_SIZE, ".pathcount-%016" PRIx64 ".tmp", number);
    return openat(folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* Prints the page to file, which is closed; false with errno. */
static bool print_page(int file, int folder_fd, const json_t *lines)
{
    FILE *out = fdopen(file, "w");
    if (out == NULL) {
        close(file);
        return false;
    }
    errno = 0;
    cli_report_print(out, folder_fd, lines);
    bool is_well = fflush(out) == 0 && !ferror(out) && fsync(file) == 0;
    int why = errno;
    bool is_closed = fclose(out) == 0;
    if (!is_well)
        errno = why != 0 ? why : EIO;
    return is_well && is_closed;
}

static int write_page(const char *folder, int folder_fd, const json_t *lines)
{
    char name[NAME_SIZE];
    int file = create_temporary(folder_fd, name);
    if (file < 0)
        return cli_fail(CLI_NO_CREATE, "%s/%s: cannot be created: %s", folder, page_name,
                        strerror(errno));
    if (print_page(file, folder_fd, lines) && renameat(folder_fd, name, folder_fd, page_name) == 0)
        return CLI_DONE;
    int why = errno;
    unlinkat(folder_fd, name, 0);
    return cli_fail(CLI_IO, "%s/%s: writing failed: %s", folder, page_name, strerror(why));
}

int cli_report_write(const char *folder, const json_t *lines)
{
    int folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0)
        return cli_fail(CLI_NO_CREATE, "%s: cannot be opened: %s", folder, strerror(errno));
    int code = write_page(folder, folder_fd, lines);
    close(folder_fd);
    return code;
}
