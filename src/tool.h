/* Functions that only our own programs call beside the public headers: the command and tests/bench. This header is not
 * installed. The rules are those of pathcount.h. */
#ifndef PATHCOUNT_TOOL_H
#define PATHCOUNT_TOOL_H

#include "pathcount.h"

/* ---- Rates: what plans believe of this machine ----------------------------------------------- */

/* The rate of one part of a count. */
typedef struct pc_rate {
    const char *name; /* "product", ... */
    const char *unit; /* "int8 operations", ...: a second and a thread */
    double per_second;
} pc_rate;

typedef void (*pc_rate_fn)(void *user, const pc_rate *rate);

/* Measures for a few seconds how fast this machine's processors are at what counts are made of,
 * with the threads of the context; its plans predict by that from then on, instead of by what is
 * compiled in. tell may be NULL. */
pc_status pc_calibrate(pc_context *context, pc_rate_fn tell, void *user);

/* Measures six of them for some 40 milliseconds, unless the context has rates that were measured or read, and
 * supposes that the others differ accordingly from those that are compiled in. *has_measured says whether rates
 * are others than before; it may be NULL. The command does so before longer work. */
pc_status pc_calibrate_quickly(pc_context *context, int *has_measured);

/* Keeps the rates of the context in a file, for pc_rates_read. PC_ERR_CREATE when it cannot be written. */
pc_status pc_rates_write(pc_context *context, const char *path);

#endif
