/* Makes plans of counts, and prints them for --explain. */
#include "src/cli/plan.h"

#include "src/cli/count_options.h"
#include "src/cli/terminal.h"
#include "src/cli/text.h"
#include "src/cli/process.h"

#include "src/tool.h"

#include <inttypes.h>

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Measuring takes 10 to 30 ms. */
static const double LONG_SECONDS = 0.1;
/* Nobody waits for so long without being told. */
static const double TOLD_SECONDS = 600;

enum { SHORT_LENGTH = 100000, LONG_LENGTH = 1000000 };

pc_status (*cli_plan_for_others)(pc_context *, const pc_graph *, const pc_query *,
                                 const pc_count_options *) = NULL;

static pc_status make_plan(pc_context *context, const pc_graph *graph, const pc_query *query,
                           const pc_count_options *options, pc_plan **plan)
{
    pc_status status =
        cli_plan_for_others != NULL ? cli_plan_for_others(context, graph, query, options) : PC_OK;
    if (status == PC_OK)
        status = pc_plan_create(context, graph, query, options, plan);
    if (status != PC_OK || pc_plan_get_info(*plan)->predicted_seconds < LONG_SECONDS ||
        cli_is_twice()) /* both processes must plan the same */
        return status;
    int has_measured = 0;
    pc_calibrate_quickly(context, &has_measured);
    if (!has_measured)
        return PC_OK;
    pc_plan_free(*plan);
    *plan = NULL;
    return pc_plan_create(context, graph, query, options, plan);
}

static void tell(double seconds, const char *at_least)
{
    char duration[32];
    cli_duration_text(seconds, sizeof duration, duration);
    fprintf(stderr,
            "predicted time: %s%s (--explain says how it is spent; a smaller question, such as "
            "--total, a shorter length, or --mod M takes less)\n",
            at_least, duration);
}

/* Planning a very long length takes long itself: each length on the way is bounded. Exact counts
 * grow with their length, so they take at least as many times as long as a shorter one as they
 * are longer. Returns whether that was told. */
static bool tell_early(pc_context *context, const pc_graph *graph, const pc_query *query,
                       const pc_count_options *options)
{
    pc_query shorter = *query;
    pc_plan *plan = NULL;
    double times = (double)query->length / (double)SHORT_LENGTH, seconds = 0;
    if (query->length < LONG_LENGTH || options->arithmetic != PC_EXACT)
        return false;
    shorter.length = SHORT_LENGTH;
    if (pc_plan_create(context, graph, &shorter, options, &plan) == PC_OK)
        seconds = pc_plan_get_info(plan)->predicted_seconds * times;
    pc_plan_free(plan);
    if (seconds >= TOLD_SECONDS)
        tell(seconds, "at least ");
    return seconds >= TOLD_SECONDS;
}

pc_status cli_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                          const pc_count_options *options, const cli_running_options *running,
                          pc_plan **plan)
{
    bool is_told = running->is_quiet || tell_early(context, graph, query, options);
    pc_status status = make_plan(context, graph, query, options, plan);
    if (status != PC_OK)
        return status;
    const pc_plan_info *info = pc_plan_get_info(*plan);
    if (!is_told && info->predicted_seconds >= TOLD_SECONDS)
        tell(info->predicted_seconds, "");
    if (running->explain)
        cli_explain_plan(info);
    return PC_OK;
}

/* ---- Explanations ---------------------------------------------------------------------------- */

#define SHOWN_SECONDS 0.5e-6 /* a shorter time has six zeros */

static void print_counts_row(const pc_plan_info *plan)
{
    fputs("  counts      ", stderr);
    if (plan->arithmetic == PC_MODULAR) {
        fprintf(stderr, "modulo %" PRIu64, plan->modulus);
    } else if (plan->arithmetic == PC_FLOAT) {
        fputs("doubles that share a binary exponent\n  digits      ", stderr);
        cli_print_digits(stderr, plan->relative_error);
    } else {
        fprintf(stderr, "at most 2^%.2f (proved), integers of %" PRIu32 " bits", plan->bound_bits,
                64 * plan->n_limbs);
    }
    fputc('\n', stderr);
}

