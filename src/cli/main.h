/* The command as a function, for the programs that are made of it: pathcount, and pathcount-mpi (src/cli/mpi). */
#ifndef CLI_MAIN_H
#define CLI_MAIN_H

/* Runs the command line; returns the exit code. */
int cli_main(int argc, char **argv);

/* Undoes what was done to the environment before main: the first thing to call where cli_main comes later. */
void cli_restore_environment(void);

#endif
