/* The command line of `pathcount bench`. */
#include "src/cli/bench_options.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE_UNIT = 128, MAX_LIST_BYTES = 1023, MAX_SIZE = 65536, MAX_LADDER_SIZE = 16384 };

#define AT(member) CLI_AT(cli_bench_options, member)

/* ---- Lists ----------------------------------------------------------------------------------- */

static void check_length(const cli_parse *parse, const char *list)
{
    if (strlen(list) > MAX_LIST_BYTES)
        argp_error(parse->state, "that list is too long: '%s'", list);
}

static const char *const part_names[] = {"ceilings", "products", "planes",
                                         "counts",   "answers",  NULL};

static void take_parts(cli_parse *parse, void *object, char *list)
{
    static const unsigned parts[] = {PC_BENCH_CEILINGS, PC_BENCH_PRODUCTS, PC_BENCH_PLANES,
                                     PC_BENCH_COUNTS, PC_BENCH_ANSWERS};
    cli_bench_options *options = object;
    check_length(parse, list);
    for (char *item = strsep(&list, ","); item != NULL; item = strsep(&list, ",")) {
        size_t p = 0;
        while (part_names[p] != NULL && strcmp(item, part_names[p]) != 0)
            p++;
        if (part_names[p] == NULL)
            argp_error(parse->state,
                       "--part must be of ceilings, products, planes, counts, answers, not '%s'",
                       item);
        options->bench.parts |= parts[p];
    }
}

static void take_sizes(cli_parse *parse, void *object, char *list)
{
    cli_bench_options *options = object;
    check_length(parse, list);
    for (char *item = strsep(&list, ","); item != NULL; item = strsep(&list, ",")) {
        uint64_t size = cli_parse_integer(parse, item, SIZE_UNIT, MAX_SIZE);
        if (size % SIZE_UNIT != 0)
            argp_error(parse->state, "--sizes must be multiples of %d, not '%s'", SIZE_UNIT, item);
        if (options->bench.n_sizes == CLI_BENCH_MAX_SIZES)
            argp_error(parse->state, "--sizes takes %d of them at most", CLI_BENCH_MAX_SIZES);
        options->sizes[options->bench.n_sizes++] = (uint32_t)size;
    }
}

/* The last list counts. The engine checks whether there is such a kernel. */
static void take_kernels(cli_parse *parse, void *object, char *list)
{
    cli_bench_options *options = object;
    options->rungs.n_kernels = 0;
    check_length(parse, list);
    for (char *item = strsep(&list, ","); item != NULL; item = strsep(&list, ",")) {
        if (*item == '\0')
            argp_error(parse->state, "--kernels has an empty name in it");
        if (options->rungs.n_kernels == CLI_BENCH_MAX_KERNELS)
            argp_error(parse->state, "--kernels takes %d of them at most", CLI_BENCH_MAX_KERNELS);
        options->kernels[options->rungs.n_kernels++] = item;
    }
}

/* ---- Options --------------------------------------------------------------------------------- */

static const cli_option what_rows[] = {
    {"--engine", NULL, "The GPU engine", AT(engine), .set = CLI_MEASUREMENTS},
    {"--ladder", NULL, "Matrix products from the first naive kernel on", AT(ladder),
     .set = CLI_MEASUREMENTS},
    {"--calibrate", NULL, "The processors, for the plans of other commands", AT(calibrate),
     .set = CLI_MEASUREMENTS},
    {0}};

static const cli_option how_rows[] = {
    {"--device", "DEVICE", "Which GPU: cuda, cuda:1; of --ladder also cpu", CLI_TEXT, AT(device),
     .words = cli_device_words},
    {"--rounds", "N", "Median of N measurements (7; of --ladder 5)", CLI_INTEGER,
     AT(rungs.n_rounds), .least = 1, .most = 1000},
    {"--json", NULL, "Print one JSON object", AT(json)},
    {0}};

