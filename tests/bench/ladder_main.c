/* build/ladder: measures the ladder, and prints its rows as they come. */
#include "tests/bench/bench.h"
#include "tests/bench/ladder.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct command {
    ladder ladder;
    bench bench;
    const char *device, *json_path;
    const char *names[LADDER_MAX_NAMES];
} command;

static const struct argp_option option_table[] = {
    {"device", 'd', "DEVICE", 0, "cuda, cuda:1 or cpu (default: the first GPU, else cpu)", 0},
    {"n", 'n', "N", 0, "Rows and columns, up to 16384 (4096; cpu: 1024)", 0},
    {"kernels", 'k', "LIST", 0, "Only these, each with all its blocks; a wrong name lists all", 0},
    {"rounds", 'r', "N", 0, "Median of N measurements (default 5)", 0},
    {"json", 'j', "FILE", 0, "Keep every figure in FILE", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    command *c = state->input;
    switch (key) {
    case 'd':
        c->device = argument;
        return 0;
    case 'n':
        c->ladder.n = (uint32_t)parse_number(argument, 1, LADDER_MAX_SIZE, state);
        return 0;
    case 'k': /* the last list counts */
        c->ladder.n_kernels = parse_list(argument, LADDER_MAX_NAMES, c->names, state);
        return 0;
    case 'r':
        c->bench.n_rounds = (int)parse_number(argument, 1, 1000, state);
        return 0;
    case 'j':
        c->json_path = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp parser = {
        option_table,
        parse_option,
        "",
        "Measures matrix products of floats, from the first naive loop to our own product.\v"
        "These are the kernels of the documents that this project comes from, beside cuBLAS, our "
        "own products and "
        "plain loops on the processor, on the same matrices. Loops on the processor are measured "
        "up to n = 1024, or "
        "when named; those of one thread take hours for large n. Every result is compared with "
        "sums of integers before "
        "it is timed. Rates count 2 n^3 - n^2 operations a product. Exit status 1: no GPU, or a "
        "result was wrong.",
        NULL,
        NULL,
        NULL};
#ifdef PATHCOUNT_WITH_CUDA
    const ladder_gpu_part *gpu = &ladder_of_gpu;
#else
    const ladder_gpu_part *gpu = NULL;
#endif
    command c = {.bench = {.n_rounds = 5, .tell = bench_print_row}, .device = "auto"};
    bench *b = &c.bench;
    argp_parse(&parser, argc, argv, 0, NULL, &c);
    c.ladder.bench = b;
    c.ladder.names = c.names;
    if (!bench_check(b, pc_context_create(&b->context)))
        bench_die("%s", pc_status_text(b->status));
    if (bench_check(b, pc_context_set_device(b->context, c.device)))
        ladder_run(&c.ladder, gpu);
    if (c.json_path != NULL)
        report_save(c.json_path);
    if (b->status != PC_OK)
        fprintf(stderr, "ladder: %s\n", pc_context_message(b->context));
    int code = b->status == PC_OK ? EXIT_SUCCESS : EXIT_FAILURE;
    pc_context_free(b->context);
    return code;
}
