/* Starts workers, exchanges tasks and reports with them, and finds out why one has died. */
#define _GNU_SOURCE /* pipe2, memfd_create, TEMP_FAILURE_RETRY */
#include "src/cli/batch/worker.h"

#include "src/cli/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

_Static_assert(sizeof(cli_job_report) <= PIPE_BUF, "a report goes through the pipe whole");

enum { MAX_ERROR_BYTES = 8192 };

/* ---- Starting ------------------------------------------------------------------------------ */

static void close_if_open(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

void cli_process_close(cli_process *process)
{
    close_if_open(&process->reports);
    close_if_open(&process->tasks);
    close_if_open(&process->errors);
    process->pid = 0;
}

/* Asks the system to kill this process when its parent ends. The parent may have ended before that
 * call; then this process has another parent. */
static void die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(CLI_SIGNAL + SIGKILL);
}

/* Writes a setting of this process. Where the system refuses it, the process continues without it. */
static void write_setting(const char *path, const char *value)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t ignored = write(file, value, strlen(value));
    (void)ignored;
    close(file);
}

void cli_process_reset_peak(void)
{
    write_setting("/proc/self/clear_refs", "5");
}

static _Noreturn void become(const cli_process *self, pid_t parent, cli_process_fn body, void *user)
{
    setpgid(0, 0);
    cli_signals_restore();
    die_with(parent);
    /* When memory runs out, the system ends a worker first, and not the supervisor. */
    write_setting("/proc/self/oom_score_adj", "500");
    body(user, self);
    _exit(CLI_DONE);
}

/* A file in memory to which every write appends; -1 with errno. */
static int open_errors(void)
{
    int file = memfd_create("pathcount-errors", MFD_CLOEXEC);
    if (file >= 0)
        fcntl(file, F_SETFL, O_APPEND);
    return file;
}

static bool open_pipe(int *read_end, int *write_end)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *read_end = ends[0];
    *write_end = ends[1];
    return true;
}

bool cli_process_start(cli_process *process, bool takes_tasks, cli_process_fn body, void *user)
{
    cli_process ours = {0, -1, -1, open_errors()}, theirs = {0, -1, -1, -1};
    pid_t parent = getpid(), pid = -1;
    fflush(NULL); /* else both processes print what is in buffers */
    if (ours.errors >= 0 && open_pipe(&ours.reports, &theirs.reports) &&
        (!takes_tasks || open_pipe(&theirs.tasks, &ours.tasks)))
        pid = fork();
    int reason = errno;
    if (pid == 0) {
        theirs.errors = ours.errors;
        ours.errors = -1;
        cli_process_close(&ours);
        become(&theirs, parent, body, user);
    }
    cli_process_close(&theirs);
    ours.pid = pid;
    if (pid > 0)
        *process = ours;
    else
        cli_process_close(&ours);
    errno = reason;
    return pid > 0;
}

/* ---- Tasks and reports --------------------------------------------------------------------- */

static void send_bytes(int pipe, const void *bytes, size_t n_bytes)
{
    ssize_t ignored = TEMP_FAILURE_RETRY(write(pipe, bytes, n_bytes));
    (void)ignored;
}

static bool read_bytes(int pipe, void *bytes, size_t n_bytes)
{
    return TEMP_FAILURE_RETRY(read(pipe, bytes, n_bytes)) == (ssize_t)n_bytes;
}

void cli_process_send_report(const cli_process *self, const cli_job_report *report)
{
    send_bytes(self->reports, report, sizeof *report);
}

void cli_process_send_task(const cli_process *process, const cli_task *task)
{
    send_bytes(process->tasks, task, sizeof *task);
}

bool cli_process_read_report(const cli_process *process, cli_job_report *report)
{
    return read_bytes(process->reports, report, sizeof *report);
}

bool cli_process_read_task(const cli_process *self, cli_task *task)
{
    return read_bytes(self->tasks, task, sizeof *task);
}

/* ---- Standard error ------------------------------------------------------------------------ */

/* The end of a file as text. */
static void read_end(int file, char text[MAX_ERROR_BYTES + 1])
{
    struct stat info;
    off_t from = fstat(file, &info) == 0 && info.st_size > MAX_ERROR_BYTES
                     ? info.st_size - MAX_ERROR_BYTES
                     : 0;
    ssize_t n = pread(file, text, MAX_ERROR_BYTES, from);
    n = n > 0 ? n : 0;
    for (ssize_t i = 0; i < n; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    text[n] = '\0';
}

void cli_process_last_message(const cli_process *process, char *text, size_t size)
{
    static const char ours[] = "pathcount: ";
    char all[MAX_ERROR_BYTES + 1];
    const char *last = "";
    bool is_ours = false;
    read_end(process->errors, all);
    for (char *rest = all, *line; (line = strsep(&rest, "\n")) != NULL;) {
        bool begins = strncmp(line, ours, sizeof ours - 1) == 0;
        if (line[0] == '\0' || (is_ours && !begins))
            continue;
        last = begins ? line + sizeof ours - 1 : line;
        is_ours = begins;
    }
    snprintf(text, size, "%s", last);
}

/* ---- Ending -------------------------------------------------------------------------------- */

void cli_process_reap(cli_process *process)
{
    int status;
    TEMP_FAILURE_RETRY(waitpid(process->pid, &status, 0));
    cli_process_close(process);
}

void cli_process_reap_failed(cli_process *process, cli_job_report *report)
{
    int status = 0;
    struct rusage usage = {0};
    char reason[120], last[sizeof report->message - 128];
    TEMP_FAILURE_RETRY(wait4(process->pid, &status, 0, &usage));
    cli_process_last_message(process, last, sizeof last);
    cli_process_close(process);
    *report =
        (cli_job_report){.outcome = CLI_JOB_FAILED,
                         .exit = WIFSIGNALED(status) ? CLI_SIGNAL + WTERMSIG(status) : CLI_INTERNAL,
                         .peak_memory_bytes = (uint64_t)usage.ru_maxrss << 10};
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        snprintf(reason, sizeof reason, "killed (signal 9): most likely out of memory");
    else if (WIFSIGNALED(status))
        snprintf(reason, sizeof reason, "ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(reason, sizeof reason, "ended with exit code %d before it was done",
                 WEXITSTATUS(status));
    snprintf(report->message, sizeof report->message, "%s%s%s", reason, last[0] != '\0' ? ": " : "",
             last);
}
