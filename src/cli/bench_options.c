/* The command line of `pathcount bench`. */
#include "src/cli/bench_options.h"

#include "src/cli/options.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE_UNIT = 128, MAX_SIZE = 65536, MAX_LADDER_SIZE = 16384, MAX_ROUNDS = 1000 };

enum {
    KEY_ENGINE = 0x300,
    KEY_LADDER,
    KEY_CALIBRATE,
    KEY_DEVICE,
    KEY_PART,
    KEY_SIZES,
    KEY_N,
    KEY_KERNELS,
    KEY_ROUNDS,
    KEY_JSON
};

static const struct argp_option bench_options[] = {
    {0, 0, NULL, 0, "What to measure (pathcount bench --calibrate):", 1},
    {"engine", KEY_ENGINE, NULL, 0, "The GPU engine", 1},
    {"ladder", KEY_LADDER, NULL, 0, "Matrix products from the first naive kernel on", 1},
    {"calibrate", KEY_CALIBRATE, NULL, 0, "The processors, for the plans of other commands", 1},
    {0, 0, NULL, 0, "How (pathcount bench --ladder --device cpu --rounds 3 --json):", 2},
    {"device", KEY_DEVICE, "DEVICE", 0, "Which GPU: cuda, cuda:1; of --ladder also cpu", 2},
    {"rounds", KEY_ROUNDS, "N", 0, "Median of N measurements (7; of --ladder 5)", 2},
    {"json", KEY_JSON, NULL, 0, "Print one JSON object", 2},
    {0, 0, NULL, 0, "Of --engine (pathcount bench --engine --part products --sizes 4096):", 3},
    {"part", KEY_PART, "LIST", 0, "Some of ceilings, products, planes, counts", 3},
    {"sizes", KEY_SIZES, "LIST", 0, "Numbers of vertices, multiples of 128", 3},
    {0, 0, NULL, 0, "Of --ladder (pathcount bench --ladder --n 2048 --kernels GPU1,GPU6):", 4},
    {"n", KEY_N, "N", 0, "Rows and columns, up to 16384 (4096; cpu: 1024)", 4},
    {"kernels", KEY_KERNELS, "LIST", 0, "Only these, each with all its blocks", 4},
    {0}};

/* Calls take for each item of a list with commas, of which copy[CLI_BENCH_MAX_LIST] gets them. */
static void each_item(const struct argp_state *state, const char *list, char *copy,
                      void (*take)(const struct argp_state *state, const char *item))
{
    char *rest = copy;
    if (strlen(list) >= CLI_BENCH_MAX_LIST)
        argp_error(state, "that list is too long: '%s'", list);
    strcpy(copy, list);
    for (char *item = strsep(&rest, ","); item != NULL; item = strsep(&rest, ","))
        take(state, item);
}

static void take_part(const struct argp_state *state, const char *item)
{
    static const struct {
        const char *name;
        unsigned part;
    } parts[] = {{"ceilings", PC_BENCH_CEILINGS},
                 {"products", PC_BENCH_PRODUCTS},
                 {"planes", PC_BENCH_PLANES},
                 {"counts", PC_BENCH_COUNTS}};
    cli_bench_options *options = state->input;
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        if (strcmp(item, parts[p].name) == 0) {
            options->bench.parts |= parts[p].part;
            return;
        }
    argp_error(state, "--part must be of ceilings, products, planes, counts, not '%s'", item);
}

static void take_size(const struct argp_state *state, const char *item)
{
    cli_bench_options *options = state->input;
    uint64_t size = cli_parse_integer(state, "--sizes", item, SIZE_UNIT, MAX_SIZE);
    if (size % SIZE_UNIT != 0)
        argp_error(state, "--sizes must be multiples of %d, not '%s'", SIZE_UNIT, item);
    if (options->bench.n_sizes == CLI_BENCH_MAX_SIZES)
        argp_error(state, "--sizes takes %d of them at most", CLI_BENCH_MAX_SIZES);
    options->sizes[options->bench.n_sizes++] = (uint32_t)size;
}

/* Whether there is such a kernel, the engine knows. */
static void take_kernel(const struct argp_state *state, const char *item)
{
    cli_bench_options *options = state->input;
    if (*item == '\0')
        argp_error(state, "--kernels has an empty name in it");
    if (options->rungs.n_kernels == CLI_BENCH_MAX_KERNELS)
        argp_error(state, "--kernels takes %d of them at most", CLI_BENCH_MAX_KERNELS);
    options->kernels[options->rungs.n_kernels++] = item;
}

