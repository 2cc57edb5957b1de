/* SIGINT, SIGTERM and SIGHUP end the command with exit code 128 + signal and leave nothing behind.
 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

/* From here on a signal ends the process at once: there is nothing to clean up yet. A signal that
 * was ignored when the command started stays ignored. */
void cli_signals_install(void);

/* Restores the default actions, for a worker process. SIGPIPE and SIGXFSZ stay ignored, because
 * they become errors of write(). */
void cli_signals_restore(void);

/* From here on a signal only sets a flag, because a temporary file may have to be removed first. */
void cli_signals_defer(void);

/* The signal that set the flag; 0: none. */
int cli_signals_pending(void);

#endif