static void print_method_row(const pc_plan_info *plan)
{
    fprintf(stderr, "  method      %s: ", cli_method_name(plan->method));
    if (plan->method == PC_METHOD_DENSE) {
        fputs("the whole matrix is squared\n", stderr);
        return;
    }
    if (plan->method == PC_METHOD_RECURRENCE && plan->n_vectors == 0)
        fputs("rows as a polynomial of A, ", stderr);
    if (plan->method == PC_METHOD_RECURRENCE)
        fprintf(stderr, "of at most %" PRIu64 " lengths, by ", plan->sweep_length / 2);
    if (plan->n_vectors > 0 || plan->method == PC_METHOD_RECURRENCE)
        cli_print_number_of(stderr, plan->n_vectors ? plan->n_vectors : 1, "vector", "vectors");
    else
        fputs("rows", stderr);
    fputs(" sent along the arcs, ", stderr);
    if (plan->sweep_length > 0 || plan->length == 0)
        cli_print_number_of(stderr, plan->sweep_length, "step", "steps");
    else
        fputs("once, in topological order", stderr);
    fputs(plan->method == PC_METHOD_HYBRID ? ", then squared\n" : "\n", stderr);
}

/* Prints a predicted time, or that it is shorter than the digits can say, or that nothing is
 * predicted. */
static void print_predicted(int width, double seconds)
{
    if (seconds == 0)
        fprintf(stderr, "%*s  ", width, "-");
    else if (seconds > 0 && seconds < SHOWN_SECONDS)
        fprintf(stderr, "%*s s", width, "<0.000001");
    else
        fprintf(stderr, "%*.6f s", width, seconds);
}

static void print_kernel(const pc_plan_info *plan)
{
    if (plan->kernel[0] != '\0')
        fprintf(stderr, "kernel %s, ", plan->kernel);
}

static void print_engine_row(const pc_plan_info *plan)
{
    fprintf(stderr, "  engine      %s, ", plan->engine);
    print_kernel(plan);
    if (plan->n_devices > 0) {
        cli_print_number_of(stderr, (uint64_t)plan->n_devices, "GPU", "GPUs");
        fprintf(stderr, " (%s), ", plan->device);
    }
    cli_print_number_of(stderr, (uint64_t)plan->n_threads, "thread", "threads");
    if (plan->symmetric && plan->method != PC_METHOD_SWEEP && plan->method != PC_METHOD_RECURRENCE)
        fputs("; symmetric: half of each product", stderr);
    fprintf(stderr, "\n  because     %s\n", plan->engine_reason);
    if (plan->seconds.start > 0)
        fprintf(stderr, "  start       %.6f s to look for CUDA and start it\n",
                plan->seconds.start);
}

static void print_memory_row(const char *name, uint64_t forecast, uint64_t available)
{
    fprintf(stderr, "  %-11s forecast ", name);
    cli_print_bytes(stderr, forecast);
    fputs(" of ", stderr);
    cli_print_bytes(stderr, available);
    fputs(" available\n", stderr);
}

/* Prints width and moduli of a level; doubles have neither. */
static void print_width(const pc_plan_info *plan, const pc_level *level)
{
    if (plan->arithmetic == PC_FLOAT)
        fprintf(stderr, "  %9s  %6s", "-", "-");
    else if (plan->method == PC_METHOD_SWEEP)
        fprintf(stderr, "  %9.2f  %6s", level->bound_bits, "-");
    else if (level->is_direct)
        fprintf(stderr, "  %9.2f  %6s", level->bound_bits, "none");
    else if (level->n_moduli == 0)
        fprintf(stderr, "  %9.2f  %6s", level->bound_bits, "plain");
    else
        fprintf(stderr, "  %9.2f  %6" PRIu32, level->bound_bits, level->n_moduli);
}

static const char *level_name(const pc_level *level)
{
    if (level->is_swept)
        return "sweep";
    if (level->length <= 1)
        return "load"; /* A itself, or the identity */
    if (level->is_reduced)
        return "reduce";
    if (level->is_diagonal)
        return "trace";
    if (level->is_by_digits)
        return "digits";
    return level->is_step ? "step" : "square";
}

