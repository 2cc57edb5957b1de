/* `pathcount bench`: measures the GPU engine, or every kernel of the ladder, and prints rows as
 * they come, or one JSON object. */
#include "src/cli/bench_ladder.h"
#include "src/cli/bench_options.h"
#include "src/cli/main.h"
#include "src/cli/process.h"
#include "src/cli/json.h"
#include "src/cli/load.h"
#include "src/cli/modules.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define SIGNIFICANT_DIGITS 6

typedef struct bench_job {
    cli_bench_options options;
    char section[128]; /* of the row before */
    bool on_processor; /* no GPU is measured */
    json_t *root;      /* NULL: a table */
} bench_job;

/* ---- Table ----------------------------------------------------------------------------------- */

static void print_processor(const pc_bench_machine *machine)
{
    printf("pathcount %s on %s, %d thread%s\n", pc_version(), machine->device,
           machine->n_multiprocessors, machine->n_multiprocessors == 1 ? "" : "s");
    printf("  kernel   %s\n", machine->kernel);
}

static void print_gpu(const pc_bench_machine *machine)
{
    printf("pathcount %s on %s, compute capability %d.%d, %d multiprocessors\n", pc_version(),
           machine->device, machine->major, machine->minor, machine->n_multiprocessors);
    printf("  clock    %.0f MHz at most, %.0f MHz before the first measurement\n",
           machine->highest_mhz, machine->found_mhz);
    printf("  CUDA     driver %s, runtime %s\n", machine->driver, machine->runtime);
    if (machine->library[0] != '\0')
        printf("  cuBLAS   %s\n", machine->library);
    else
        printf("  cuBLAS   none to compare with: %s\n", machine->library_missing);
    printf("  kernel   %s\n", machine->kernel);
}

static void print_row(bench_job *job, const pc_bench_row *row)
{
    char n[24] = "";
    if (strcmp(job->section, row->section) != 0) {
        snprintf(job->section, sizeof job->section, "%s", row->section);
        printf("\n%-44s %6s  %12s  %16s  %-16s  %s\n", row->section, "n", "milliseconds", "rate",
               "checked against", "ratios");
    }
    if (row->n > 0)
        snprintf(n, sizeof n, "%" PRIu64, row->n);
    printf("  %-42s %6s", row->name, n);
    if (row->milliseconds > 0)
        printf("  %12.4f  %9.1f %-6s", row->milliseconds, row->rate, row->unit);
    if (row->milliseconds > 0 && (row->verified[0] != '\0' || row->ratio[0].against != NULL))
        printf("  %-16s", row->verified);
    for (int r = 0; r < PC_BENCH_RATIOS && row->ratio[r].against != NULL; r++)
        printf("%s%.3fx %s", r > 0 ? ", " : "  ", row->ratio[r].times, row->ratio[r].against);
    if (row->note[0] != '\0')
        printf("  %s%s", row->milliseconds > 0 ? "" : "not measured: ", row->note);
    putchar('\n');
    fflush(stdout); /* the next row may take a while */
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *machine_object(const pc_bench_machine *machine)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:f, s:f, s:s, s:s, s:s, s:s, s:s}", "name",
                     machine->device, "major", machine->major, "minor", machine->minor,
                     "multiprocessors", machine->n_multiprocessors, "highest_mhz",
                     machine->highest_mhz, "found_mhz", machine->found_mhz, "driver",
                     machine->driver, "runtime", machine->runtime, "cublas", machine->library,
                     "cublas_missing", machine->library_missing, "kernel", machine->kernel);
}

static json_t *ratios_object(const pc_bench_row *row)
{
    json_t *object = json_object();
    for (int r = 0; r < PC_BENCH_RATIOS && row->ratio[r].against != NULL; r++)
        json_object_set_new(object, row->ratio[r].against, json_real(row->ratio[r].times));
    return object;
}

static json_t *row_object(const pc_bench_row *row)
{
    return json_pack("{s:s, s:s, s:I, s:f, s:f, s:s, s:s, s:s, s:o}", "section", row->section,
                     "name", row->name, "n", (json_int_t)row->n, "milliseconds", row->milliseconds,
                     "rate", row->rate, "unit", row->unit, "verified", row->verified, "note",
                     row->note, "times_as_fast_as", ratios_object(row));
}

/* ---- The command ----------------------------------------------------------------------------- */

static void take_machine(void *user, const pc_bench_machine *machine)
{
    bench_job *job = user;
    job->on_processor = machine->driver[0] == '\0';
    if (job->on_processor && machine->library_missing[0] != '\0')
        fprintf(stderr, "pathcount: measuring the processor: %s\n", machine->library_missing);
    if (job->root == NULL) {
        if (job->on_processor)
            print_processor(machine);
        else
            print_gpu(machine);
        if (job->options.ladder)
            cli_ladder_print_legend(job->on_processor);
        else
            printf("Rates count 2 n^3 operations a product; 1.20x: 1.20 times as fast as.\n");
    } else
        json_object_set_new(job->root, "device", machine_object(machine));
}

static void take_row(void *user, const pc_bench_row *row)
{
    bench_job *job = user;
    if (job->root == NULL)
        print_row(job, row);
    else
        json_array_append_new(json_object_get(job->root, "rows"), row_object(row));
}

static void take_ladder_row(void *user, const pc_ladder_row *row)
{
    bench_job *job = user;
    if (job->root == NULL)
        cli_ladder_print_row(row, job->on_processor, job->section, sizeof job->section);
    else
        json_array_append_new(json_object_get(job->root, "rows"), cli_ladder_row_object(row));
}

static pc_status print_json(const bench_job *job)
{
    if (json_dumpf(job->root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(SIGNIFICANT_DIGITS)) !=
        0)
        return PC_ERR_IO;
    putchar('\n');
    return PC_OK;
}

static pc_status measure(bench_job *job, pc_context *context)
{
    pc_status status = pc_context_set_device(context, job->options.device);
    if (status == PC_OK && job->options.ladder)
        status = pc_bench_ladder(context, &job->options.rungs, take_machine, take_ladder_row, job);
    else if (status == PC_OK)
        status = pc_bench(context, &job->options.bench, take_machine, take_row, job);
    /* wrong results are printed, too */
    if (job->root != NULL && (status == PC_OK || status == PC_ERR_CERTIFY)) {
        pc_status printed = print_json(job);
        status = status == PC_OK ? printed : status;
    }
    return status;
}

int cli_bench(int argc, char **argv)
{
    bench_job job = {0};
    pc_context *context = NULL;
    cli_bench_options_parse(argc, argv, &job.options);
    cli_hide_gpus(job.options.device);
    pc_status status = pc_context_create(&context);
    if (status == PC_OK && job.options.json)
        job.root =
            cli_json_behind(cli_json_begin("bench"), json_pack("{s:n, s:[]}", "device", "rows"));
    if (context == NULL)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(status));
    int code = CLI_DONE;
    if (status == PC_OK && job.options.calibrate)
        code = cli_rates_measure(context, job.options.json);
    else if (status == PC_OK)
        status = measure(&job, context);
    if (status != PC_OK)
        code = cli_fail_status(context, status);
    json_decref(job.root);
    pc_context_free(context);
    return code;
}
