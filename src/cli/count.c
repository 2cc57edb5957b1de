/* `pathcount count` and `pathcount coarsen`: counts between vertices, or between blocks of them. */
#include "src/cli/commands.h"
#include "src/cli/count_run.h"
#include "src/cli/load.h"

#include <stdlib.h>

static int run(cli_count_options *options)
{
    cli_count_facts facts;
    for (size_t i = 0; i < options->output.n; i++)
        cli_clean_beside(options->output.list[i].path);
    cli_clean_beside(options->certificate_path);
    for (size_t p = 0; p < options->look.n_plots; p++)
        cli_clean_beside(options->look.plots[p].path);
    int code = cli_count_run(options, 0, &facts);
    free(options->query.named);
    return code;
}

int cli_count(int argc, char **argv)
{
    cli_count_options options = {.parts.checkpoint_seconds = CLI_CHECKPOINT_SECONDS};
    cli_parse_options(&cli_count_command, argc, argv, &options);
    return run(&options);
}

int cli_coarsen(int argc, char **argv)
{
    cli_count_options options = cli_coarsen_defaults;
    cli_parse_options(&cli_coarsen_command, argc, argv, &options);
    return run(&options);
}
