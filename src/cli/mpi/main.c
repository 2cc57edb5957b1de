/* pathcount-mpi: the command in the first of several processes, which hold each graph in parts
 * (pathcount_mpi.h). */
#define _GNU_SOURCE
#include "pathcount_mpi.h"

#include "src/cli/process.h"
#include "src/cli/load.h"
#include "src/cli/json.h"
#include "src/cli/main.h"
#include "src/cli/text.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE_BYTES = 1 << 20 };

static const cli_count_options *asked;
static pc_machines machines;

/* ---- A cluster that is not there: --plan-for -------------------------------------------------- */

typedef struct unit {
    const char *name;
    double factor;
} unit;

/* A number above 0 and a unit; *text moves behind them. False when they are not there. */
static bool take_quantity(const char **text, const unit *units, double *value)
{
    char *end;
    size_t length;
    errno = 0;
    *value = strtod(*text, &end);
    length = strcspn(end, ",");
    for (; units->name != NULL; units++)
        if (strlen(units->name) == length && strncmp(units->name, end, length) == 0) {
            *value *= units->factor;
            *text = end + length;
            return errno == 0 && *value > 0 && *value < 0x1p62;
        }
    return false;
}

static bool take_count(const char **text, char after, unsigned long most, uint32_t *value)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    unsigned long n = strtoul(*text, &end, 10);
    if (errno != 0 || n < 1 || n > most || *end != after)
        return false;
    *value = (uint32_t)n;
    *text = end + 1;
    return true;
}

static bool read_machines(const char *text, pc_machines *made)
{
    static const unit bytes[] = {{"MB", 1e6},     {"GB", 1e9},   {"TB", 1e12},    {"M", 0x1p20},
                                 {"G", 0x1p30},   {"T", 0x1p40}, {"MiB", 0x1p20}, {"GiB", 0x1p30},
                                 {"TiB", 0x1p40}, {NULL, 0}},
                      bits[] = {{"Mb", 1e6}, {"Gb", 1e9}, {"Tb", 1e12}, {NULL, 0}};
    double memory;
    bool is_right = take_count(&text, 'x', 65536, &made->n_processes) &&
                    take_count(&text, ',', 65536, &made->n_threads) &&
                    take_quantity(&text, bytes, &memory) && *text++ == ',' &&
                    take_quantity(&text, bits, &made->link_bits_per_second) && *text == '\0';
    if (is_right)
        made->memory_bytes = (uint64_t)memory;
    return is_right;
}

static void print_text(const pc_cluster_forecast *f)
{
    printf("cluster: %" PRIu32 " processes of %" PRIu32 " threads, %.4g GB of memory and a link of "
           "%.4g Gb/s each\n",
           machines.n_processes, machines.n_threads, (double)machines.memory_bytes / 1e9,
           machines.link_bits_per_second / 1e9);
    printf("  sweeps      %s, %" PRIu64 " at a time, %s\n",
           cli_number_of(f->n_vectors, "vector", "vectors").text, f->n_together,
           cli_number_of(f->n_steps, "step", "steps").text);
    printf("  vertices    own %" PRIu64 ", of others %" PRIu64
           " at most (counted; mean %.4f of all), given %" PRIu64 "\n",
           f->own_vertices, f->outer_vertices, f->outer_part, f->given_vertices);
    printf("  arcs        %" PRIu64 " of a process at most\n", f->own_arcs);
    printf("  lines       %" PRIu64 " bytes at the widest step, %.4g MB to a process\n",
           f->line_bytes, f->step_bytes / 1e6);
    printf("  traffic     %.4g MB of lines in all; %.4g MB from and to the first process\n",
           f->all_bytes / 1e6, f->first_bytes / 1e6);
    printf("  memory      %.4g MB of a process, %.4g MB of the first one\n",
           (double)f->memory_bytes / 1e6, (double)f->first_memory_bytes / 1e6);
    printf("  time        %.4g s: adding %.4g, lines %.4g, limits, certificate and answer %.4g\n",
           f->seconds, f->sweep_seconds, f->exchange_seconds, f->first_seconds);
}

static void print_json(const pc_graph *graph, const pc_cluster_forecast *f)
{
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    json_t *cluster =
        json_pack("{s:I, s:I, s:I, s:f}", "processes", (json_int_t)machines.n_processes, "threads",
                  (json_int_t)machines.n_threads, "memory_bytes", (json_int_t)machines.memory_bytes,
                  "link_bits_per_second", machines.link_bits_per_second);
    json_t *forecast = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:f, s:f, s:f, s:I, s:I, s:f, s:f, s:f, "
        "s:f}",
        "steps", (json_int_t)f->n_steps, "vectors", (json_int_t)f->n_vectors, "together",
        (json_int_t)f->n_together, "own_vertices", (json_int_t)f->own_vertices, "own_arcs",
        (json_int_t)f->own_arcs, "outer_vertices", (json_int_t)f->outer_vertices, "given_vertices",
        (json_int_t)f->given_vertices, "outer_part", f->outer_part, "line_bytes",
        (json_int_t)f->line_bytes, "step_bytes", f->step_bytes, "all_bytes", f->all_bytes,
        "first_bytes", f->first_bytes, "memory_bytes", (json_int_t)f->memory_bytes,
        "first_memory_bytes", (json_int_t)f->first_memory_bytes, "sweep_seconds", f->sweep_seconds,
        "exchange_seconds", f->exchange_seconds, "first_seconds", f->first_seconds, "seconds",
        f->seconds);
    json_t *rest = json_pack("{s:o, s:o}", "cluster", cluster, "forecast", forecast);
    cli_json_print(cli_json_behind(cli_json_head("plan-for", asked, &info), rest));
}

