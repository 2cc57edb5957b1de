/* Rows as a table, and in the tree of figures that becomes the JSON file. */
#include "tests/bench/frame.h"
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_heading(const char *section)
{
    static char last[64];
    if (strcmp(last, section) == 0)
        return;
    snprintf(last, sizeof last, "%s", section);
    printf("\n%-44s %6s  %12s  %17s  %-16s  %s\n", section, "n", "milliseconds", "rate",
           "checked against", "times as fast as");
}

/* A note of what was measured stands on a line of its own. */
static void print_measured(const bench_row *row)
{
    printf("  %12.4f  %9.*f %-7s  %-16s", row->milliseconds, row->rate < 10 ? 3 : 1, row->rate,
           row->unit, row->verified);
    for (int r = 0; r < BENCH_RATIOS && row->ratio[r].against != NULL; r++)
        printf("%s%.3fx %s", r > 0 ? ", " : "  ", row->ratio[r].times, row->ratio[r].against);
    if (row->note[0] != '\0')
        printf("\n      %s", row->note);
}

static void keep(const bench_row *row)
{
    char name[160];
    snprintf(name, sizeof name, row->n > 0 ? "%s, n = %" PRIu64 : "%s", row->name, row->n);
    if (row->note[0] != '\0')
        report_set_text(row->section, name, "note", row->note);
    if (row->milliseconds == 0)
        return;
    report_set(row->section, name, "milliseconds", row->milliseconds);
    report_set(row->section, name, row->unit, row->rate);
    report_set_text(row->section, name, "verified", row->verified);
    for (int r = 0; r < BENCH_RATIOS && row->ratio[r].against != NULL; r++)
        report_set(row->section, name, row->ratio[r].against, row->ratio[r].times);
}

void bench_print_row(void *user, const bench_row *row)
{
    (void)user;
    char n[24] = "";
    keep(row);
    if (strcmp(row->section, "machine") == 0) {
        printf("%-10s %s\n", row->name, row->note);
        return;
    }
    print_heading(row->section);
    if (row->n > 0)
        snprintf(n, sizeof n, "%" PRIu64, row->n);
    printf("  %-42s %6s", row->name, n);
    if (row->milliseconds > 0)
        print_measured(row);
    else
        printf("  not measured: %s", row->note);
    putchar('\n');
    fflush(stdout); /* the next row may take a while */
}
