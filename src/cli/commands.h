/* The commands, each in a file of its own. A command gets its arguments with argv[0] the name to
 * use in messages, and returns an exit code. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

int cli_count(int argc, char **argv);
int cli_coarsen(int argc, char **argv);
int cli_chain(int argc, char **argv);
int cli_batch(int argc, char **argv);
int cli_bench(int argc, char **argv);
int cli_devices(int argc, char **argv);
int cli_generate(int argc, char **argv);

#endif
