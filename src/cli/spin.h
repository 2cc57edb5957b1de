/* How long idle threads keep a processor busy. */
#ifndef CLI_SPIN_H
#define CLI_SPIN_H

/* What spin.c did to the environment before main is undone. To be called first in main. */
void cli_spin_restore_environment(void);

#endif
