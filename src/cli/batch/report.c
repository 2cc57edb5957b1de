/* The page is written beside its name and gets it when it is whole. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/batch/report.h"

#include "src/cli/batch/report_page.h"
#include "src/cli/exit_codes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char page_name[] = "report.html";

/* False, with errno. */
static bool print_page(int descriptor, int folder_fd, const json_t *lines)
{
    int own = dup(descriptor);
    FILE *out = own >= 0 ? fdopen(own, "w") : NULL;
    if (out == NULL)
        return false;
    errno = 0;
    cli_report_print(out, folder_fd, lines);
    bool is_well = fflush(out) == 0 && !ferror(out);
    int why = errno != 0 ? errno : EIO;
    bool is_closed = fclose(out) == 0;
    if (!is_well)
        errno = why;
    return is_well && is_closed;
}

static pc_status write_page(pc_context *context, const char *path, int folder_fd,
                            const json_t *lines)
{
    pc_output *output = NULL;
    char sentence[512];
    pc_status status = pc_output_open(context, path, &output);
    if (status != PC_OK)
        return status;
    if (print_page(pc_output_descriptor(output), folder_fd, lines))
        return pc_output_commit(output);
    snprintf(sentence, sizeof sentence, "cannot write to '%.400s': %s", path, strerror(errno));
    pc_output_free(output);
    return pc_context_fail(context, PC_ERR_IO, sentence);
}

static int write_report(pc_context *context, const char *folder, const json_t *lines)
{
    char *path = NULL;
    int folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0)
        return cli_fail(CLI_NO_CREATE, "%s: cannot be opened: %s", folder, strerror(errno));
    pc_status status = asprintf(&path, "%s/%s", folder, page_name) >= 0
                           ? write_page(context, path, folder_fd, lines)
                           : pc_context_fail(context, PC_ERR_MEMORY, "no memory for the report");
    close(folder_fd);
    free(path);
    return status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
}

int cli_report_write(const char *folder, const json_t *lines, bool no_sync)
{
    pc_context *context;
    pc_status status = pc_context_create(&context);
    if (status != PC_OK)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(status));
    pc_context_set_sync(context, !no_sync);
    int code = write_report(context, folder, lines);
    pc_context_free(context);
    return code;
}
