/* `pathcount devices`: prints the processors and GPUs, a block of text each, or one JSON object. */
#include "src/cli/main.h"
#include "src/cli/process.h"
#include "src/cli/json.h"
#include "src/cli/options.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { LIST_BYTES = 1024, NAME_BYTES = 16 };

typedef struct devices_job {
    const char *device; /* for pc_context_set_device */
    bool json;
    json_t *root; /* NULL: text */
    bool cpu_is_chosen;
    char chosen[LIST_BYTES]; /* "cuda:0, cuda:1" */
} devices_job;

/* ---- Command line ---------------------------------------------------------------------------- */

static const cli_option rows[] = {
    {"--device", "DEVICE", "Where counts with this --device are made", CLI_TEXT,
     CLI_AT(devices_job, device), .words = cli_device_words},
    {"--json", NULL, "Print one JSON object", CLI_AT(devices_job, json)},
    {0}};

static const cli_group groups[] = {
    {"What is told (pathcount devices --device cuda:all --json):", rows, 0},
    {NULL, cli_about_rows, 0},
    {0}};

static const char doc[] =
    "List the processors and GPUs of this machine, the largest graphs that fit into their memory, "
    "and where counts are made.\v"
    "A GPU, driver or CUDA engine that is not there is no error: the list says why it is not.\n"
    "\n"
    "Examples:\n"
    "  pathcount devices\n"
    "\n"
    "Exit status: 0 done, 2 usage. More: man pathcount";

const cli_command cli_devices_command = {
    .name = "devices", .summary = "what can compute here", .doc = doc, .groups = groups};

/* ---- Text ------------------------------------------------------------------------------------ */

/* "cuda:1", as --device has it. */
static void name_device(const pc_device *device, char name[NAME_BYTES])
{
    if (device->index < 0)
        snprintf(name, NAME_BYTES, "%s", device->engine);
    else
        snprintf(name, NAME_BYTES, "%s:%d", device->engine, device->index);
}

static void print_device(const pc_device *device)
{
    char name[NAME_BYTES];
    name_device(device, name);
    if (device->missing[0] != '\0') {
        printf("%s  not usable: %s\n\n", name, device->missing);
        return;
    }
    printf("%s  %s\n", name, device->name);
    if (device->index < 0)
        printf("  threads             %d\n", device->n_multiprocessors);
    else
        printf("  compute capability  %d.%d\n", device->major, device->minor);
    printf("  kernel              %s\n  memory              %s, %s free\n", device->kernel,
           cli_bytes_of(device->memory_bytes).text, cli_bytes_of(device->free_bytes).text);
    if (device->index >= 0) {
        printf("  multiprocessors     %d", device->n_multiprocessors);
        if (device->clock_mhz > 0)
            printf(", %.0f MHz", device->clock_mhz);
        printf("\n  each of them        %d threads, %d blocks, %d registers, %s of shared memory\n",
               device->max_threads_per_multiprocessor, device->max_blocks_per_multiprocessor,
               device->registers_per_multiprocessor,
               cli_bytes_of(device->shared_per_multiprocessor).text);
        printf("  a block             %d threads, %s of shared memory\n",
               device->max_threads_per_block, cli_bytes_of(device->shared_per_block).text);
        printf("  L2 cache            %s\n  memory bus          %d bits",
               cli_bytes_of(device->l2_bytes).text, device->memory_bus_bits);
        if (device->memory_clock_mhz > 0)
            printf(", %.0f MHz", device->memory_clock_mhz);
        putchar('\n');
    }
    printf("  largest n           %" PRIu64 " in theory, %" PRIu64 " as planned\n\n",
           device->largest_n_theory, device->largest_n_plan);
    fflush(stdout); /* the next GPU may take a while to start */
}

