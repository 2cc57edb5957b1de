/* Starting a worker, hearing from it, and finding out why it died. */
#define _GNU_SOURCE /* pipe2 */
#include "src/cli/batch/process.h"

#include "src/cli/batch/notes.h"
#include "src/cli/exit_codes.h"
#include "src/cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

_Static_assert(sizeof(cli_job_report) <= PIPE_BUF, "a report goes through the pipe whole");

enum { READ_END, WRITE_END };

/* ---- Starting ------------------------------------------------------------------------------ */

static void close_if_open(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

static void close_both(int ends[2])
{
    close_if_open(&ends[READ_END]);
    close_if_open(&ends[WRITE_END]);
}

/* Asks the system to kill this process when its parent ends. The parent may have ended before that
 * call; then this process has another parent. */
static void die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(CLI_SIGNAL + SIGKILL);
}

/* Writes a setting of this process. Where the system refuses it, the process continues without
 * it. */
static void wish(const char *path, const char *value)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t ignored = write(file, value, strlen(value));
    (void)ignored;
    close(file);
}

/* When memory runs out, the system ends a worker first, and not the supervisor. */
static void be_ended_first(void)
{
    wish("/proc/self/oom_score_adj", "500");
}

void cli_process_reset_peak(void)
{
    wish("/proc/self/clear_refs", "5");
}

static _Noreturn void become(const cli_process *self, pid_t parent, cli_process_fn body, void *user)
{
    setpgid(0, 0);
    cli_signals_restore();
    die_with(parent);
    be_ended_first();
    body(user, self);
    _exit(CLI_DONE);
}

static bool open_pipes(bool takes_orders, int reports[2], int orders[2])
{
    return pipe2(reports, O_CLOEXEC) == 0 && (!takes_orders || pipe2(orders, O_CLOEXEC) == 0);
}

bool cli_process_start(cli_process *process, bool takes_orders, cli_process_fn body, void *user)
{
    int reports[2] = {-1, -1}, orders[2] = {-1, -1}, notes = cli_notes_open();
    pid_t parent = getpid(), pid = -1;
    fflush(NULL); /* what is in buffers is not to be printed twice */
    if (notes >= 0 && open_pipes(takes_orders, reports, orders))
        pid = fork();
    int reason = errno;
    if (pid == 0) {
        close_if_open(&reports[READ_END]);
        close_if_open(&orders[WRITE_END]);
        become(&(cli_process){0, reports[WRITE_END], orders[READ_END], notes}, parent, body, user);
    }
    if (pid < 0) {
        close_both(reports);
        close_both(orders);
        close_if_open(&notes);
        errno = reason;
        return false;
    }
    close_if_open(&reports[WRITE_END]);
    close_if_open(&orders[READ_END]);
    *process = (cli_process){pid, reports[READ_END], orders[WRITE_END], notes};
    return true;
}

/* ---- Reports ------------------------------------------------------------------------------- */

void cli_process_report(const cli_process *self, const cli_job_report *report)
{
    while (write(self->reports, report, sizeof *report) < 0 && errno == EINTR)
        ;
}

bool cli_process_hear(const cli_process *process, cli_job_report *report)
{
    ssize_t n;
    while ((n = read(process->reports, report, sizeof *report)) < 0 && errno == EINTR)
        ;
    return n == (ssize_t)sizeof *report;
}

/* ---- Ending -------------------------------------------------------------------------------- */

void cli_process_forget(cli_process *process)
{
    close_if_open(&process->reports);
    close_if_open(&process->orders);
    close_if_open(&process->notes);
    process->pid = 0;
}

static void wait_for(pid_t pid, int *status, struct rusage *usage)
{
    while (wait4(pid, status, 0, usage) < 0 && errno == EINTR)
        ;
}

void cli_process_end(cli_process *process)
{
    int status;
    wait_for(process->pid, &status, NULL);
    cli_process_forget(process);
}

static void say_why(int status, const char *last_words, cli_job_report *report)
{
    char *text = report->message;
    size_t size = sizeof report->message;
    const char *colon = last_words[0] != '\0' ? ": " : "";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        snprintf(text, size, "killed (signal 9): most likely out of memory%s%s", colon, last_words);
    else if (WIFSIGNALED(status))
        snprintf(text, size, "ended by signal %d (%s)%s%s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)), colon, last_words);
    else
        snprintf(text, size, "ended with exit code %d before it was done%s%s", WEXITSTATUS(status),
                 colon, last_words);
    report->exit = WIFSIGNALED(status) ? CLI_SIGNAL + WTERMSIG(status) : CLI_INTERNAL;
}

void cli_process_bury(cli_process *process, cli_job_report *report)
{
    int status = 0;
    struct rusage usage = {0};
    char last_words[sizeof report->message - 128];
    wait_for(process->pid, &status, &usage);
    cli_notes_last(process->notes, last_words, sizeof last_words);
    *report = (cli_job_report){.outcome = CLI_JOB_FAILED,
                               .peak_memory_bytes = (uint64_t)usage.ru_maxrss << 10};
    say_why(status, last_words, report);
    cli_process_forget(process);
}
