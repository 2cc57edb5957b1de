/* The commands, and the command as a function for the programs that are made of it. */
#ifndef CLI_MAIN_H
#define CLI_MAIN_H

#include "src/cli/options.h"

/* ---- Commands -------------------------------------------------------------------------------- */

/* The commands, each in a file of its own. A command gets its arguments, with its name for
 * messages as argv[0], and returns an exit code. */
int cli_count(int argc, char **argv);
int cli_coarsen(int argc, char **argv);
int cli_chain(int argc, char **argv);
int cli_batch(int argc, char **argv);
int cli_generate(int argc, char **argv);
int cli_convert(int argc, char **argv);
int cli_devices(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_recurrence(int argc, char **argv);
int cli_spc(int argc, char **argv);
int cli_sample(int argc, char **argv);

extern const cli_command cli_convert_command, cli_devices_command, cli_recurrence_command,
    cli_sample_command, cli_spc_command;

typedef enum cli_model {
    CLI_RMAT,
    CLI_ERDOS_RENYI,
    CLI_BARABASI_ALBERT,
    CLI_FAMOUS,
    CLI_N_MODELS
} cli_model;

typedef struct cli_generate_options {
    const char *model_name; /* as on the command line; NULL: none yet */
    cli_model model;
    const char *famous_name; /* NULL: none */
    pc_model random;
    bool has_probability;    /* in place of n_edges */
    const char *output_path; /* NULL: standard output */
    cli_running_options running;
} cli_generate_options;

/* Its structure is cli_generate_options. */
extern const cli_command cli_generate_command;

/* The first one is the default: its name may be left out. The last one has no run. */
typedef struct cli_listed_command {
    const cli_command *command;
    int (*run)(int argc, char **argv);
} cli_listed_command;

extern const cli_listed_command cli_commands[];

/* ---- The program ----------------------------------------------------------------------------- */

/* Runs the command line; returns the exit code. */
int cli_main(int argc, char **argv);

/* Restores the environment, which was changed before main: the first thing to call where cli_main
 * comes later. */
void cli_restore_environment(void);

#endif
