/* Options of the bench command. */
#ifndef CLI_BENCH_OPTIONS_H
#define CLI_BENCH_OPTIONS_H

#include "pathcount_measure.h"
#include "src/cli/options.h"

enum { CLI_BENCH_MAX_SIZES = 64, CLI_BENCH_MAX_KERNELS = 64 };

typedef struct cli_bench_options {
    bool engine, ladder, calibrate; /* one of them */
    bool json;
    const char *device; /* for pc_context_set_device */
    uint32_t sizes[CLI_BENCH_MAX_SIZES];
    pc_bench_options bench;                     /* for engine */
    const char *kernels[CLI_BENCH_MAX_KERNELS]; /* in the command line */
    pc_ladder_options rungs;                    /* for ladder */
} cli_bench_options;

extern const cli_command cli_bench_command;

/* As cli_parse_options. */
void cli_bench_options_parse(int argc, char **argv, cli_bench_options *options);

#endif
