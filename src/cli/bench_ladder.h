/* How `pathcount bench --ladder` shows its rows. */
#ifndef CLI_BENCH_LADDER_H
#define CLI_BENCH_LADDER_H

#include "pathcount.h"
#include "pathcount_measure.h"

#include <jansson.h>
#include <stdbool.h>

/* What the numbers of the table are. On the processor there are fewer of them. */
void cli_ladder_print_legend(bool on_processor);

/* A line of the table; group[group_size] is that of the row before, "" at first. */
void cli_ladder_print_row(const pc_ladder_row *row, bool on_processor, char *group,
                          size_t group_size);

/* NULL when there is no memory. */
json_t *cli_ladder_row_object(const pc_ladder_row *row);

#endif
