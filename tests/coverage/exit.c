/* A shared object in a build that measures coverage. A process that leaves by _exit, or that its parent kills, runs
 * no destructor, so its counters would be lost: the _exit and kill here have it write them first. */
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_MODULES = 16 };
static void (*dumps[MOST_MODULES])(void);
static atomic_size_t n_dumps;

void coverage_add(void (*dump)(void));
void fake_memory_end(void)
    __attribute__((weak)); /* tests/fakes/fake_memory.c, where it is loaded */

void coverage_add(void (*dump)(void))
{
    size_t i = atomic_fetch_add(&n_dumps, 1);
    if (i < MOST_MODULES)
        dumps[i] = dump;
}

static void dump_all(void)
{
    if (fake_memory_end != NULL)
        fake_memory_end();
    size_t n = atomic_exchange(&n_dumps, 0);
    for (size_t i = 0; i < n && i < MOST_MODULES; i++)
        dumps[i]();
}

/* The signal that goes before SIGKILL. */
static void on_end(int signal)
{
    (void)signal;
    dump_all();
    syscall(SYS_kill, getpid(), SIGKILL);
}

__attribute__((constructor)) static void await_end(void)
{
    signal(SIGUSR2, on_end);
}

/* A child has two seconds to write its counters. */
int kill(pid_t process, int number)
{
    siginfo_t info = {0};
    const struct timespec moment = {0, 5000000};
    if (number == SIGKILL && process > 0 && syscall(SYS_kill, process, SIGUSR2) == 0)
        for (int i = 0; i < 400 && info.si_pid == 0; i++)
            if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
                nanosleep(&moment, NULL) != 0)
                break;
    return (int)syscall(SYS_kill, process, number);
}

void _exit(int status)
{
    dump_all();
    for (;;)
        syscall(SYS_exit_group, status);
}
