/* SIGINT, SIGTERM and SIGHUP end the command with exit code 128 + signal and leave nothing behind.
 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

/* From here on a signal ends the process at once: there is nothing to clean up yet. A signal that
 * was ignored when the command started stays ignored. */
void cli_signals_install(void);

/* They do again what they do by themselves: for a process that another one looks after. SIGPIPE and
 * SIGXFSZ stay ignored: they are errors of write(). */
void cli_signals_restore(void);

/* From here on a signal is only remembered: a temporary file may have to be removed first. */
void cli_signals_defer(void);

/* The signal that is remembered, 0 when there is none. */
int cli_signals_pending(void);

#endif