static const cli_option engine_rows[] = {
    {"--part", "LIST", "Some of ceilings, products, planes, counts, answers", CLI_LIST,
     .take = take_parts, .words = part_names},
    {"--sizes", "LIST", "Numbers of vertices, multiples of 128", CLI_LIST, .take = take_sizes},
    {0}};

static const cli_option ladder_rows[] = {
    {"--n", "N", "Rows and columns, up to 16384 (4096; cpu: 1024)", CLI_INTEGER, AT(rungs.n),
     .least = 1, .most = MAX_LADDER_SIZE},
    {"--kernels", "LIST", "Only these, each with all its blocks", CLI_LIST, .take = take_kernels},
    {0}};

static const cli_group groups[] = {
    {"What to measure (pathcount bench --calibrate):", what_rows, 0},
    {"How (pathcount bench --ladder --device cpu --rounds 3 --json):", how_rows, 0},
    {"Of --engine (pathcount bench --engine --part products --sizes 4096):", engine_rows, 0},
    {"Of --ladder (pathcount bench --ladder --n 2048 --kernels GPU1,GPU6):", ladder_rows, 0},
    {NULL, cli_about_rows, 0},
    {0}};

/* ---- The command ----------------------------------------------------------------------------- */

static void check_calibrate(cli_parse *parse)
{
    const cli_bench_options *options = parse->options;
    if (options->bench.parts != 0 || options->bench.n_sizes > 0 || options->rungs.n > 0 ||
        options->rungs.n_kernels > 0 || options->rungs.n_rounds > 0 || options->device != NULL)
        argp_error(parse->state, "--calibrate takes --json and no other option");
}

/* An option of the other kind of measurement would be ignored, so it is refused. */
static void check_together(cli_parse *parse)
{
    cli_bench_options *options = parse->options;
    if (options->engine + options->ladder + options->calibrate > 1)
        argp_error(parse->state, "measure one of --engine, --ladder and --calibrate at a time");
    if (options->calibrate) {
        check_calibrate(parse);
        return;
    }
    if (!options->engine && !options->ladder)
        argp_error(parse->state,
                   "measure what? --engine measures the GPU engine, --ladder the kernels "
                   "that lead up to it, --calibrate the processors");
    if (options->ladder && (options->bench.parts != 0 || options->bench.n_sizes > 0))
        argp_error(parse->state,
                   "--part and --sizes are for --engine; --ladder takes --n and --kernels");
    if (options->engine && (options->rungs.n > 0 || options->rungs.n_kernels > 0))
        argp_error(parse->state,
                   "--n and --kernels are for --ladder; --engine takes --part and --sizes");
    if (options->device == NULL)
        options->device = options->engine ? "cuda" : "auto";
    if (options->engine && strncmp(options->device, "cuda", 4) != 0)
        argp_error(parse->state, "--device must be cuda or cuda:N for --engine, not '%s'",
                   options->device);
}

static const char doc[] =
    "Measure this machine: its GPU and the engine for it (--engine), matrix products from the "
    "first "
    "naive one on (--ladder), or the processors, for plans (--calibrate).\n"
    "\n"
    "--engine tells what the GPU can do at best, how each product kernel compares with cuBLASLt, "
    "where that is installed, whole counts with products of doubles, and how long answers take, "
    "stage by "
    "stage. --ladder takes the matrix "
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

const cli_command cli_bench_command = {.name = "bench",
                                       .summary = "measures this machine",
                                       .arguments = "--engine\n--ladder\n--calibrate",
                                       .doc = doc,
                                       .groups = groups,
                                       .complete = check_together};

void cli_bench_options_parse(int argc, char **argv, cli_bench_options *options)
{
    *options = (cli_bench_options){0};
    cli_parse_options(&cli_bench_command, argc, argv, options);
    options->bench.n_rounds = options->rungs.n_rounds;
    options->bench.sizes = options->sizes;
    options->rungs.kernels = options->kernels;
}
