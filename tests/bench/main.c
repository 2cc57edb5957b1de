/* The benchmark: what pathcount does, side by side with the libraries people would use instead. */
#include "tests/bench/bench.h"
#include "tests/bench/workloads.h"

#include <errno.h>
#include <libgen.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_OTHER = 7, N_SECTIONS = N_WORKLOADS + N_OTHER };

static void (*const other_sections[N_OTHER])(const bench_options *) = {
    section_kernel, section_reduced, section_sweep,  section_plan,
    section_reader, section_memory,  section_command};
static const char *const section_names[N_SECTIONS] = {
    "W1", "W2", "W3", "W4", "product", "reduced", "sweep", "plan", "reader", "memory", "command"};

/* Sections that run only when they are named; a GPU is needed for most. "engine" is all but the last. */
static const char *const part_names[BENCH_N_PARTS] = {"ceilings", "products", "planes", "counts",
                                                      "sweeps",   "answers",  "rates"};

typedef struct command {
    bench_options options;
    const char *json_path;
    bool is_wanted[N_SECTIONS], is_part_wanted[BENCH_N_PARTS];
    bool is_chosen; /* sections were named; else all but the parts are wanted */
    uint32_t sizes[BENCH_MAX_SIZES];
} command;

static const struct argp_option option_table[] = {
    {"quick", 'q', NULL, 0, "Leave out FLINT, which takes minutes", 0},
    {"threads", 't', "N", 0, "Threads for everyone (default: all processors)", 0},
    {"runs", 'r', "N", 0, "Runs of what takes less than 4 s (default 5)", 0},
    {"device", 'd', "DEVICE", 0, "Which GPU: cuda, cuda:1 (default cuda)", 0},
    {"rounds", 'n', "N", 0, "Median of N measurements on a GPU (default 7)", 0},
    {"sizes", 's', "LIST", 0, "Vertices, multiples of 128, of what a GPU multiplies", 0},
    {"json", 'j', "FILE", 0, "Keep every figure in FILE", 0},
    {0}};

static void choose_section(command *c, const char *name, struct argp_state *state)
{
    bool is_engine = strcmp(name, "engine") == 0, is_known = is_engine;
    for (int s = 0; s < N_SECTIONS; s++)
        if (strcmp(section_names[s], name) == 0)
            is_known = c->is_wanted[s] = true;
    for (int p = 0; p < BENCH_N_PARTS; p++)
        if (strcmp(part_names[p], name) == 0 || (is_engine && p != BENCH_RATES))
            is_known = c->is_part_wanted[p] = true;
    if (!is_known)
        argp_error(state, "there is no section '%s'", name);
    c->is_chosen = true;
}

static void take_sizes(command *c, char *list, struct argp_state *state)
{
    enum { UNIT = 128 /* whole tiles, so that no one pays for padding */, MAX_SIZE = 65536 };
    const char *parts[BENCH_MAX_SIZES];
    c->options.n_sizes = (uint32_t)parse_list(list, BENCH_MAX_SIZES, parts, state);
    for (uint32_t i = 0; i < c->options.n_sizes; i++) {
        c->sizes[i] = (uint32_t)parse_number(parts[i], UNIT, MAX_SIZE, state);
        if (c->sizes[i] % UNIT != 0)
            argp_error(state, "sizes must be multiples of %d, not %s", UNIT, parts[i]);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    command *c = state->input;
    switch (key) {
    case 'q':
        c->options.quick = true;
        return 0;
    case 't':
        c->options.n_threads = (int)parse_number(argument, 1, 1024, state);
        return 0;
    case 'r':
        c->options.n_runs = (int)parse_number(argument, 1, BENCH_MAX_RUNS, state);
        return 0;
    case 'j':
        c->json_path = argument;
        return 0;
    case 'd':
        if (strncmp(argument, "cuda", 4) != 0)
            argp_error(state, "the device must be cuda or cuda:N, not '%s'", argument);
        c->options.device = argument;
        return 0;
    case 'n':
        c->options.n_rounds = (int)parse_number(argument, 1, 1000, state);
        return 0;
    case 's':
        take_sizes(c, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        choose_section(c, argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Some machines come with settings that slow OpenBLAS down, and its own choice knows no CPU made
 * after it: with AVX-512 there, it gets the variant that uses it. Read when it is loaded. */
static void set_environment(void)
{
    static const char *const unwanted[] = {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE",
                                           "OPENBLAS_NUM_THREADS", "NVPL_BLAS_DEBUG_CPU_TYPE"};
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
        unsetenv(unwanted[i]);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        setenv("OPENBLAS_CORETYPE", "SkylakeX", 1);
#endif
}

/* A child's exit status, or -1 when this process is not one. */
static int run_as_child(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], CHILD_READ_OURS) == 0)
        return child_read_ours(argv[2], atoi(argv[3]));
    if (argc == 4 && strcmp(argv[1], CHILD_READ_PEER) == 0)
        return child_read_peer(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], CHILD_MEMORY) == 0)
        return child_memory(atoi(argv[2]));
    return -1;
}

