/* `pathcount verify`. */
#include "src/cli/main.h"
#include "src/cli/process.h"
#include "src/cli/load.h"
#include "src/cli/text.h"
#include "src/cli/verify/certificate.h"
#include "src/cli/verify/folder.h"
#include "src/cli/verify/stream.h"
#include "src/cli/verify/verify.h"
#include "src/cli/verify/verify_options.h"

#include <inttypes.h>
#include <stdlib.h>

static void tell(const cli_verify_options *options, const cli_verified *verified)
{
    printf("%s: certified, ", cli_shown_path(options->result));
    cli_print_number_of(stdout, verified->n_counts, "number", "numbers");
    if (verified->n_rounds > 0) {
        fputs(" in ", stdout);
        cli_print_number_of(stdout, verified->n_rounds, "round", "rounds");
    }
    fputc('\n', stdout);
}

static pc_status verify(pc_context *context, const cli_verify_options *options,
                        cli_progress *progress, cli_verified *verified)
{
    const cli_count_options *count = &options->count;
    pc_graph *graph = NULL;
    pc_partition *partition = NULL;
    cli_verify_question question = {0};
    pc_status status = cli_load_graph(context, &count->input, &graph);
    if (status == PC_OK && count->blocks.spec != NULL)
        status = cli_make_blocks(context, graph, &count->blocks, &partition);
    if (status == PC_OK)
        status = cli_verify_question_make(context, count, graph, partition, &question);
    if (status == PC_OK)
        status = cli_verify_file(&question, options->result, options->result, verified);
    if (status == PC_OK && count->certificate_path != NULL)
        status = cli_certificate_check(&question, options->result, count->certificate_path);
    cli_progress_end(progress);
    cli_verify_question_free(&question);
    pc_partition_free(partition);
    pc_graph_free(graph);
    return status;
}

static pc_status verify_chain(pc_context *context, const cli_verify_options *options,
                              cli_progress *progress, cli_verified *verified)
{
    const cli_count_options *count = &options->count;
    cli_chain_walk chain = {0};
    cli_verify_question question = {0};
    pc_status status = cli_chain_walk_read(context, &count->input.graph, options->n_factors,
                                           options->factors, options->allow_missing, &chain);
    if (status == PC_OK)
        status = cli_verify_question_of_chain(context, count, &chain, &question);
    if (status == PC_OK)
        status = cli_verify_file(&question, options->result, options->result, verified);
    cli_progress_end(progress);
    cli_verify_question_free(&question);
    cli_chain_walk_free(&chain);
    return status;
}

static pc_status certify(pc_context *context, const cli_verify_options *options,
                         cli_progress *progress, cli_verified *verified)
{
    if (options->is_chain)
        return verify_chain(context, options, progress, verified);
    if (!options->is_stream)
        return verify(context, options, progress, verified);
    pc_status status = cli_verify_stream(context, &options->count, options->result, verified);
    cli_progress_end(progress);
    return status;
}

static int verify_one(const cli_verify_options *options)
{
    cli_verified verified = {0};
    cli_progress progress;
    pc_context *context = NULL;
    pc_status status = cli_open_context(&options->count.running, &progress, &context);
    if (context == NULL)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(status));
    if (status == PC_OK)
        status = certify(context, options, &progress, &verified);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
    if (code == CLI_DONE && !options->count.running.is_quiet)
        tell(options, &verified);
    pc_context_free(context);
    return code;
}

int cli_verify(int argc, char **argv)
{
    cli_verify_options options = {.count = cli_coarsen_defaults};
    cli_parse_options(&cli_verify_command, argc, argv, &options);
    int code = options.result != NULL
                   ? verify_one(&options)
                   : cli_verify_folder(options.count.input.path, options.count.running.is_quiet,
                                       verify_one);
    cli_verify_options_free(&options);
    return code;
}
