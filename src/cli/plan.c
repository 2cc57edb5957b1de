#include "src/cli/plan.h"
#include "pathcount_measure.h"

#include "src/cli/status_line.h"
#include "src/cli/twice.h"

#include <stdio.h>

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

/* Planning a very long length takes long itself: each length on the way is bounded. Exact counts grow with their length, so
 * they take at least as many times as long as a shorter one as they are longer. Returns whether that was told. */
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
                          const pc_count_options *options, bool is_quiet, pc_plan **plan)
{
    bool is_told = is_quiet || tell_early(context, graph, query, options);
    pc_status status = make_plan(context, graph, query, options, plan);
    if (status == PC_OK && !is_told && pc_plan_get_info(*plan)->predicted_seconds >= TOLD_SECONDS)
        tell(pc_plan_get_info(*plan)->predicted_seconds, "");
    return status;
}
