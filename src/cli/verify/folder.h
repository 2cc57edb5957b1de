/* The results of a batch: each job of a manifest. */
#ifndef CLI_VERIFY_FOLDER_H
#define CLI_VERIFY_FOLDER_H

#include "src/cli/verify/verify_options.h"

/* Certifies one result by its own command line; returns an exit code after a message. */
typedef int (*cli_verify_one_fn)(const cli_verify_options *options);

/* Certifies the last result of each job in FOLDER/manifest.jsonl, and goes on after one that does not
 * hold. Returns the exit code: CLI_BAD_DATA when one does not hold, CLI_SOME_FAILED when a job has no
 * result. */
int cli_verify_folder(const char *folder, bool is_quiet, cli_verify_one_fn verify);

#endif