static void check_calibrate(const struct argp_state *state)
{
    const cli_bench_options *options = state->input;
    if (options->bench.parts != 0 || options->bench.n_sizes > 0 || options->rungs.n > 0 ||
        options->rungs.n_kernels > 0 || options->rungs.n_rounds > 0 || options->device != NULL)
        argp_error(state, "--calibrate takes --json and no other option");
}

/* What belongs to the other kind of measurement would be passed over in silence. */
static void check_together(const struct argp_state *state)
{
    cli_bench_options *options = state->input;
    if (options->engine + options->ladder + options->calibrate > 1)
        argp_error(state, "measure one of --engine, --ladder and --calibrate at a time");
    if (options->calibrate) {
        check_calibrate(state);
        return;
    }
    if (!options->engine && !options->ladder)
        argp_error(state, "measure what? --engine measures the GPU engine, --ladder the kernels "
                          "that lead up to it, --calibrate the processors");
    if (options->ladder && (options->bench.parts != 0 || options->bench.n_sizes > 0))
        argp_error(state, "--part and --sizes are for --engine; --ladder takes --n and --kernels");
    if (options->engine && (options->rungs.n > 0 || options->rungs.n_kernels > 0))
        argp_error(state, "--n and --kernels are for --ladder; --engine takes --part and --sizes");
    if (options->device == NULL)
        options->device = options->engine ? "cuda" : "auto";
    if (options->engine && strncmp(options->device, "cuda", 4) != 0)
        argp_error(state, "--device must be cuda or cuda:N for --engine, not '%s'",
                   options->device);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    cli_bench_options *options = state->input;
    char list[CLI_BENCH_MAX_LIST];
    switch (key) {
    case KEY_ENGINE:
        options->engine = true;
        return 0;
    case KEY_LADDER:
        options->ladder = true;
        return 0;
    case KEY_CALIBRATE:
        options->calibrate = true;
        return 0;
    case KEY_DEVICE:
        options->device = argument;
        return 0;
    case KEY_PART:
        each_item(state, argument, list, take_part);
        return 0;
    case KEY_SIZES:
        each_item(state, argument, list, take_size);
        return 0;
    case KEY_N:
        options->rungs.n = (uint32_t)cli_parse_integer(state, "--n", argument, 1, MAX_LADDER_SIZE);
        return 0;
    case KEY_KERNELS:
        options->rungs.n_kernels = 0; /* the last list counts: its names are kept here */
        each_item(state, argument, options->kernel_names, take_kernel);
        return 0;
    case KEY_ROUNDS:
        options->rungs.n_rounds =
            (int)cli_parse_integer(state, "--rounds", argument, 1, MAX_ROUNDS);
        return 0;
    case KEY_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "bench takes no graph ('%s')", argument);
        return 0;
    case ARGP_KEY_END:
        check_together(state);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const char doc[] =
    "Measure this machine: its GPU and the engine for it (--engine), matrix products from the "
    "first "
    "naive one on (--ladder), or the processors, for plans (--calibrate).\n"
    "\n"
    "--engine tells what the GPU can do at best, how each product kernel compares with cuBLASLt, "
    "where that is installed, and whole counts with products of doubles. --ladder takes the matrix "
    "products of the documents that this program grew from, beside cuBLAS and our own, on the same "
    "matrices; without a GPU, and with --device cpu, their loops for processors. What is compared "
    "is measured in turn, after warming up, and checked before it is timed.\n"
    "\n"
    "--calibrate measures for a few seconds how fast the processors do each part of a count. It "
    "keeps that in ~/.cache/pathcount/rates, by which every command predicts times and chooses its "
    "method.\v"
    "Rates count 2 n^3 operations a product, triangular or not. A ratio says how many times as "
    "fast as the other one.\n"
    "\n"
    "Examples:\n"
    "  pathcount bench --engine\n"
    "  pathcount bench --ladder\n"
    "  pathcount bench --ladder --device cpu --n 512\n"
    "\n"
    "Exit status: 0 done, 2 usage, 69 no engine or no GPU here, 70 a result was wrong. More: man "
    "pathcount";

void cli_bench_options_parse(int argc, char **argv, cli_bench_options *options)
{
    static const struct argp_child children[] = {{&cli_about_argp, 0, NULL, 5}, {0}};
    static const struct argp command = {.options = bench_options,
                                        .parser = parse,
                                        .args_doc = "--engine\n--ladder\n--calibrate",
                                        .doc = doc,
                                        .children = children,
                                        .help_filter = cli_help_filter};
    *options = (cli_bench_options){0};
    cli_parse(&command, argc, argv, ARGP_NO_HELP, options);
    options->bench.n_rounds = options->rungs.n_rounds;
    options->bench.sizes = options->sizes;
    options->rungs.kernels = options->kernels;
}
