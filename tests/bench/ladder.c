/* The ladder: which names there are, how one candidate is verified and timed, and its row. */
#include "tests/bench/ladder.h"

#include "src/core/memory.h"
#include "src/engine/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { GPU_SIZE = 4096, PROCESSOR_SIZE = 1024 };

#define LONG_RUN_MS 2000.0 /* what takes longer is not run again: its first run counts */

/* ---- Names ----------------------------------------------------------------------------------- */

bool ladder_is_named(const ladder *l, const char *name)
{
    for (size_t k = 0; k < l->n_kernels; k++)
        if (strcmp(l->names[k], name) == 0)
            return true;
    return false;
}

static bool is_one_of(const char *name, size_t n_known, const char *const *known)
{
    for (size_t i = 0; i < n_known; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    return false;
}

/* Refuses a name that is none of a GPU's, if there is one, or of the processor's; why: there is none. */
static void check_names(ladder *l, const ladder_gpu_part *gpu, const char *why)
{
    const char *known[LADDER_MAX_NAMES];
    char own[LADDER_NAME_BYTES], list[1024];
    size_t n = gpu ? gpu->names(known) : 0, length = 0;
    ladder_own_name(l, own);
    for (size_t r = 0; r < l->n_loops; r++)
        known[n++] = l->loops[r].name;
    known[n++] = own;
    for (size_t k = 0; k < l->n_kernels && l->bench->status == PC_OK; k++) {
        if (is_one_of(l->names[k], n, known))
            continue;
        for (size_t i = 0; i < n && length < sizeof list; i++)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       i > 0 ? ", " : "", known[i]);
        bench_check(l->bench, pci_fail(l->bench->context, PC_ERR_ARGUMENT,
                                       "the ladder has no kernel '%.64s'%s; it has %s%s%s",
                                       l->names[k], gpu ? "" : " on the processor", list,
                                       *why ? "; no GPU is measured: " : "", why));
    }
}

/* ---- One candidate --------------------------------------------------------------------------- */

void ladder_measure(ladder *l, ladder_candidate *c)
{
    bench *b = l->bench;
    double first_ms = 0;
    uint64_t n_wrong = 0;
    bench_check(b, pci_progress(b->context, "bench", 0));
    if (b->status == PC_OK)
        c->spoil(l, c);
    if (b->status == PC_OK)
        first_ms = bench_run(b, &c->item, 1);
    if (b->status == PC_OK)
        n_wrong = c->count_wrong(l, c);
    if (b->status != PC_OK)
        return;
    if (n_wrong > 0) {
        b->n_wrong++;
        snprintf(c->note, sizeof c->note, "WRONG: %" PRIu64 " entries", n_wrong);
        return;
    }
    c->item.milliseconds = first_ms;
    if (first_ms > LONG_RUN_MS)
        strcat(c->figures, ", one run");
    else
        bench_time(b, 1, &c->item);
}

void ladder_tell(ladder *l, const ladder_candidate *c)
{
    char name[64], theirs[64], note[BENCH_NOTE_BYTES];
    double n = l->n, milliseconds = c->item.milliseconds;
    int n_ratios = 0;
    ladder_seed seed = ladder_seed_of(c->name, c->block_x, c->block_y, l->n);
    snprintf(name, sizeof name, c->block_x > 0 ? "%s, %" PRIu32 " x %" PRIu32 : "%s", c->name,
             c->block_x, c->block_y);
    snprintf(note, sizeof note, "%s%s", c->source, c->figures);
    bench_row row = {.section = "ladder", .name = name, .n = l->n, .note = c->note};
    if (milliseconds > 0) {
        row.milliseconds = milliseconds;
        row.rate = (2 * n - 1) * n * n / milliseconds / 1e6;
        row.unit = "GFLOP/s";
        row.verified = "sums of integers";
        row.note = note;
        if (l->library_ms > 0)
            row.ratio[n_ratios++] = (bench_ratio){"SGEMM", l->library_ms / milliseconds};
        if (l->first_ms > 0)
            row.ratio[n_ratios++] =
                (bench_ratio){l->is_alone ? "the first row" : "GPU1", l->first_ms / milliseconds};
        snprintf(theirs, sizeof theirs, "the source's %.3g on %s", seed.gflops, seed.device);
        if (seed.gflops > 0)
            row.ratio[n_ratios++] = (bench_ratio){theirs, row.rate / seed.gflops};
    }
    bench_tell(l->bench, &row);
}

/* ---- All ------------------------------------------------------------------------------------- */

static void tell_processor(ladder *l, const char *why_no_gpu)
{
    bench *b = l->bench;
    char name[PCI_PROCESSOR_NAME_BYTES], text[PCI_PROCESSOR_NAME_BYTES + 32];
    pci_engine_info info;
    int n_threads = pci_n_threads(b->context);
    if (!bench_check(b, pci_engine_cpu.describe(b->context, &info)))
        return;
    pci_processor_name(name, sizeof name);
    snprintf(text, sizeof text, "%s, %d thread%s", name, n_threads, n_threads == 1 ? "" : "s");
    bench_note(b, "machine", "processor", 0, text);
    bench_note(b, "machine", "kernel", 0, info.kernel);
    if (*why_no_gpu)
        bench_note(b, "machine", "GPU", 0, why_no_gpu);
}

/* Begins the GPU's part, and returns whether it began. If not, and nobody asked for a GPU by name, why gets the reason. */
static bool begin_gpu(ladder *l, const ladder_gpu_part *gpu, char *why)
{
    bench *b = l->bench;
    int kind = b->context->devices.kind;
    if (kind == PCI_DEVICE_CPU)
        return false;
    if (gpu)
        gpu->begin(l);
    else
        bench_check(b, pci_fail(b->context, PC_ERR_ENGINE, "this build has no CUDA"));
    if (b->status == PC_OK)
        return true;
    if (gpu)
        gpu->end(l);
    if (b->status == PC_ERR_ENGINE && kind == PCI_DEVICE_AUTO) {
        strcpy(why, b->context->message);
        b->context->message[0] = '\0';
        b->status = PC_OK;
    }
    return false;
}

pc_status ladder_run(ladder *l, const ladder_gpu_part *gpu)
{
    bench *b = l->bench;
    char why[sizeof b->context->message] = "";
    uint32_t n = l->n;
    if (!l->loops) {
        l->loops = ladder_loops;
        l->n_loops = LADDER_N_LOOPS;
    }
    l->n = n > 0 ? n : GPU_SIZE;
    if (gpu && b->context->devices.kind != PCI_DEVICE_CPU)
        check_names(l, gpu, why); /* before a GPU is looked for, which takes a while */
    if (b->status == PC_OK && begin_gpu(l, gpu, why)) {
        gpu->measure(l);
        ladder_measure_processor(l);
        gpu->end(l);
        return bench_end(b);
    }
    l->is_alone = true;
    l->n = n > 0 ? n : PROCESSOR_SIZE;
    check_names(l, NULL, why);
    tell_processor(l, why);
    ladder_measure_processor(l);
    return bench_end(b);
}
