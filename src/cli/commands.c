/* The list of commands. */
#include "src/cli/commands.h"

#include "src/cli/batch/batch_options.h"
#include "src/cli/bench_options.h"
#include "src/cli/chain_options.h"
#include "src/cli/generate_options.h"
#include "src/cli/verify/verify_options.h"

const cli_listed_command cli_commands[] = {{&cli_count_command, cli_count},
                                           {&cli_coarsen_command, cli_coarsen},
                                           {&cli_chain_command, cli_chain},
                                           {&cli_batch_command, cli_batch},
                                           {&cli_generate_command, cli_generate},
                                           {&cli_convert_command, cli_convert},
                                           {&cli_devices_command, cli_devices},
                                           {&cli_bench_command, cli_bench},
                                           {&cli_verify_command, cli_verify},
                                           {&cli_recurrence_command, cli_recurrence},
                                           {0}};
