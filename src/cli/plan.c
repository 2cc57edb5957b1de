/* Makes plans of counts, and prints them for --explain. */
#include "src/cli/load.h"

#include "src/cli/count_options.h"
#include "src/cli/process.h"
#include "src/cli/terminal.h"
#include "src/cli/text.h"

#include "src/tool.h"

#include <inttypes.h>
#include <math.h>

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Measuring takes 10 to 30 ms. */
static const double LONG_SECONDS = 0.1;
/* Nobody waits for so long without being told. */
static const double TOLD_SECONDS = 600;

enum { SHORT_LENGTH = 100000, LONG_LENGTH = 1000000 };

pc_status (*cli_plan_for_others)(pc_context *, const pc_graph *, const pc_query *,
                                 const pc_count_options *) = NULL;

static bool tell(double seconds, const char *at_least)
{
    char duration[32];
    cli_duration_text(seconds, sizeof duration, duration);
    if (seconds >= TOLD_SECONDS)
        fprintf(
            stderr,
            "predicted time: %s%s (--explain says how it is spent; a smaller question, a shorter "
            "length, or --mod M takes less)\n",
            at_least, duration);
    return seconds >= TOLD_SECONDS;
}

pc_status cli_plan_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                          const pc_count_options *options, const cli_running_options *running,
                          pc_plan **plan)
{
    bool is_told = running->is_quiet;
    int has_measured = 0;
    pc_status status =
        cli_plan_for_others != NULL ? cli_plan_for_others(context, graph, query, options) : PC_OK;
    /* Planning a very long length takes long itself: each length on the way is bounded. Exact counts
     * grow with their length, so they take at least as many times as long as a shorter one as they
     * are longer. */
    if (!is_told && query->length >= LONG_LENGTH && options->arithmetic == PC_EXACT) {
        pc_query shorter = *query;
        shorter.length = SHORT_LENGTH;
        if (pc_plan_create(context, graph, &shorter, options, plan) == PC_OK)
            is_told = tell(pc_plan_get_info(*plan)->predicted_seconds * (double)query->length /
                               (double)SHORT_LENGTH,
                           "at least ");
        pc_plan_free(*plan);
        *plan = NULL;
    }
    if (status == PC_OK)
        status = pc_plan_create(context, graph, query, options, plan);
    /* --twice: both processes must plan the same. Of shortest paths the plan is half of the work. */
    if (status == PC_OK && query->paths < PC_PATHS_SHORTEST &&
        pc_plan_get_info(*plan)->predicted_seconds >= LONG_SECONDS && !cli_is_twice())
        pc_calibrate_quickly(context, &has_measured);
    if (has_measured) {
        pc_plan_free(*plan);
        *plan = NULL;
        status = pc_plan_create(context, graph, query, options, plan);
    }
    double limit = running->time_limit_seconds, seconds;
    if (status == PC_OK && limit > 0 &&
        (seconds = pc_plan_get_info(*plan)->predicted_seconds) > limit) {
        char sentence[200];
        snprintf(sentence, sizeof sentence,
                 "predicted time: %.3g s, and --time-limit allows %.3g s; nothing was computed",
                 seconds, limit);
        pc_plan_free(*plan);
        *plan = NULL;
        status = pc_context_fail(context, PC_ERR_RANGE, sentence);
    }
    if (status == PC_OK && !is_told)
        tell(pc_plan_get_info(*plan)->predicted_seconds, "");
    if (status == PC_OK && running->explain)
        cli_explain_plan(pc_plan_get_info(*plan), running->explain > 1);
    return status;
}

/* ---- Explanations ---------------------------------------------------------------------------- */

#define SHOWN_SECONDS 0.5e-6 /* a shorter time has six zeros */

/* A predicted time, or that it is shorter than the digits can say, or that nothing is predicted. */
static cli_words predicted(int width, double seconds)
{
    cli_words words;
    if (seconds > 0 && seconds < SHOWN_SECONDS)
        snprintf(words.text, sizeof words.text, "%*s s", width, "<0.000001");
    else if (seconds == 0)
        snprintf(words.text, sizeof words.text, "%*s  ", width, "-");
    else
        snprintf(words.text, sizeof words.text, "%*.6f s", width, seconds);
    return words;
}

static void print_kernel(const pc_plan_info *plan)
{
    if (plan->kernel[0] != '\0')
        fprintf(stderr, "kernel %s, ", plan->kernel);
}

