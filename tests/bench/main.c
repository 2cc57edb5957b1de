/* The benchmark: what pathcount does, side by side with the libraries people would use instead. */
#include "tests/bench/bench.h"
#include "tests/bench/children.h"
#include "tests/bench/report.h"
#include "tests/bench/workloads.h"

#include <argp.h>
#include <errno.h>
#include <libgen.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_OTHER = 8, N_SECTIONS = N_WORKLOADS + N_OTHER };

static void (*const other_sections[N_OTHER])(const bench_options *) = {
    section_kernel, section_reduced, section_sweep,  section_plan,
    section_reader, section_memory,  section_stream, section_command};
static const char *const section_names[N_SECTIONS] = {"W1",      "W2",      "W3",     "W4",
                                                      "product", "reduced", "sweep",  "plan",
                                                      "reader",  "memory",  "stream", "command"};

typedef struct command {
    bench_options options;
    const char *json_path;
    bool is_wanted[N_SECTIONS];
    bool is_chosen; /* sections were named; else all are wanted */
} command;

static const struct argp_option option_table[] = {
    {"quick", 'q', NULL, 0, "Leave out FLINT, which takes minutes", 0},
    {"threads", 't', "N", 0, "Threads for everyone (default: all processors)", 0},
    {"runs", 'r', "N", 0, "Runs of what takes less than 4 s (default 5)", 0},
    {"json", 'j', "FILE", 0, "Keep every figure in FILE", 0},
    {0}};

static int parse_number(const char *text, int most, struct argp_state *state)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > most)
        argp_error(state, "'%s' is not a number from 1 to %d", text, most);
    return (int)value;
}

static void choose_section(command *c, const char *name, struct argp_state *state)
{
    c->is_chosen = true;
    for (int s = 0; s < N_SECTIONS; s++)
        if (strcmp(section_names[s], name) == 0) {
            c->is_wanted[s] = true;
            return;
        }
    argp_error(state, "there is no section '%s'", name);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    command *c = state->input;
    switch (key) {
    case 'q':
        c->options.quick = true;
        return 0;
    case 't':
        c->options.n_threads = parse_number(argument, 1024, state);
        return 0;
    case 'r':
        c->options.n_runs = parse_number(argument, BENCH_MAX_RUNS, state);
        return 0;
    case 'j':
        c->json_path = argument;
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

/* Where this program lies: the peers lie beside it. */
static const char *find_folder(void)
{
    static char path[256];
    ssize_t length = readlink(SELF, path, sizeof path - 1);
    if (length < 0)
        bench_die("/proc is needed");
    path[length] = '\0';
    return dirname(path);
}

/* Of a fixed name: what an interrupted run left there, the next one overwrites. */
static void make_scratch(bench_options *options)
{
    snprintf(options->scratch, sizeof options->scratch, "%s/scratch", options->folder);
    if (mkdir(options->scratch, 0777) != 0 && errno != EEXIST)
        bench_die("cannot make the folder %s", options->scratch);
}

static void run_sections(const command *c)
{
    for (int s = 0; s < N_SECTIONS; s++) {
        if (c->is_chosen && !c->is_wanted[s])
            continue;
        if (s < N_WORKLOADS)
            section_powers(&c->options, s);
        else
            other_sections[s - N_WORKLOADS](&c->options);
        fflush(stdout);
    }
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
        "(whether the fastest method is chosen), reader, memory, stream (of small graphs, by the "
        "command), command (whole runs of it); all when none is named. "
        "PATHCOUNT_CPU forces one of our kernels, "
        "ONEDNN_MAX_CPU_ISA limits oneDNN's.",
        NULL,
        NULL,
        NULL};
    command c = {.options = {.n_threads = omp_get_num_procs(), .n_runs = 5, .slow_seconds = 4}};
    argp_parse(&parser, argc, argv, 0, NULL, &c);
    set_environment();
    c.options.folder = find_folder();
    make_scratch(&c.options);
    machine_describe(&c.options);
    run_sections(&c);
    goals_print();
    rmdir(c.options.scratch);
    if (c.json_path != NULL)
        report_save(c.json_path);
    return report_has_failure();
}
