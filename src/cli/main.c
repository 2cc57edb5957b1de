/* Finds the command and runs it; what holds for every command: standard streams and exit. */
#include "src/cli/commands.h"
#include "src/cli/exit_codes.h"
#include "src/cli/guard.h"
#include "src/cli/signals.h"
#include "src/cli/spin.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char program_name[] = "pathcount"; /* also in messages of argp and getopt */

/* A file opened later must not take the place of a standard stream that was closed: fill the gaps,
 * each opened the wrong way round, so that using the stream still fails. */
static void fill_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* All of a help text at once, so that a failure is seen where errno still says why. */
static void buffer_stdout(void)
{
    static char buffer[1 << 16];
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

/* Output that did not reach its reader is an error, of --help as of any answer. Libraries that were
 * opened on the way may flush it before a handler of exit() is called, and keep the reason to
 * themselves: so it is done at the end of main already. */
static void check_stdout(void)
{
    static bool is_done;
    if (is_done)
        return;
    is_done = true;
    int had_failed = ferror(stdout);
    errno = 0;
    if (fclose(stdout) == 0 && !had_failed)
        return;
    _exit(cli_fail(CLI_IO, "standard output: %s", strerror(errno != 0 ? errno : EIO)));
}

/* "pathcount bench": what usage and errors of the command line begin with. */
static char *name_with_command(const char *command)
{
    static char name[64];
    snprintf(name, sizeof name, "%s %s", program_name, command);
    return name;
}

int main(int argc, char **argv)
{
    static char *no_arguments[] = {program_name, NULL};
    if (argc < 1) { /* a program that is started without even its name */
        argc = 1;
        argv = no_arguments;
    }
    cli_spin_restore_environment();
    fill_closed_streams();
    buffer_stdout();
    if (!cli_guard_streams())
        return cli_fail_for_memory();
    cli_signals_install();
    atexit(check_stdout);
    argp_err_exit_status = CLI_USAGE;
    const cli_listed_command *chosen = cli_commands;
    for (size_t i = 0; argc > 1 && cli_commands[i].run != NULL; i++)
        if (strcmp(argv[1], cli_commands[i].command->name) == 0) {
            chosen = &cli_commands[i];
            argc--;
            argv++;
            break;
        }
    argv[0] = chosen == cli_commands ? program_name : name_with_command(chosen->command->name);
    int code = chosen->run(argc, argv);
    check_stdout();
    return code;
}
