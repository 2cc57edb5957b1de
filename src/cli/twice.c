/* The first process writes down what leaves it (the record) in a file in memory. The second
 * process reads the record entry by entry, where the first one wrote it. The standard output of
 * each goes to a file in memory. The process that makes the two has next to nothing in its own
 * memory: it compares their exit codes and outputs, and the kernel writes the output from such a
 * file. */
#define _GNU_SOURCE /* memfd_create, TEMP_FAILURE_RETRY */
#include "src/cli/twice.h"
#include "tool.h"

#include "src/cli/files.h"
#include "src/cli/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 16 };

static enum { ONCE, FIRST, SECOND } role;
static int record = -1;

bool cli_is_twice(void)
{
    return role != ONCE;
}

bool cli_is_first_of_two(void)
{
    return role == FIRST;
}

/* ---- The record ------------------------------------------------------------------------------ */

/* Digests of a path and of the bytes of its file. */
typedef struct entry {
    char about[CLI_DIGEST_SIZE], found[CLI_DIGEST_SIZE];
} entry;

/* Adds the entry to the record in the first process; tells in the second one whether it is the
 * next entry there. */
static bool is_same(const entry *e)
{
    entry other;
    if (role == FIRST)
        return TEMP_FAILURE_RETRY(write(record, e, sizeof *e)) == sizeof *e;
    return TEMP_FAILURE_RETRY(read(record, &other, sizeof other)) == sizeof other &&
           memcmp(e, &other, sizeof other) == 0;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static pc_status release(void *user, const char *path, int file, int *is_withheld)
{
    entry e;
    cli_digest_texts(1, &path, e.about);
    if (!cli_digest_open_file(file, e.found))
        return pc_context_fail(user, PC_ERR_IO, "--twice: a file cannot be read back");
    *is_withheld = role == FIRST;
    if (is_same(&e))
        return PC_OK;
    return pc_context_fail(
        user, PC_ERR_CERTIFY,
        "--twice: the two processes made different files: nothing was written. Memory "
        "or processor may be defective");
}

void cli_twice_attach(pc_context *context)
{
    if (role != ONCE)
        pc_context_set_release(context, release, context);
}

void cli_twice_measured(void *bytes, size_t n_bytes)
{
    if (role == FIRST)
        (void)!write(record, bytes,
                     n_bytes); /* an incomplete record is found in the second process */
    else if (role == SECOND && read(record, bytes, n_bytes) != (ssize_t)n_bytes)
        memset(bytes, 0, n_bytes);
}

/* ---- Standard output ------------------------------------------------------------------------- */

static bool map_file(int file, const char **bytes, size_t *n)
{
    struct stat info;
    *bytes = "";
    if (fstat(file, &info) != 0)
        return false;
    *n = (size_t)info.st_size;
    if (*n > 0)
        *bytes = mmap(NULL, *n, PROT_READ, MAP_SHARED, file, 0);
    return *bytes != MAP_FAILED;
}

static int fail_output(void)
{
    return cli_fail(CLI_IO, "standard output: %s", strerror(errno != 0 ? errno : EIO));
}

/* A terminal gets the bytes through the stream, which guards it (guard.h). */
static int write_output(const char *bytes, size_t n)
{
    if (isatty(STDOUT_FILENO))
        return fwrite(bytes, 1, n, stdout) == n && fflush(stdout) == 0 ? CLI_DONE : fail_output();
    while (n > 0) {
        ssize_t done = write(STDOUT_FILENO, bytes, n);
        if (done < 0 && errno != EINTR)
            return fail_output();
        bytes += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return CLI_DONE;
}

/* Writes what both processes printed. */
static int release_output(const int outputs[2])
{
    const char *one, *other;
    size_t n_one, n_other;
    if (!map_file(outputs[0], &one, &n_one) || !map_file(outputs[1], &other, &n_other))
        return fail_output();
    if (n_one != n_other || memcmp(one, other, n_one) != 0)
        return cli_fail(
            CLI_INTERNAL,
            "--twice: the two processes printed different answers: neither is shown. Memory "
            "or processor may be defective");
    return write_output(one, n_one);
}

/* ---- The two processes ----------------------------------------------------------------------- */

/* Standard input as a file in memory, which can be read twice. */
static bool keep_input(void)
{
    char piece[PIECE_BYTES];
    ssize_t n;
    int kept = memfd_create("pathcount-input", MFD_CLOEXEC);
    while (kept >= 0 && (n = TEMP_FAILURE_RETRY(read(STDIN_FILENO, piece, sizeof piece))) != 0)
        if (n < 0 || TEMP_FAILURE_RETRY(write(kept, piece, (size_t)n)) != n)
            return false;
    return kept >= 0 && dup2(kept, STDIN_FILENO) >= 0;
}

/* When this process ends by a signal, those that it made get one, too, and clean up. */
static _Noreturn void be_process(cli_run_fn run, void *user, int output)
{
    int nothing = role == FIRST ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(output, STDOUT_FILENO);
    if (nothing >= 0)
        dup2(nothing, STDERR_FILENO); /* the second process has the same to say */
    int code = run(user);
    _exit(fflush(stdout) == 0 ? code : CLI_IO);
}

/* Returns how run ended in a process of its own: as of waitpid(), or -1 with errno. */
static int run_apart(cli_run_fn run, void *user, bool reads_input, int output)
{
    int how = -1;
    lseek(record, 0, SEEK_SET);
    if (reads_input)
        lseek(STDIN_FILENO, 0, SEEK_SET);
    pid_t process = fork();
    if (process == 0)
        be_process(run, user, output);
    while (process > 0 && waitpid(process, &how, 0) < 0 && errno == EINTR)
        ;
    return how;
}

/* The second process has the same to say as the first one, but for what only the first one met:
 * a lack of memory is no defect. */
static int fail_first(int how)
{
    int code = WEXITSTATUS(how);
    return cli_fail(code == CLI_UNAVAILABLE ? code : CLI_INTERNAL,
                    "--twice: the first process ended with status %d, the second one with 0: "
                    "nothing is shown. %s",
                    code,
                    code == CLI_UNAVAILABLE ? "The first one lacked memory or an engine: try again"
                                            : "Memory or processor may be defective");
}

/* True when the second process came to the end of the record. */
static bool is_read_whole(void)
{
    struct stat info;
    return fstat(record, &info) == 0 && lseek(record, 0, SEEK_CUR) == info.st_size;
}

static int fail_process(const char *which, int how)
{
    if (how == -1)
        return cli_fail(CLI_UNAVAILABLE, "--twice: cannot start a process: %s", strerror(errno));
    return cli_fail(CLI_INTERNAL, "--twice: the %s process was ended by signal %d (%s)", which,
                    WTERMSIG(how), strsignal(WTERMSIG(how)));
}

static int run_both(cli_run_fn run, void *user, bool reads_input, const int outputs[2])
{
    if (outputs[0] < 0 || outputs[1] < 0 || record < 0 || (reads_input && !keep_input()))
        return cli_fail(CLI_UNAVAILABLE, "--twice: %s", strerror(errno));
    fflush(NULL);
    role = FIRST;
    int first = run_apart(run, user, reads_input, outputs[0]);
    if (!WIFEXITED(first))
        return fail_process("first", first);
    role = SECOND;
    int second = run_apart(run, user, reads_input, outputs[1]);
    if (!WIFEXITED(second))
        return fail_process("second", second);
    if (WEXITSTATUS(second) != CLI_DONE)
        return WEXITSTATUS(second); /* it said why */
    if (first != second)
        return fail_first(first);
    if (!is_read_whole())
        return cli_fail(CLI_INTERNAL, "--twice: the first process wrote more than the second one: "
                                      "nothing is shown. Memory or processor may be defective");
    return release_output(outputs);
}

int cli_run_twice(cli_run_fn run, void *user, bool reads_input)
{
    int outputs[2] = {memfd_create("pathcount-first", MFD_CLOEXEC),
                      memfd_create("pathcount-second", MFD_CLOEXEC)};
    record = memfd_create("pathcount-record", MFD_CLOEXEC);
    int code = run_both(run, user, reads_input, outputs);
    role = ONCE;
    close(outputs[0]);
    close(outputs[1]);
    close(record);
    return code;
}
