/* The handler either ends the process at once or sets a flag that the progress callback reads.
 * Both are safe at any point of the program, also inside a blocking read of standard input. */
#include "src/cli/signals.h"

#include "src/cli/exit_codes.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t is_deferred;
static volatile sig_atomic_t pending;

static void on_signal(int number)
{
    static const char sentence[] = "\npathcount: interrupted\n";
    if (is_deferred) {
        pending = number;
        return;
    }
    ssize_t ignored = write(STDERR_FILENO, sentence, sizeof sentence - 1);
    (void)ignored;
    _exit(CLI_SIGNAL + number);
}

/* Signals that were ignored stay ignored. */
static void handle(void (*handler)(int))
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction action, old;
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        action.sa_handler = handler;
        action.sa_flags = SA_RESTART;
        sigfillset(&action.sa_mask);
        sigaction(ending[i], &action, NULL);
    }
}

void cli_signals_install(void)
{
    handle(on_signal);
    /* These become errors of write(), which are reported like any other. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void cli_signals_restore(void)
{
    handle(SIG_DFL);
}

void cli_signals_defer(void)
{
    is_deferred = 1;
}

int cli_signals_pending(void)
{
    return pending;
}
