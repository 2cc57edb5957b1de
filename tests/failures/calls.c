/* A filter of seccomp stops the program before each call that can fail. The tracer then lets it pass,
 * skips it with an error as its result, or makes its count of bytes 1. A close is done before it fails,
 * as Linux does. So the failures reach every library, the C library included. */
#include "tests/failures/calls.h"

#include "tests/failures/request_table.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const int of_read[] = {EIO, EINTR, CALL_SHORT, 0},
                 of_write[] = {ENOSPC, EIO, EINTR, CALL_SHORT, 0},
                 of_open[] = {EIO, EMFILE, EINTR, 0}, of_close[] = {EIO, EINTR, 0},
                 of_sync[] = {EIO, ENOSPC, EINTR, 0}, of_name[] = {EIO, ENOSPC, 0},
                 of_map[] = {ENOMEM, 0}, of_process[] = {EAGAIN, 0}, of_wait[] = {EINTR, 0},
                 of_state[] = {EIO, 0}, of_lock[] = {EINTR, ENOLCK, 0};

enum { READ, WRITE, OPEN, CLOSE, SYNC, NAME, MAP, PROCESS, WAIT, STATE, LOCK };

const call_kind call_kinds[] = {
    [READ] = {"read", of_read},    [WRITE] = {"write", of_write},       [OPEN] = {"open", of_open},
    [CLOSE] = {"close", of_close}, [SYNC] = {"sync", of_sync},          [NAME] = {"name", of_name},
    [MAP] = {"map", of_map},       [PROCESS] = {"process", of_process}, [WAIT] = {"wait", of_wait},
    [STATE] = {"state", of_state}, [LOCK] = {"lock", of_lock},          {NULL, NULL},
};

static const struct {
    int number;
    int kind;
} listed[] = {
    {SYS_read, READ},
    {SYS_pread64, READ},
    {SYS_readv, READ},
    {SYS_write, WRITE},
    {SYS_pwrite64, WRITE},
    {SYS_writev, WRITE},
    {SYS_openat, OPEN},
    {SYS_close, CLOSE},
    {SYS_fsync, SYNC},
    {SYS_fdatasync, SYNC},
    {SYS_ftruncate, SYNC},
    {SYS_fallocate, SYNC},
    {SYS_renameat, NAME},
    {SYS_renameat2, NAME},
    {SYS_linkat, NAME},
    {SYS_unlinkat, NAME},
    {SYS_mkdirat, NAME},
    {SYS_fchmod, NAME},
    {SYS_symlinkat, NAME},
    {SYS_mmap, MAP},
    {SYS_mremap, MAP},
    {SYS_memfd_create, OPEN},
    {SYS_clone, PROCESS},
    {SYS_clone3, PROCESS},
    {SYS_wait4, WAIT},
    {SYS_waitid, WAIT},
    {SYS_ppoll, WAIT},
    {SYS_getrandom, WAIT},
    {SYS_clock_nanosleep, WAIT},
    {SYS_newfstatat, STATE},
    {SYS_fstat, STATE},
    {SYS_statx, STATE},
    {SYS_lseek, STATE},
    {SYS_getdents64, STATE},
    {SYS_pipe2, STATE},
    {SYS_dup, STATE},
    {SYS_dup3, STATE},
    {SYS_readlinkat, STATE},
    {SYS_faccessat, STATE},
    {SYS_faccessat2, STATE},
    {SYS_socketpair, STATE},
    {SYS_fcntl, STATE},
    {SYS_sched_getaffinity, STATE},
    {SYS_prlimit64, STATE},
    {SYS_sendfile, WRITE},
    {SYS_copy_file_range, WRITE},
    {SYS_flock, LOCK},
#ifdef __x86_64__
    {SYS_open, OPEN},
    {SYS_creat, OPEN},
    {SYS_rename, NAME},
    {SYS_link, NAME},
    {SYS_unlink, NAME},
    {SYS_mkdir, NAME},
    {SYS_rmdir, NAME},
    {SYS_symlink, NAME},
    {SYS_chmod, NAME},
    {SYS_fork, PROCESS},
    {SYS_vfork, PROCESS},
    {SYS_poll, WAIT},
    {SYS_stat, STATE},
    {SYS_lstat, STATE},
    {SYS_dup2, STATE},
    {SYS_readlink, STATE},
    {SYS_access, STATE},
#endif
};
enum { N_LISTED = sizeof listed / sizeof *listed };

static int kind_of(long number)
{
    for (int l = 0; l < N_LISTED; l++)
        if (listed[l].number == number)
            return listed[l].kind;
    return -1;
}

#ifdef __x86_64__