/* Predicts where the command makes its first plan, prints that, and ends the process. */
static pc_status print_forecast(pc_context *context, const pc_graph *graph, const pc_query *query,
                                const pc_count_options *options)
{
    pc_cluster_forecast forecast;
    pc_status status = pc_cluster_predict(context, graph, query, options, &machines, &forecast);
    if (status != PC_OK)
        return status;
    if (asked->output.json)
        print_json(graph, &forecast);
    else
        print_text(&forecast);
    exit(CLI_DONE);
}

/* ---- The cluster that is there ---------------------------------------------------------------- */

static pc_cluster *cluster;

/* Ends the cluster when the first process exits in any way. A process that is killed, or leaves
 * by _exit, is noticed by mpirun, which ends the others. */
static void end(void)
{
    pc_cluster_end(cluster);
    MPI_Finalize();
}

static pc_status read_graph(pc_context *context, const char *path, pc_format format,
                            const pc_graph_options *options, pc_graph **graph)
{
    return pc_cluster_read(context, cluster, path, format, options, graph);
}

/* A cluster that is not there is planned for by the whole graph, in the first process. */
static pc_status begin_parts(pc_context *context, const cli_count_options *options)
{
    const cli_parts_options *parts = &options->parts;
    if (parts->plan_for) {
        if (!read_machines(parts->plan_for, &machines))
            return pc_context_fail(context, PC_ERR_ARGUMENT,
                                   "--plan-for takes processes x threads, the memory and the link "
                                   "of a process, such as 64x16,256GB,100Gb");
        cli_reader = pc_graph_read;
        asked = options;
        cli_plan_for_others = print_forecast;
        return PC_OK;
    }
    return parts->checkpoint
               ? pc_cluster_checkpoint(context, cluster, parts->checkpoint,
                                       (double)parts->checkpoint_seconds, parts->resumes)
               : PC_OK;
}

/* A line for each process, after the times of --explain. */
static void explain_processes(FILE *out)
{
    int n = pc_cluster_n_processes(cluster);
    pc_process_count *counts = calloc((size_t)n, sizeof *counts);
    if (!counts)
        return;
    pc_cluster_count(cluster, counts);
    fprintf(out, "  %-7s  %8s  %14s  %8s  %14s  %14s  %14s\n", "process", "steps", "bytes sent",
            "products", "bytes sent", "vectors, rows", "bytes held");
    for (int r = 0; r < n; r++)
        fprintf(out,
                "  %-7d  %8" PRIu64 "  %14" PRIu64 "  %8" PRIu64 "  %14" PRIu64 "  %14" PRIu64
                "  %14" PRIu64 "\n",
                r, counts[r].n_steps, counts[r].step_bytes, counts[r].n_products,
                counts[r].product_bytes, counts[r].vector_bytes, counts[r].held_bytes);
    free(counts);
}

/* Processes that may run on all processors of a machine share them. */
static void share_processors(void)
{
    MPI_Comm machine;
    cpu_set_t mine;
    int n_processes;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &n_processes);
    MPI_Comm_free(&machine);
    if (getenv("OMP_NUM_THREADS") != NULL || sched_getaffinity(0, sizeof mine, &mine) != 0 ||
        CPU_COUNT(&mine) < sysconf(_SC_NPROCESSORS_ONLN))
        return;
    int n_threads = CPU_COUNT(&mine) / n_processes;
    omp_set_num_threads(n_threads > 1 ? n_threads : 1);
}

/* The command counts; what else pathcount does needs one process. */
static int run(int argc, char **argv)
{
    static const char *const others[] = {"coarsen", "chain",  "batch",      "generate",
                                         "devices", "verify", "recurrence", "sample"};
    for (size_t i = 0; argc > 1 && i < sizeof others / sizeof *others; i++)
        if (strcmp(argv[1], others[i]) == 0)
            return cli_fail(CLI_USAGE, "pathcount-mpi counts paths; pathcount has the command '%s'",
                            others[i]);
    cli_reader = read_graph;
    cli_begin_parts = begin_parts;
    cli_explain_more = explain_processes;
    return cli_main(argc, argv);
}

int main(int argc, char **argv)
{
    int level, code = cli_stack_reserve();
    if (code != CLI_DONE)
        return code;
    cli_restore_environment();
    setenv("OMPI_MCA_mpi_yield_when_idle", "1",
           0); /* of Open MPI: processes may be more than processors */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    share_processors();
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD,
            LARGE_BYTES); /* vectors go back at once: glibc would keep those of up to 32 MB */
#endif
    pc_status status = pc_cluster_begin(MPI_COMM_WORLD, &cluster);
    if (cluster == NULL) {
        MPI_Finalize();
        return status == PC_OK ? CLI_DONE : cli_fail_for_memory();
    }
    atexit(end);
    return run(argc, argv);
}
