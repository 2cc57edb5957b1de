/* Prints rows of `pathcount bench --ladder`, as a table like those of the documents, or as JSON. */
#include "src/cli/bench_ladder.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_WIDTH = 14 /* longer ones are in the JSON only: lines stay below 140 columns */ };

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Whether this part of a source, up to the next comma, is a place in it: "Figure 1.12". */
static bool is_place(const char *part)
{
    size_t length = strcspn(part, ",");
    return islower((unsigned char)*part) || strcspn(part, "0123456789") < length;
}

/* The length of the name of a source: that of "Li, Ranka, Sahni" in "Li, Ranka, Sahni, Figure
 * 1.12". *place becomes the rest. */
static int name_length(const char *source, const char **place)
{
    const char *end = source + strcspn(source, ",");
    while (strncmp(end, ", ", 2) == 0 && !is_place(end + 2))
        end += 2 + strcspn(end + 2, ",");
    *place = strncmp(end, ", ", 2) == 0 ? end + 2 : "";
    return (int)(end - source);
}

/* ---- Table ----------------------------------------------------------------------------------- */

void cli_ladder_print_legend(bool on_processor)
{
    puts("Every result was compared with sums of integers before it was timed.");
    if (!on_processor)
        puts("  regs, shared, occup  registers of a thread, shared bytes of a block, occupancy of "
             "this GPU\n"
             "  transact, volume     of device memory, in billions and GB, by the model of Li, "
             "Ranka, Sahni, section 1.7");
    puts("  GFLOP/s              2 n^3 - n^2 operations a product, also where a reduced one needs "
         "fewer");
    puts(on_processor
             ? "  speed-up             the rate as a multiple of the first row's"
             : "  SGEMM, GPU1          the rate as a part of cuBLAS' in single precision, and as a "
               "multiple of GPU1's");
    puts("  theirs, on           GFLOP/s that the source measured with the nearest n, and where");
}

static void print_heading(const char *group, uint32_t n, bool on_processor)
{
    printf("\n%s (n = %" PRIu32 ")\n  %-18s", group, n, "kernel");
    if (!on_processor)
        printf(" %8s %4s %6s %5s %8s %8s", "block", "regs", "shared", "occup", "transact",
               "volume");
    printf(" %10s %9s", "ms", "GFLOP/s");
    if (!on_processor)
        printf(" %7s", "SGEMM");
    printf(" %8s %8s %-15s %s\n", on_processor ? "speed-up" : "GPU1", "theirs", "on", "where");
}

/* The number in text, or nothing where there is none. */
static const char *number(char *text, size_t size, const char *format, double value)
{
    text[0] = '\0';
    if (value > 0)
        snprintf(text, size, format, value);
    return text;
}

static void print_block(const pc_ladder_row *row)
{
    char block[24] = "", registers[16], shared[24] = "", occupancy[24], transactions[24],
         volume[24];
    if (row->block_x > 0)
        snprintf(block, sizeof block, "%" PRIu32 " x %" PRIu32, row->block_x, row->block_y);
    if (row->registers > 0)
        snprintf(shared, sizeof shared, "%" PRIu64, row->shared_bytes);
    printf(" %8s %4s %6s %5s %8s %8s", block,
           number(registers, sizeof registers, "%.0f", row->registers), shared,
           number(occupancy, sizeof occupancy, "%.2f", row->occupancy),
           number(transactions, sizeof transactions, "%.3g", row->transactions / 1e9),
           number(volume, sizeof volume, "%.4g", row->volume_bytes / 1e9));
}

static void print_rates(const pc_ladder_row *row, bool on_processor, const char *place)
{
    char rate[24], library[24], speedup[24], seed[24];
    if (strlen(place) > PLACE_WIDTH)
        place = "";
    printf(" %10.4f %9s", row->milliseconds,
           number(rate, sizeof rate, row->gflops < 100 ? "%.3g" : "%.0f", row->gflops));
    if (!on_processor)
        printf(" %7s", number(library, sizeof library, "%.1f%%", 100 * row->of_library));
    printf(" %8s %8s %-15s %s",
           number(speedup, sizeof speedup, row->speedup < 100 ? "%.2fx" : "%.0fx", row->speedup),
           number(seed, sizeof seed, row->seed_gflops < 100 ? "%.3g" : "%.0f", row->seed_gflops),
           row->seed_device, place);
}

void cli_ladder_print_row(const pc_ladder_row *row, bool on_processor, char *group,
                          size_t group_size)
{
    const char *place;
    int length = name_length(row->source, &place);
    if (strncmp(group, row->source, (size_t)length) != 0 || group[length] != '\0') {
        snprintf(group, group_size, "%.*s", length, row->source);
        print_heading(group, row->n, on_processor);
    }
    printf("  %-18s", row->kernel);
    if (!on_processor)
        print_block(row);
    if (row->milliseconds > 0)
        print_rates(row, on_processor, place);
    printf(row->milliseconds > 0 ? "%s%s" : "  not measured%s%s", row->note[0] ? ": " : "",
           row->note);
    putchar('\n');
    fflush(stdout); /* the next row may take a while */
}

/* ---- JSON ------------------------------------------------------------------------------------ */

json_t *cli_ladder_row_object(const pc_ladder_row *row)
{
    return json_pack(
        "{s:s, s:s, s:s, s:I, s:[I, I], s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:f, "
        "s:s, s:s}",
        "kernel", row->kernel, "source", row->source, "computes", row->computes, "n",
        (json_int_t)row->n, "block", (json_int_t)row->block_x, (json_int_t)row->block_y,
        "registers", row->registers, "shared_bytes", (json_int_t)row->shared_bytes, "occupancy",
        row->occupancy, "transactions", row->transactions, "volume_bytes", row->volume_bytes,
        "milliseconds", row->milliseconds, "gflops", row->gflops, "of_library", row->of_library,
        "speedup", row->speedup, "seed_device", row->seed_device, "seed_gflops", row->seed_gflops,
        "verified", row->verified, "note", row->note);
}
