/* DIR/report.html: one page that needs nothing else. */
#ifndef CLI_BATCH_REPORT_H
#define CLI_BATCH_REPORT_H

#include "src/cli/batch/jobs.h"

/* Writes the page of jobs that have ended, from their lines, failures first. The picture of a
 * result lies in the folder of the results under its line's "picture". Returns CLI_DONE or an exit
 * code after a message. */
int cli_report_write(const cli_jobs *jobs);

#endif
