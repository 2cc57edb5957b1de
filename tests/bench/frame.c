/* Rows and time.
 *
 * Items are timed one after the other, again and again, so that those that are compared run at the
 * same clocks and temperatures. A GPU under load runs at the clock that its power allows, which
 * differs from one kernel to the next. So an item is measured as it would run in the long term: it
 * runs for a while untimed, which sets the clock, and is timed after that.
 *
 * Kernels that do not use the tensor cores are timed among themselves. A kernel that runs after
 * them finds a cool chip, and a higher clock than it could hold. */
#include "tests/bench/frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRETCH_SECONDS 0.04 /* what is timed at once: short items are repeated */
#define LEAD_IN_SECONDS 0.2  /* items that take longer are not run untimed before */
#define MAX_REPEATS     1000

/* ---- Status, memory, rows -------------------------------------------------------------------- */

bool bench_check(bench *b, pc_status status)
{
    if (b->status == PC_OK)
        b->status = status;
    return b->status == PC_OK;
}

void *bench_alloc(bench *b, const char *what, size_t n, size_t size)
{
    void *memory = b->status == PC_OK ? pci_alloc_zero(b->context, n, size) : NULL;
    if (!memory && b->status == PC_OK)
        b->status = pci_fail_memory(b->context, what, n * size);
    return memory;
}

void bench_tell(bench *b, const bench_row *row)
{
    bench_row complete = *row;
    const char **texts[] = {&complete.unit, &complete.verified, &complete.note};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        if (!*texts[t])
            *texts[t] = "";
    b->tell(b->user, &complete);
}

void bench_note(bench *b, const char *section, const char *name, uint64_t n, const char *note)
{
    bench_tell(b, &(bench_row){.section = section, .name = name, .n = n, .note = note});
}

void bench_note_wrong(bench *b, const char *section, const char *name, uint64_t n,
                      uint64_t n_wrong_entries)
{
    char note[64];
    snprintf(note, sizeof note, "WRONG: %" PRIu64 " entries", n_wrong_entries);
    bench_note(b, section, name, n, note);
    b->n_wrong++;
}

void bench_tell_items(bench *b, const char *section, uint64_t n, int n_items,
                      const bench_item *items)
{
    for (const bench_item *item = items; item < items + n_items && b->status == PC_OK; item++) {
        if (!item->run)
            continue;
        double per_unit = strcmp(item->unit, "GB/s") == 0 ? 1e6 : 1e9; /* and millisecond */
        int n_ratios = 0;
        bench_row row = {.section = section,
                         .name = item->name,
                         .n = n,
                         .milliseconds = item->milliseconds,
                         .rate = item->amount / item->milliseconds / per_unit,
                         .unit = item->unit,
                         .verified = item->verified};
        for (int p = 0; p < BENCH_RATIOS; p++)
            if (item->peer[p].item && item->peer[p].item->run)
                row.ratio[n_ratios++] = (bench_ratio){
                    item->peer[p].name, item->peer[p].item->milliseconds / item->milliseconds};
        bench_tell(b, &row);
    }
}

pc_status bench_end(bench *b)
{
    if (b->status == PC_OK && b->n_wrong > 0)
        b->status = pci_fail(b->context, PC_ERR_CERTIFY,
                             "%" PRIu64 " results of the benchmark were wrong: this is a bug in "
                             "pathcount or a fault of this machine",
                             b->n_wrong);
    return b->status;
}

/* ---- Time ------------------------------------------------------------------------------------ */

void bench_wait(bench *b)
{
    if (b->wait && b->status == PC_OK)
        b->wait(b);
}

static void run_often(bench *b, const bench_item *item, int n)
{
    for (int i = 0; i < n && b->status == PC_OK; i++)
        item->run(b, item->work);
}

double bench_run(bench *b, const bench_item *item, int n)
{
    bench_wait(b);
    double start = pci_now_seconds();
    run_often(b, item, n);
    bench_wait(b);
    return 1e3 * (pci_now_seconds() - start) / n;
}

/* Runs each item again and again for a while, and finds how many runs make a stretch. */
static void warm_up(bench *b, int n_items, const bench_item *items, int *n_repeats)
{
    double start = pci_now_seconds();
    do {
        for (int i = 0; i < n_items; i++) {
            if (!items[i].run)
                continue;
            double repeats = 1e3 * STRETCH_SECONDS / bench_run(b, &items[i], 1) + 1;
            n_repeats[i] = repeats < MAX_REPEATS ? (int)repeats : MAX_REPEATS;
        }
    } while (b->status == PC_OK && pci_now_seconds() - start < b->warm_up_seconds);
}

static double measure(bench *b, const bench_item *item, int n)
{
    bool needs_lead_in = b->warm_up_seconds > 0 && item->milliseconds < 1e3 * LEAD_IN_SECONDS;
    bench_check(b, pci_progress(b->context, "bench", 0));
    if (needs_lead_in)
        run_often(b, item, n);
    return b->time_on_device && !item->on_wall ? b->time_on_device(b, item, n)
                                               : bench_run(b, item, n);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_time(bench *b, int n_items, bench_item *items)
{
    size_t n_rounds = (size_t)b->n_rounds;
    double *times = bench_alloc(b, "times", (size_t)n_items * n_rounds, sizeof *times);
    int *n_repeats = bench_alloc(b, "times", (size_t)n_items, sizeof *n_repeats);
    if (b->status == PC_OK)
        warm_up(b, n_items, items, n_repeats);
    for (size_t round = 0; round < n_rounds; round++)
        for (int i = 0; i < n_items && b->status == PC_OK; i++)
            if (items[i].run)
                items[i].milliseconds = times[(size_t)i * n_rounds + round] =
                    measure(b, &items[i], n_repeats[i]);
    for (int i = 0; i < n_items && b->status == PC_OK; i++) {
        qsort(times + (size_t)i * n_rounds, n_rounds, sizeof *times, compare_doubles);
        items[i].milliseconds = times[(size_t)i * n_rounds + n_rounds / 2];
    }
    pci_free(b->context, times);
    pci_free(b->context, n_repeats);
}