/* Where the peers are: in the folder peers beside this program. */
static const char *find_folder(void)
{
    static char path[256];
    ssize_t length = readlink(BENCH_SELF, path, sizeof path - sizeof "/peers");
    if (length < 0)
        bench_die("/proc is needed");
    path[length] = '\0';
    strcpy(dirname(path) + strlen(path), "/peers");
    return path;
}

/* The name of the scratch folder is fixed, so the next run overwrites what an interrupted one left. */
static void measure_beside_others(command *c)
{
    bench_options *options = &c->options;
    set_environment();
    options->folder = find_folder();
    snprintf(options->scratch, sizeof options->scratch, "%s/scratch", options->folder);
    if (mkdir(options->scratch, 0777) != 0 && errno != EEXIST)
        bench_die("cannot make the folder %s", options->scratch);
    machine_describe(options);
    for (int s = 0; s < N_SECTIONS; s++) {
        if (c->is_wanted[s] && s < N_WORKLOADS)
            section_powers(options, s);
        else if (c->is_wanted[s])
            other_sections[s - N_WORKLOADS](options);
        fflush(stdout);
    }
    goals_print();
    rmdir(options->scratch);
}

int main(int argc, char **argv)
{
    int child_status = run_as_child(argc, argv);
    if (child_status >= 0)
        return child_status;
    static const struct argp parser = {
        option_table,
        parse_option,
        "[SECTION...]",
        "Compares pathcount with other libraries, side by side in one run.\v"
        "Sections: W1 W2 W3 W4 (powers of graphs), product (int8 matrix product alone), "
        "reduced (the same, summed over pairs first), sweep (vectors through a sparse graph), plan "
        "(whether the fastest method is chosen), reader, memory, command (whole runs of it); all "
        "of "
        "these when none is named. And ceilings (copies), products, planes, counts, sweeps, "
        "answers, each on a GPU, or engine for all six; rates (of the processors, for the plans of "
        "the command, which keeps them in its "
        "cache folder). "
        "PATHCOUNT_CPU forces one of our kernels, "
        "ONEDNN_MAX_CPU_ISA limits oneDNN's.",
        NULL,
        NULL,
        NULL};
    command c = {.options = {.n_threads = omp_get_num_procs(),
                             .n_runs = 5,
                             .slow_seconds = 4,
                             .device = "cuda",
                             .n_rounds = 7,
                             .sizes = c.sizes}};
    argp_parse(&parser, argc, argv, 0, NULL, &c);
    if (!c.is_chosen)
        memset(c.is_wanted, true, sizeof c.is_wanted);
    if (memchr(c.is_wanted, true, sizeof c.is_wanted) != NULL)
        measure_beside_others(&c);
    if (memchr(c.is_part_wanted, true, sizeof c.is_part_wanted) != NULL)
        section_engine(&c.options, c.is_part_wanted);
    if (c.json_path != NULL)
        report_save(c.json_path);
    return report_has_failure();
}