static void print_memory_row(const char *name, uint64_t forecast, uint64_t available)
{
    fprintf(stderr, "  %-11s forecast %s of %s available\n", name, cli_bytes_of(forecast).text,
            cli_bytes_of(available).text);
}

static void print_method_row(const pc_plan_info *plan)
{
    static const char *const without_vectors[PC_METHOD_SETS + 1] = {
        [PC_METHOD_DENSE] = "the whole matrix is squared",
        [PC_METHOD_FORMULA] = "walks that visit a vertex twice are subtracted",
        [PC_METHOD_SEARCH] = "paths are looked for from each vertex",
        [PC_METHOD_SETS] = "paths are counted by the set of their vertices"};
    pc_method method = plan->method;
    bool is_recurrence = method == PC_METHOD_RECURRENCE;
    fprintf(stderr, "  method      %s: ", cli_method_name(method));
    if (without_vectors[method] != NULL) {
        fprintf(stderr, "%s\n", without_vectors[method]);
        return;
    }
    if (is_recurrence)
        fprintf(stderr, "%sof at most %" PRIu64 " lengths, by ",
                plan->n_vectors == 0 ? "rows as a polynomial of A, " : "", plan->sweep_length / 2);
    fprintf(
        stderr, "%s sent along the arcs, %s%s\n",
        plan->n_vectors > 0 || is_recurrence
            ? cli_number_of(plan->n_vectors ? plan->n_vectors : 1, "vector", "vectors").text
        : plan->n_swept > 0
            ? cli_number_of(plan->n_swept, "row of a vertex cover", "rows of a vertex cover").text
            : "rows",
        plan->sweep_length > 0 || plan->length == 0
            ? cli_number_of(plan->sweep_length, "step", "steps").text
            : "once, in topological order",
        method == PC_METHOD_HYBRID ? ", then squared" : "");
}

/* Prints how much smaller the graph became, and the times with and without that. */
static void print_reduced_row(const pc_plan_info *plan)
{
    double without = 0;
    for (uint32_t i = 0; i < plan->n_alternatives; i++) { /* the fastest one comes first */
        const pc_alternative *way = &plan->alternatives[i];
        if (without == 0 && way->n_classes == 0)
            without = way->predicted_seconds;
    }
    fprintf(stderr, "  reduced     %s to %s in %s",
            cli_number_of(plan->n_vertices, "vertex", "vertices").text,
            cli_number_of(plan->n_classes, "class", "classes").text,
            cli_number_of(plan->n_pieces, "piece", "pieces").text);
    if (without > 0)
        fprintf(stderr, " (predicted %s, without %s)", predicted(0, plan->predicted_seconds).text,
                predicted(0, without).text);
    fputc('\n', stderr);
}

/* Prints a line for each level, with the measured time when has_run. Sweeps have no moduli, doubles
 * no width. */
static void print_levels(const pc_plan_info *plan, bool has_run)
{
    if (plan->n_levels == 0)
        return;
    fprintf(stderr, "  %20s  %-6s  %9s  %6s  %8s  %11s%s\n", "length", "by", "bits", "moduli",
            "products", "predicted", has_run ? "     measured" : "");
    for (uint32_t i = 0; i < plan->n_levels; i++) {
        const pc_level *level = &plan->levels[i];
        bool is_float = plan->arithmetic == PC_FLOAT;
        char bits[32] = "-", moduli[16];
        const char *by = level->is_swept      ? "sweep"
                         : level->length <= 1 ? "load" /* A itself, or the identity */
                         : level->is_reduced || level->is_diagonal ? "reduce"
                         : level->is_by_digits                     ? "digits"
                         : level->is_step                          ? "step"
                                                                   : "square";
        if (!is_float)
            snprintf(bits, sizeof bits, "%.2f", level->bound_bits);
        if (is_float || plan->method == PC_METHOD_SWEEP)
            snprintf(moduli, sizeof moduli, "-");
        else if (level->is_direct || level->n_moduli == 0)
            snprintf(moduli, sizeof moduli, level->is_direct ? "none" : "plain");
        else
            snprintf(moduli, sizeof moduli, "%" PRIu32, level->n_moduli);
        fprintf(stderr, "  %20" PRIu64 "  %-6s  %9s  %6s  %8" PRIu32 "  %s", level->length, by,
                bits, moduli, level->n_products, predicted(9, level->predicted_seconds).text);
        if (has_run)
            fprintf(stderr, "  %9.6f s", level->seconds);
        fputc('\n', stderr);
    }
}

