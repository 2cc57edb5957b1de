/* Measuring the processors takes half a minute. For tests of the command that asks for it (LD_PRELOAD) the
 * measurement ends at once: two rates; or, with FAKE_RATES=fail, it fails. */
#include "pathcount_measure.h"

#include <stdlib.h>
#include <string.h>

pc_status pc_calibrate(pc_context *context, pc_rate_fn tell, void *user)
{
    const char *behaviour = getenv("FAKE_RATES");
    if (behaviour != NULL && strcmp(behaviour, "fail") == 0)
        return pc_context_fail(context, PC_ERR_MEMORY, "fake rates");
    tell(user, &(pc_rate){"product", "int8 operations", 1.5e11});
    tell(user, &(pc_rate){"sweep", "bytes", 2.25e9});
    return PC_OK;
}
