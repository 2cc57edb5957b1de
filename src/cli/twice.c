/* --twice: the command runs twice, in two processes, one after the other, and compares everything
 * that leaves it: the bytes of each file, read back from the disk before the file gets its name,
 * the bytes for standard output, and the exit code. Damage to the memory of one process is found,
 * wherever it strikes: also in names, labels, texts and buffers, which no certificate of a count
 * covers.
 *
 * The first process writes down what leaves it (the record) in a file in memory. The second
 * process reads the record entry by entry, where the first one wrote it. The standard output of
 * each goes to a file in memory. The process that makes the two has next to nothing in its own
 * memory: it compares their exit codes and outputs, and the kernel writes the output from such a
 * file. */
#define _GNU_SOURCE /* memfd_create, TEMP_FAILURE_RETRY */
#include "src/cli/process.h"
#include "tool.h"

#include "src/cli/files.h"

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

/* Adds the digests of a path and of the bytes of its file to the record in the first process; in the
 * second one they must be the next ones there. */
static pc_status release(void *user, const char *path, int file, int *is_withheld)
{
    struct {
        char about[CLI_DIGEST_SIZE], found[CLI_DIGEST_SIZE];
    } e, other;
    cli_digest_texts(1, &path, e.about);
    if (!cli_digest_open_file(file, e.found))
        return pc_context_fail(user, PC_ERR_IO, "--twice: a file cannot be read back");
    *is_withheld = role == FIRST;
    if (role == FIRST ? TEMP_FAILURE_RETRY(write(record, &e, sizeof e)) == sizeof e
                      : TEMP_FAILURE_RETRY(read(record, &other, sizeof other)) == sizeof other &&
                            memcmp(&e, &other, sizeof other) == 0)
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

/* ---- The two processes ----------------------------------------------------------------------- */

/* Writes what both processes printed. A terminal gets the bytes through the stream, which guards
 * it. */
static int release_output(const int outputs[2])
{
    const char *bytes[2] = {"", ""};
    struct stat info[2];
    bool is_done = true;
    for (int i = 0; i < 2 && is_done; i++) {
        is_done = fstat(outputs[i], &info[i]) == 0;
        if (is_done && info[i].st_size > 0)
            bytes[i] = mmap(NULL, (size_t)info[i].st_size, PROT_READ, MAP_SHARED, outputs[i], 0);
        is_done = is_done && bytes[i] != MAP_FAILED;
    }
    size_t n = is_done ? (size_t)info[0].st_size : 0;
    if (is_done && (info[0].st_size != info[1].st_size || memcmp(bytes[0], bytes[1], n) != 0))
        return cli_fail(
            CLI_INTERNAL,
            "--twice: the two processes printed different answers: neither is shown. Memory "
            "or processor may be defective");
    if (is_done)
        is_done = isatty(STDOUT_FILENO) ? fwrite(bytes[0], 1, n, stdout) == n && fflush(stdout) == 0
                                        : cli_write_all(STDOUT_FILENO, bytes[0], n);
    return is_done ? CLI_DONE
                   : cli_fail(CLI_IO, "standard output: %s", strerror(errno != 0 ? errno : EIO));
}

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

/* Returns how run ended in a process of its own, as of waitpid(). When this process ends by a
 * signal, the one that it made gets one, too, and cleans up. Prints why
 * where it did not exit. */
static int run_apart(cli_run_fn run, void *user, bool reads_input, int output)
{
    int how = -1;
    lseek(record, 0, SEEK_SET);
    if (reads_input)
        lseek(STDIN_FILENO, 0, SEEK_SET);
    pid_t process = fork();
    if (process == 0) {
        int nothing = role == FIRST ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(output, STDOUT_FILENO);
        if (nothing >= 0)
            dup2(nothing, STDERR_FILENO); /* the second process has the same to say */
        int code = run(user);
        _exit(fflush(stdout) == 0 ? code : CLI_IO);
    }
    while (process > 0 && waitpid(process, &how, 0) < 0 && errno == EINTR)
        ;
    if (how == -1)
        cli_fail(CLI_UNAVAILABLE, "--twice: cannot start a process: %s", strerror(errno));
    else if (!WIFEXITED(how))
        cli_fail(CLI_INTERNAL, "--twice: the %s process was ended by signal %d (%s)",
                 role == FIRST ? "first" : "second", WTERMSIG(how), strsignal(WTERMSIG(how)));
    return how;
}

static int run_both(cli_run_fn run, void *user, bool reads_input, const int outputs[2])
{
    struct stat info;
    int ends[2] = {-1, -1};
    if (outputs[0] < 0 || outputs[1] < 0 || record < 0 || (reads_input && !keep_input()))
        return cli_fail(CLI_UNAVAILABLE, "--twice: %s", strerror(errno));
    fflush(NULL);
    for (role = FIRST; role <= SECOND; role++) {
        int how = ends[role - FIRST] = run_apart(run, user, reads_input, outputs[role - FIRST]);
        if (how == -1 || !WIFEXITED(how))
            return how == -1 ? CLI_UNAVAILABLE : CLI_INTERNAL;
    }
    int code = WEXITSTATUS(ends[0]);
    if (WEXITSTATUS(ends[1]) != CLI_DONE)
        return WEXITSTATUS(ends[1]); /* it said why */
    if (code != CLI_DONE)            /* a lack of memory is no defect */
        return cli_fail(code == CLI_UNAVAILABLE ? code : CLI_INTERNAL,
                        "--twice: the first process ended with status %d, the second one with 0: "
                        "nothing is shown. %s",
                        code,
                        code == CLI_UNAVAILABLE
                            ? "The first one lacked memory or an engine: try again"
                            : "Memory or processor may be defective");
    if (fstat(record, &info) != 0 || lseek(record, 0, SEEK_CUR) != info.st_size)
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