bool calls_trace_me(void)
{
    struct sock_filter code[N_LISTED + 3];
    int n = 0;
    code[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int l = 0; l < N_LISTED; l++)
        code[n++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)listed[l].number,
                                         (unsigned char)(N_LISTED - l), 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog filter = {(unsigned short)n, code};
    return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 && raise(SIGSTOP) == 0 &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* Threads whose close is under way, to fail at its end; and those that write counters of coverage. */
enum { MOST_PENDING = 64, MOST_ENDED = 64 };
typedef struct follower {
    const call_failure *failure;
    call_log *log;
    pid_t child; /* the program; others are forked by it */
    bool has_begun;
    int n_failed, n_ended;
    pid_t ended[MOST_ENDED];
    struct {
        pid_t thread;
        int how;
    } pending[MOST_PENDING];
} follower;

static void set_pending(follower *f, pid_t thread, int how)
{
    for (int p = 0; p < MOST_PENDING; p++)
        if (f->pending[p].thread == 0 || f->pending[p].thread == thread) {
            f->pending[p].thread = thread;
            f->pending[p].how = how;
            return;
        }
}

static int take_pending(follower *f, pid_t thread)
{
    for (int p = 0; p < MOST_PENDING; p++)
        if (f->pending[p].thread == thread) {
            f->pending[p].thread = 0;
            return f->pending[p].how;
        }
    return 0;
}

static bool has_ended(const follower *f, pid_t thread)
{
    for (int e = 0; e < f->n_ended; e++)
        if (f->ended[e] == thread)
            return true;
    return false;
}

/* Notes the call; returns how it is to fail, 0: not at all. */
static int decide(follower *f, const call *now)
{
    call_log *log = f->log;
    if (log->n < CALLS_MOST)
        log->call[log->n] = *now;
    log->n++;
    const call_failure *failure = f->failure;
    if (failure->position == 0 || log->n < failure->position || now->kind != failure->kind ||
        (f->n_failed > 0 && (!failure->for_ever || now->is_message)))
        return 0;
    f->n_failed++;
    log->is_message_lost |= now->is_message;
    return failure->how;
}

/* Before a call: returns how the thread goes on. */
static int at_call(follower *f, pid_t thread)
{
    struct user_regs_struct now;
    if (has_ended(f, thread) || ptrace(PTRACE_GETREGS, thread, 0, &now) != 0)
        return PTRACE_CONT;
    int kind = kind_of((long)now.orig_rax);
    if (!f->has_begun) {
        f->has_begun = kind == CLOSE && (int)now.rdi == REQUESTS_BEGIN;
        return PTRACE_CONT;
    }
    if (kind == CLOSE && (int)now.rdi == REQUESTS_END && f->n_ended < MOST_ENDED) {
        f->ended[f->n_ended++] = thread;
        return PTRACE_CONT;
    }
    bool is_anonymous_file = now.orig_rax == SYS_close && (int)now.rdi < 0;
    const call made = {.kind = (short)kind,
                       .number = (short)now.orig_rax,
                       .is_message = kind == WRITE && now.rdi == STDERR_FILENO,
                       .is_forked = thread != f->child};
    int how = is_anonymous_file ? 0 : decide(f, &made);
    if (how == 0)
        return PTRACE_CONT;
    if (how == CALL_KILL) {
        kill(f->child, SIGKILL);
        return PTRACE_CONT;
    }
    if (kind == CLOSE) {
        set_pending(f, thread, how);
        return PTRACE_SYSCALL;
    }
    if (how == CALL_SHORT) {
        if (now.rdx > 1 && now.orig_rax != SYS_readv && now.orig_rax != SYS_writev)
            now.rdx = 1;
    } else {
        now.orig_rax = (unsigned long long)-1;
        now.rax = (unsigned long long)-(long long)how;
    }
    ptrace(PTRACE_SETREGS, thread, 0, &now);
    return PTRACE_CONT;
}

static void after_close(follower *f, pid_t thread)
{
    struct user_regs_struct now;
    int how = take_pending(f, thread);
    if (how == 0 || ptrace(PTRACE_GETREGS, thread, 0, &now) != 0)
        return;
    now.rax = (unsigned long long)-(long long)how;
    ptrace(PTRACE_SETREGS, thread, 0, &now);
}

int calls_follow(pid_t child, const call_failure *failure, call_log *log)
{
    const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                         PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL |
                         PTRACE_O_TRACESYSGOOD;
    follower f = {.failure = failure, .log = log, .child = child};
    int status = 0, result = 0;
    log->n = 0;
    log->is_message_lost = false;
    waitpid(child, &status, 0);
    ptrace(PTRACE_SETOPTIONS, child, 0, options);
    ptrace(PTRACE_CONT, child, 0, 0);
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
        if (thread < 0)
            continue;
        if (!WIFSTOPPED(status)) {
            if (thread == child)
                result = status;
            continue;
        }
        int event = status >> 16, signal = WSTOPSIG(status), how = PTRACE_CONT;
        bool is_ours = true;
        if (event == PTRACE_EVENT_SECCOMP)
            how = at_call(&f, thread);
        else if (signal == (SIGTRAP | 0x80))
            after_close(&f, thread);
        else
            is_ours = event != 0 || signal == SIGSTOP || signal == SIGTRAP;
        ptrace(how, thread, 0, is_ours ? 0 : signal);
    }
    return result;
}

#else

bool calls_trace_me(void)
{
    return false;
}

int calls_follow(pid_t child, const call_failure *failure, call_log *log)
{
    int status = 0;
    (void)failure;
    log->n = 0;
    waitpid(child, &status, 0);
    return status;
}

#endif
