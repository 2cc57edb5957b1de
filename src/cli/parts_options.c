/* Options of graphs in parts. */
#include "src/cli/parts_options.h"

#define AT(member) CLI_AT(cli_parts_options, member)

enum { DAY_SECONDS = 86400 };

const cli_option cli_parts_rows[] = {
    {"--checkpoint", "FOLDER", "Save the vectors in FOLDER while they are sent", CLI_FOLDER,
     AT(checkpoint)},
    {"--checkpoint-interval", "SECONDS", "How often (default: 300); 0: after each step",
     CLI_INTEGER, AT(checkpoint_seconds), .most = 365 * DAY_SECONDS},
    {"--resume", NULL, "Go on from the checkpoint, in any number of processes", AT(resumes),
     .constant = true},
    {"--plan-for", "RANKSxTHREADS,MEMORY,LINK",
     "Predict a cluster in place of counting, as 64x16,256GB,100Gb", CLI_TEXT, AT(plan_for)},
    {0}};

void cli_parts_options_check(const struct argp_state *state, const cli_parts_options *options)
{
    if (options->checkpoint == NULL && options->resumes)
        argp_error(state, "--resume goes on from a checkpoint: add --checkpoint FOLDER");
}
