/* Predicts where the command makes its first plan, prints that, and ends the process. */
#include "src/cli/mpi/plan_for.h"

#include "pathcount_mpi.h"

#include "src/cli/process.h"
#include "src/cli/json.h"
#include "src/cli/plan.h"
#include "src/cli/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const cli_count_options *asked;
static pc_machines machines;

/* ---- The cluster ----------------------------------------------------------------------------- */

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

/* ---- Printing -------------------------------------------------------------------------------- */

static void print_text(const pc_cluster_forecast *f)
{
    printf("cluster: %" PRIu32 " processes of %" PRIu32 " threads, %.4g GB of memory and a link of "
           "%.4g Gb/s each\n",
           machines.n_processes, machines.n_threads, (double)machines.memory_bytes / 1e9,
           machines.link_bits_per_second / 1e9);
    fputs("  sweeps      ", stdout);
    cli_print_number_of(stdout, f->n_vectors, "vector", "vectors");
    printf(", %" PRIu64 " at a time, ", f->n_together);
    cli_print_number_of(stdout, f->n_steps, "step", "steps");
    printf("\n  vertices    own %" PRIu64 ", of others %" PRIu64
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

static pc_status print_json(const pc_graph *graph, const pc_cluster_forecast *f)
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
    return PC_OK;
}

static pc_status print_forecast(pc_context *context, const pc_graph *graph, const pc_query *query,
                                const pc_count_options *options)
{
    pc_cluster_forecast forecast;
    pc_status status = pc_cluster_predict(context, graph, query, options, &machines, &forecast);
    if (status != PC_OK)
        return status;
    if (asked->output.json)
        status = print_json(graph, &forecast);
    else
        print_text(&forecast);
    if (status == PC_OK)
        exit(CLI_DONE);
    return status;
}

pc_status cli_plan_for(pc_context *context, const cli_count_options *options)
{
    if (!read_machines(options->parts.plan_for, &machines))
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "--plan-for takes processes x threads, the memory and the link of "
                               "a process, such as 64x16,256GB,100Gb");
    asked = options;
    cli_plan_for_others = print_forecast;
    return PC_OK;
}
