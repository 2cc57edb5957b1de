/* Each failure prints one line on stderr and has one exit code. */
#include "src/cli/exit_codes.h"

#include "src/cli/signals.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whether standard output is a pipe whose reader has ended, and the sentence is about that. The reader has
 * what it wanted (`| head -n 1`), so nobody is told; the exit code is that of SIGPIPE. */
static bool is_reader_gone(const char *format, va_list arguments)
{
    static const char about[] = "standard output: ";
    char sentence[sizeof about];
    struct pollfd output = {.fd = STDOUT_FILENO};
    vsnprintf(sentence, sizeof sentence, format, arguments);
    return strcmp(sentence, about) == 0 && poll(&output, 1, 0) == 1 &&
           (output.revents & POLLERR) != 0;
}

int cli_fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool is_silent = code == CLI_IO && is_reader_gone(format, arguments);
    va_end(arguments);
    if (is_silent)
        return CLI_SIGNAL + SIGPIPE;
    va_start(arguments, format);
    fputs("pathcount: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return code;
}

int cli_fail_for_memory(void)
{
    return cli_fail(CLI_UNAVAILABLE, "out of memory");
}

int cli_exit_of_status(pc_status status)
{
    switch (status) {
    case PC_OK:
        return CLI_DONE;
    case PC_ERR_ARGUMENT:
        return CLI_USAGE;
    case PC_ERR_DATA:
        return CLI_BAD_DATA;
    case PC_ERR_NO_INPUT:
        return CLI_NO_INPUT;
    case PC_ERR_ENGINE:
    case PC_ERR_MEMORY:
    case PC_ERR_RANGE:
        return CLI_UNAVAILABLE;
    case PC_ERR_CREATE:
        return CLI_NO_CREATE;
    case PC_ERR_IO:
        return CLI_IO;
    case PC_ERR_CANCELLED:
        return CLI_SIGNAL + cli_signals_pending();
    case PC_ERR_CERTIFY:
    case PC_ERR_INTERNAL:
        break;
    }
    return CLI_INTERNAL;
}

int cli_fail_status(const pc_context *context, pc_status status)
{
    int code = cli_exit_of_status(status);
    if (status == PC_ERR_CANCELLED)
        return cli_fail(code, "interrupted");
    const char *message = pc_context_message(context);
    return cli_fail(code, "%s", message[0] != '\0' ? message : pc_status_text(status));
}
