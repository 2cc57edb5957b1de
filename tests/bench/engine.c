/* The sections that go through the frame of rows: the engine for GPUs, whole answers, and the rates of plans. */
#include "src/tool.h"
#include "tests/bench/bench.h"
#include "tests/bench/frame.h"

#ifdef PATHCOUNT_WITH_CUDA
#include "tests/bench/gpu/gpu.h"
#endif

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- The engine ------------------------------------------------------------------------------ */

#ifdef PATHCOUNT_WITH_CUDA
static void measure_gpu(bench *b, const bool is_wanted[BENCH_N_PARTS])
{
    static void (*const parts[BENCH_N_PARTS])(bench *) = {bench_ceilings, bench_products,
                                                          bench_planes, bench_counts, bench_sweeps};
    bench_gpu gpu;
    bench_gpu_begin(b, &gpu);
    for (int p = 0; p < BENCH_N_PARTS && b->status == PC_OK; p++)
        if (is_wanted[p] && parts[p])
            parts[p](b);
    bench_gpu_end(b);
}
#else
static void measure_gpu(bench *b, const bool is_wanted[BENCH_N_PARTS])
{
    (void)is_wanted;
    bench_check(b, pci_fail(b->context, PC_ERR_ENGINE, "this build has no CUDA"));
}
#endif

/* ---- Rates ----------------------------------------------------------------------------------- */

static void tell_rate(void *user, const pc_rate *rate)
{
    char text[96];
    snprintf(text, sizeof text, "%10.3g %s a second and thread", rate->per_second, rate->unit);
    bench_note(user, "machine", rate->name, 0, text);
}

/* Makes the folder and those above it. */
static bool make_folder(char *folder)
{
    for (char *slash = folder; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        bool is_made = mkdir(folder, 0700) == 0 || errno == EEXIST;
        if (slash != NULL)
            *slash = '/';
        if (!is_made)
            return false;
    }
    return true;
}

/* Measures the rates that plans predict by, tells them, and keeps them where the command looks for them. */
static void calibrate(bench *b)
{
    char path[PATH_MAX];
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool is_cache = cache != NULL && cache[0] == '/';
    if (!is_cache && (home == NULL || home[0] != '/')) {
        bench_check(
            b, pci_fail(b->context, PC_ERR_CREATE, "no cache folder: set HOME or XDG_CACHE_HOME"));
        return;
    }
    snprintf(path, sizeof path - sizeof "/rates", "%s%s/pathcount", is_cache ? cache : home,
             is_cache ? "" : "/.cache");
    if (!make_folder(path))
        bench_check(b, pci_fail(b->context, PC_ERR_CREATE, "%s: %s", path, strerror(errno)));
    strcat(path, "/rates");
    if (b->status == PC_OK && bench_check(b, pc_calibrate(b->context, tell_rate, b)) &&
        bench_check(b, pc_rates_write(b->context, path)))
        bench_note(b, "machine", "kept in", 0, path);
}

/* ---- The sections ---------------------------------------------------------------------------- */

void section_engine(const bench_options *options, const bool is_wanted[BENCH_N_PARTS])
{
    bench b = {.n_rounds = options->n_rounds,
               .n_sizes = options->n_sizes,
               .sizes = options->sizes,
               .tell = bench_print_row};
    bool is_gpu = is_wanted[BENCH_CEILINGS] || is_wanted[BENCH_PRODUCTS] ||
                  is_wanted[BENCH_PLANES] || is_wanted[BENCH_COUNTS] || is_wanted[BENCH_SWEEPS];
    if (!bench_check(&b, pc_context_create(&b.context)))
        bench_die("%s", pc_status_text(b.status));
    pc_context_set_threads(b.context, options->n_threads);
    bench_check(&b, pc_context_set_device(b.context, options->device));
    if (b.status == PC_OK && is_gpu)
        measure_gpu(&b, is_wanted);
    if (b.status == PC_OK && is_wanted[BENCH_ANSWERS])
        bench_answers(&b);
    if (b.status == PC_OK && is_wanted[BENCH_RATES])
        calibrate(&b);
    if (bench_end(&b) != PC_OK)
        report_failure("engine", options->device, pc_context_message(b.context));
    pc_context_free(b.context);
}
