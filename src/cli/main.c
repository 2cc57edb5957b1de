/* Finds the command and runs it, and prepares the standard streams for every command. */
#define _GNU_SOURCE /* environ */
#include "src/cli/main.h"

#include "src/cli/batch/options.h"
#include "src/cli/chain_options.h"
#include "src/cli/process.h"
#include "src/cli/text.h"
#include "src/cli/verify/verify.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Commands -------------------------------------------------------------------------------- */

const cli_listed_command cli_commands[] = {{&cli_count_command, cli_count},
                                           {&cli_coarsen_command, cli_coarsen},
                                           {&cli_chain_command, cli_chain},
                                           {&cli_batch_command, cli_batch},
                                           {&cli_generate_command, cli_generate},
                                           {&cli_convert_command, cli_convert},
                                           {&cli_devices_command, cli_devices},
                                           {&cli_verify_command, cli_verify},
                                           {&cli_recurrence_command, cli_recurrence},
                                           {&cli_sample_command, cli_sample},
                                           {&cli_spc_command, cli_spc},
                                           {0}};

/* ---- The program ----------------------------------------------------------------------------- */

/* ---- Waiting threads ------------------------------------------------------------------------- */

/* libgomp's waiting threads spin for about 14 ms before they sleep. When a machine has other things
 * to do, they take the processor from the very thread they wait for: with twice as many busy
 * threads as processors, W1 of the benchmark took 0.9 s, and 0.15 s with this limit (about 0.1 ms).
 *
 * libgomp reads the limit from the environment in its constructor, which runs before main.
 * Functions in .preinit_array run earlier, but the C library takes the environment from the stack
 * after them, so that a setenv there is lost. The array on the stack cannot grow. So the limit
 * takes the place of PATH, which no constructor reads, until main begins. Without PATH there is no
 * limit.
 *
 * OpenBLAS, which igraph may bring along, starts a thread a processor when it is opened, each with
 * 128 MiB. Nothing here uses them, and where the address space is limited (ulimit -v) they try for
 * their memory for ever, and a fork or the end of the program waits for them.
 *
 * A program that embeds the library may want to set GOMP_SPINCOUNT=2000 as well. */
static char limit[] = "GOMP_SPINCOUNT=2000"; /* rounds of the waiting loop */
static char *path;                           /* the entry whose place the limit took */

static char **find(char **environment, const char *name)
{
    size_t length = strlen(name);
    for (; *environment != NULL; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return environment;
    return NULL;
}

static void limit_spinning(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    char **place = find(environment, "PATH");
    if (place == NULL || find(environment, "GOMP_SPINCOUNT") != NULL ||
        find(environment, "OMP_WAIT_POLICY") != NULL)
        return;
    path = *place;
    *place = limit;
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = limit_spinning;

void cli_restore_environment(void)
{
    for (char **entry = environ; path != NULL && *entry != NULL; entry++)
        if (*entry == limit)
            *entry = path;
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
}

/* ---- Streams --------------------------------------------------------------------------------- */

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
    if (fflush(stdout) == 0 && !had_failed && fclose(stdout) == 0)
        return;
    _exit(cli_fail(CLI_IO, "standard output: %s", strerror(errno != 0 ? errno : EIO)));
}

static void prepare_streams(void)
{
    static char buffer[1 << 16];
    /* A file opened later must not take the place of a standard stream that was closed: the gaps
     * are filled, each opened the wrong way round, so that using the stream still fails. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    /* A help text goes out at once, so that a failure is seen where errno still says why. */
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

/* ---- Commands -------------------------------------------------------------------------------- */

static char program_name[] = "pathcount"; /* also in messages of argp and getopt */

typedef struct started {
    const cli_listed_command *command;
    int argc;
    char **argv;
} started;

static int run(void *user)
{
    const started *s = user;
    return s->command->run(s->argc, s->argv);
}

static bool has_argument(int argc, char **argv, const char *text)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], text) == 0)
            return true;
    return false;
}

/* The command of that name; NULL: there is none. */
static const cli_listed_command *find_command(const char *name)
{
    for (const cli_listed_command *c = cli_commands; c->run != NULL; c++)
        if (strcmp(name, c->command->name) == 0)
            return c;
    return NULL;
}

static const cli_command *nth_command(size_t n)
{
    return cli_commands[n].command;
}

static int refuse_command(const char *name, const char *what)
{
    if (strcmp(name, "bench") == 0)
        return cli_fail(CLI_USAGE, "bench is no command any more: in the sources, 'make bench' and "
                                   "'make ladder' measure");
    cli_suggestion meant = {.typed = name};
    for (const cli_listed_command *c = cli_commands; c->run != NULL; c++)
        cli_suggest(&meant, c->command->name);
    cli_suggest(&meant, "help");
    if (meant.word[0] == '\0' && what == NULL)
        return CLI_DONE;
    return cli_fail(CLI_USAGE, "there is no %s '%s'%s (pathcount --help lists the commands)",
                    what != NULL ? what : "command, and no file,", name,
                    cli_suggestion_text(&meant));
}

/* "help" and "help batch" become "--help" and "batch --help". A command or a graph that does not
 * exist, and is nearly called like a command, is refused with a suggestion: the exit
 * code, else 0. */
static int take_help(int *argc, char **argv)
{
    static char option[] = "--help";
    const char *first = *argc > 1 ? argv[1] : "-";
    bool is_help = strcmp(first, "help") == 0 && (*argc == 2 || (*argc == 3 && argv[2][0] != '-'));
    if (is_help && *argc == 3 && find_command(argv[2]) == NULL)
        return refuse_command(argv[2], "command");
    if (is_help && *argc == 3)
        argv[1] = argv[2];
    if (is_help) {
        argv[*argc - 1] = option;
        return CLI_DONE;
    }
    bool is_known = first[0] == '-' || find_command(first) != NULL || access(first, F_OK) == 0;
    return is_known ? CLI_DONE : refuse_command(first, NULL);
}

int cli_main(int argc, char **argv)
{
    static char *no_arguments[] = {program_name, NULL};
    if (argc < 1) { /* a program that is started without even its name */
        argc = 1;
        argv = no_arguments;
    }
    cli_restore_environment();
    prepare_streams();
    if (!cli_guard_streams())
        return cli_fail_for_memory();
    cli_signals_install();
    atexit(check_stdout);
    cli_endings_install();
    argp_err_exit_status = CLI_USAGE;
    cli_know_commands(nth_command);
    int code = cli_stack_reserve();
    if (code == CLI_DONE)
        code = take_help(&argc, argv);
    if (code != CLI_DONE)
        return code;
    static char
        name[64]; /* "pathcount batch": usage and errors of the command line begin with it */
    started s = {argc > 1 ? find_command(argv[1]) : NULL, argc - 1, argv + 1};
    if (s.command != NULL)
        snprintf(name, sizeof name, "%s %s", program_name, s.command->command->name);
    else
        s = (started){cli_commands, argc, argv};
    s.argv[0] = s.command == cli_commands ? program_name : name;
    if (s.command->run != cli_batch && has_argument(s.argc, s.argv, "--json"))
        cli_errors_as_json();
    /* A batch does its jobs twice, one by one. */
    bool is_twice = s.command->run != cli_batch && has_argument(s.argc, s.argv, "--twice");
    code = is_twice ? cli_run_twice(run, &s, has_argument(s.argc, s.argv, "-")) : run(&s);
    cli_endings_done(code);
    check_stdout();
    return code;
}