/* Prints a line for each level, with the measured time when has_run. */
static void print_levels(const pc_plan_info *plan, bool has_run)
{
    if (plan->n_levels == 0)
        return;
    fprintf(stderr, "  %20s  %-6s  %9s  %6s  %8s  %11s%s\n", "length", "by", "bits", "moduli",
            "products", "predicted", has_run ? "     measured" : "");
    for (uint32_t i = 0; i < plan->n_levels; i++) {
        const pc_level *level = &plan->levels[i];
        fprintf(stderr, "  %20" PRIu64 "  %-6s", level->length, level_name(level));
        print_width(plan, level);
        fprintf(stderr, "  %8" PRIu32 "  ", level->n_products);
        print_predicted(9, level->predicted_seconds);
        if (has_run)
            fprintf(stderr, "  %9.6f s", level->seconds);
        fputc('\n', stderr);
    }
}

/* Prints the plans that were compared, the chosen one first. */
static void print_alternatives(const pc_plan_info *plan)
{
    if (plan->n_alternatives < 2)
        return;
    fprintf(stderr, "  %-6s  %-6s  %20s  %11s\n", "method", "engine", "steps swept", "predicted");
    for (uint32_t i = 0; i < plan->n_alternatives; i++) {
        const pc_alternative *way = &plan->alternatives[i];
        fprintf(stderr, "  %-6s  %-6s  %20" PRIu64, cli_method_name(way->method), way->engine,
                way->sweep_length);
        fputs("  ", stderr);
        print_predicted(9, way->predicted_seconds);
        if (way->is_chosen || way->why_not[0] != '\0')
            fprintf(stderr, "  %s", way->is_chosen ? "chosen" : way->why_not);
        fputc('\n', stderr);
    }
}

void cli_explain_plan(const pc_plan_info *plan)
{
    fprintf(stderr, "plan: length %" PRIu64 ", ", plan->length);
    cli_print_number_of(stderr, plan->n_vertices, "vertex", "vertices");
    fputs(", ", stderr);
    cli_print_number_of(stderr, plan->n_arcs, "arc", "arcs");
    if (plan->n_blocks > 0) {
        fputs(", ", stderr);
        cli_print_number_of(stderr, plan->n_blocks, "block", "blocks");
    }
    fputc('\n', stderr);
    print_counts_row(plan);
    print_method_row(plan);
    print_engine_row(plan);
    print_memory_row("memory", plan->memory_bytes, plan->memory_available_bytes);
    if (plan->device_memory_bytes > 0)
        print_memory_row("GPU memory", plan->device_memory_bytes,
                         plan->device_memory_available_bytes);
    if (plan->predicted_seconds > 0) {
        fputs("  prediction  ", stderr);
        print_predicted(0, plan->predicted_seconds);
        fputc('\n', stderr);
    }
    print_alternatives(plan);
    print_levels(plan, false);
}

void (*cli_explain_more)(FILE *out);

static void explain_times(const pc_plan_info *plan)
{
    const struct {
        const char *stage;
        double seconds;
    } rows[] = {{"start", plan->seconds.start},     {"bound", plan->seconds.bound},
                {"load", plan->seconds.load},       {"extend", plan->seconds.extend},
                {"product", plan->seconds.product}, {"step", plan->seconds.step},
                {"sweep", plan->seconds.sweep},     {"collect", plan->seconds.collect},
                {"certify", plan->seconds.certify}, {"deliver", plan->seconds.deliver},
                {"total", plan->seconds.total}};
    fprintf(stderr, "engine: %s, ", plan->engine);
    print_kernel(plan);
    fprintf(stderr, "because %s\nmeasured: %.6f s%s", plan->engine_reason, plan->seconds.total,
            plan->seconds.start > 0 ? " without the start of CUDA" : "");
    if (plan->predicted_seconds > 0) {
        fputs(", predicted ", stderr);
        print_predicted(0, plan->predicted_seconds);
    }
    fputc('\n', stderr);
    print_levels(plan, true);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].seconds >= SHOWN_SECONDS)
            fprintf(stderr, "  %-8s  %9.6f s\n", rows[i].stage, rows[i].seconds);
    if (cli_explain_more)
        cli_explain_more(stderr);
}

void cli_tell_of_run(const pc_plan_info *plan, bool explains)
{
    if (plan->recomputed[0] != '\0')
        fprintf(stderr,
                "pathcount: warning: %s; it was computed again, and the second result was "
                "delivered; test the memory of this machine, and its GPU\n",
                plan->recomputed);
    if (explains)
        explain_times(plan);
}