void cli_explain_plan(const pc_plan_info *plan, bool all)
{
    fprintf(stderr, "plan: length %" PRIu64 ", %s, %s%s%s\n  counts      ", plan->length,
            cli_number_of(plan->n_vertices, "vertex", "vertices").text,
            cli_number_of(plan->n_arcs, "arc", "arcs").text, plan->n_blocks > 0 ? ", " : "",
            plan->n_blocks > 0 ? cli_number_of(plan->n_blocks, "block", "blocks").text : "");
    if (plan->arithmetic == PC_MODULAR)
        fprintf(stderr, "modulo %" PRIu64 "\n", plan->modulus);
    else if (plan->arithmetic == PC_FLOAT)
        fprintf(stderr, "doubles that share a binary exponent\n  digits      %s\n",
                cli_held_digits(plan->relative_error).text);
    else
        fprintf(stderr, "at most %.0f bits (proved), kept in %" PRIu32 "\n",
                floor(plan->bound_bits) + 1, 64 * plan->n_limbs);
    print_method_row(plan);
    if (plan->n_classes > 0)
        print_reduced_row(plan);
    fprintf(stderr, "  engine      %s, ", plan->engine);
    print_kernel(plan);
    if (plan->n_devices > 0)
        fprintf(stderr, "%s (%s), ", cli_number_of((uint64_t)plan->n_devices, "GPU", "GPUs").text,
                plan->device);
    bool is_half =
        plan->symmetric && (plan->method == PC_METHOD_DENSE || plan->method == PC_METHOD_HYBRID);
    fprintf(stderr, "%s%s\n  because     %s\n",
            cli_number_of((uint64_t)plan->n_threads, "thread", "threads").text,
            is_half ? "; symmetric: half of each product" : "", plan->engine_reason);
    if (plan->seconds.start > 0)
        fprintf(stderr, "  start       %.6f s to look for CUDA and start it\n",
                plan->seconds.start);
    print_memory_row("memory", plan->memory_bytes, plan->memory_available_bytes);
    if (plan->device_memory_bytes > 0)
        print_memory_row("GPU memory", plan->device_memory_bytes,
                         plan->device_memory_available_bytes);
    if (plan->predicted_seconds > 0)
        fprintf(stderr, "  prediction  %s\n", predicted(0, plan->predicted_seconds).text);
    if (!all)
        return;
    /* The plans that were compared, the chosen one first. */
    if (plan->n_alternatives >= 2)
        fprintf(stderr, "  %-7s  %-6s  %20s  %11s\n", "method", "engine", "steps swept",
                "predicted");
    for (uint32_t i = 0; i < plan->n_alternatives && plan->n_alternatives >= 2; i++) {
        const pc_alternative *way = &plan->alternatives[i];
        const char *why = way->is_chosen ? "chosen" : way->why_not;
        fprintf(stderr, "  %-7s  %-6s  %20" PRIu64 "  %s%s%s%s\n", cli_method_name(way->method),
                way->engine, way->sweep_length, predicted(9, way->predicted_seconds).text,
                way->n_classes > 0 ? "  reduced"
                : way->n_swept > 0 ? "  cover"
                                   : "",
                why[0] != '\0' ? "  " : "", why);
    }
    print_levels(plan, false);
}

void (*cli_explain_more)(FILE *out);

void cli_tell_of_run(const pc_plan_info *plan, unsigned explain)
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
    if (plan->recomputed[0] != '\0')
        fprintf(stderr,
                "pathcount: warning: %s; it was computed again, and the second result was "
                "delivered; test the memory of this machine, and its GPU\n",
                plan->recomputed);
    if (!explain)
        return;
    if (explain > 1) {
        fprintf(stderr, "engine: %s, ", plan->engine);
        print_kernel(plan);
        fprintf(stderr, "because %s\n", plan->engine_reason);
    }
    fprintf(stderr, "measured: %.6f s%s%s%s\n", plan->seconds.total,
            plan->seconds.start > 0 ? " without the start of CUDA" : "",
            plan->predicted_seconds > 0 ? ", predicted " : "",
            plan->predicted_seconds > 0 ? predicted(0, plan->predicted_seconds).text : "");
    if (explain < 2)
        return;
    if (plan->n_classes == 0) /* levels of a piece are not measured */
        print_levels(plan, true);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].seconds >= SHOWN_SECONDS)
            fprintf(stderr, "  %-8s  %9.6f s\n", rows[i].stage, rows[i].seconds);
    if (cli_explain_more)
        cli_explain_more(stderr);
}
