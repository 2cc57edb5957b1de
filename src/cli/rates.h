/* The user's file of rates: measured by `pathcount bench --calibrate`, read by every other
 * command. */
#ifndef CLI_RATES_H
#define CLI_RATES_H

#include "pathcount.h"

#include <stdbool.h>

/* Takes the rates of the file, if there is one. When the file is bad, the rates that are compiled
 * in hold, and a message says so unless is_quiet. */
void cli_rates_load(pc_context *context, bool is_quiet);

/* Measures and prints rates, as text or JSON, and writes the file. Returns an exit code. */
int cli_rates_measure(pc_context *context, bool json);

#endif