static void print_end(const devices_job *job)
{
    puts("largest n: vertices of a graph whose counts of 64 bits fit. In theory: three matrices\n"
         "of 64-bit integers in all of the memory. As planned: an undirected graph, the way\n"
         "pathcount counts, in what is free now; 131071 at most.");
    if (job->cpu_is_chosen)
        printf("%s: counts are made by the processors\n", job->device);
    else if (job->chosen[0] == '\0')
        printf("%s: no counts, for there is nothing of that name to use\n", job->device);
    else if (strcmp(job->device, "auto") == 0)
        printf("auto: counts are made on %s when the processors are expected to take more\n"
               "than half a second, else by the processors\n",
               job->chosen);
    else
        printf("%s: counts are made on %s\n", job->device, job->chosen);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *device_object(const pc_device *device)
{
    char name[NAME_BYTES];
    name_device(device, name);
    json_t *object = json_pack("{s:s, s:s, s:o, s:o, s:b}", "device", name, "engine",
                               device->engine, "name", cli_json_text(device->name), "missing",
                               cli_json_text(device->missing), "is_chosen", device->is_chosen);
    if (device->missing[0] != '\0')
        return object;
    cli_json_behind(object, json_pack("{s:s, s:I, s:I, s:I, s:I}", "kernel", device->kernel,
                                      "memory_bytes", (json_int_t)device->memory_bytes,
                                      "free_bytes", (json_int_t)device->free_bytes,
                                      "largest_n_theory", (json_int_t)device->largest_n_theory,
                                      "largest_n_plan", (json_int_t)device->largest_n_plan));
    if (device->index < 0)
        return cli_json_behind(object, json_pack("{s:i}", "threads", device->n_multiprocessors));
    return cli_json_behind(
        object,
        json_pack("{s:i, s:i, s:i, s:f, s:f, s:i, s:I, s:i, s:i, s:i, s:i, s:I, s:I}", "major",
                  device->major, "minor", device->minor, "multiprocessors",
                  device->n_multiprocessors, "clock_mhz", device->clock_mhz, "memory_clock_mhz",
                  device->memory_clock_mhz, "memory_bus_bits", device->memory_bus_bits, "l2_bytes",
                  (json_int_t)device->l2_bytes, "max_threads_per_block",
                  device->max_threads_per_block, "max_threads_per_multiprocessor",
                  device->max_threads_per_multiprocessor, "max_blocks_per_multiprocessor",
                  device->max_blocks_per_multiprocessor, "registers_per_multiprocessor",
                  device->registers_per_multiprocessor, "shared_bytes_per_multiprocessor",
                  (json_int_t)device->shared_per_multiprocessor, "shared_bytes_per_block",
                  (json_int_t)device->shared_per_block));
}

/* ---- The command ----------------------------------------------------------------------------- */

static void take_device(void *user, const pc_device *device)
{
    devices_job *job = user;
    size_t length = strlen(job->chosen);
    char name[NAME_BYTES];
    name_device(device, name);
    if (device->is_chosen && device->index < 0)
        job->cpu_is_chosen = true;
    else if (device->is_chosen)
        snprintf(job->chosen + length, sizeof job->chosen - length, "%s%s", length ? ", " : "",
                 name);
    if (job->root == NULL)
        print_device(device);
    else
        json_array_append_new(json_object_get(job->root, "devices"), device_object(device));
}

int cli_devices(int argc, char **argv)
{
    devices_job job = {.device = "auto"};
    pc_context *context;
    cli_parse_options(&cli_devices_command, argc, argv, &job);
    pc_status status = pc_context_create(&context);
    if (status != PC_OK)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(status));
    status = pc_context_set_device(context, job.device);
    if (status == PC_OK && job.json)
        job.root = cli_json_behind(cli_json_begin("devices"),
                                   json_pack("{s:s, s:[]}", "asked", job.device, "devices"));
    if (status == PC_OK)
        status = pc_devices(context, take_device, &job);
    if (status == PC_OK && job.root == NULL)
        print_end(&job);
    else if (status == PC_OK &&
             json_dumpf(job.root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) != 0)
        status = PC_ERR_IO;
    else if (status == PC_OK)
        putchar('\n');
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
    json_decref(job.root);
    pc_context_free(context);
    return code;
}
