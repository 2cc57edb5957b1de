/* A folder that has the matrix of each length in a file. */
#ifndef CLI_VERIFY_EACH_FOLDER_H
#define CLI_VERIFY_EACH_FOLDER_H

#include "src/cli/verify/verify.h"

/* Certifies all of them; *verified is of all. PC_ERR_DATA, also when one is missing. */
pc_status cli_verify_each_folder(pc_context *context, const cli_count_options *options,
                                 const pc_graph *graph, const char *folder, cli_verified *verified);

#endif
