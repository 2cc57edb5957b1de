/* DIR/report.html: one page that needs nothing else. */
#ifndef CLI_BATCH_REPORT_H
#define CLI_BATCH_REPORT_H

#include <jansson.h>
#include <stdbool.h>

/* Writes folder/report.html from lines of the manifest (an array of objects in the order of the
 * jobs), failures first; the picture of a result lies in the folder under its line's "picture".
 * no_sync: as --no-sync. Returns CLI_DONE or an exit code after a message. */
int cli_report_write(const char *folder, const json_t *lines, bool no_sync);

#endif
