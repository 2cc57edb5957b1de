/* DIR/manifest.jsonl, or that of a shard: one line for each job that ended. Lines are only added.
 * The lock of the folder is a POSIX record lock on this file: workers do not inherit it, and no
 * crash leaves it behind.
 *
 * A result is renamed to its final name first, and then its line is added by one write. So when
 * the run is killed at any moment, at most the jobs that were running are done again. */
#ifndef CLI_BATCH_MANIFEST_H
#define CLI_BATCH_MANIFEST_H

#include "src/cli/batch/jobs.h"

#include <stdio.h>

typedef struct cli_manifest {
    FILE *file;     /* locked; reads through the stream, appends through its descriptor */
    char *path;     /* for messages */
    bool no_sync;   /* as --no-sync: lines need not be on the disk */
    json_t *latest; /* the last whole line of each result when it was opened, by its name */
} cli_manifest;

/* Makes the folder if it does not exist, opens and locks the manifest, reads its lines, removes the
 * rest of a line and temporary files that a killed run left. Lines that are no JSON object with a
 * result are passed over. Returns CLI_DONE, or an exit code after a message: the folder is in use,
 * or contains an earlier run and the options are without --resume. */
int cli_manifest_open(const cli_batch_options *options, cli_manifest *manifest);
void cli_manifest_close(cli_manifest *manifest);

/* The last line of earlier runs about the result of a job; NULL: there is none, or the files that
 * the query names have changed. Valid until the manifest is closed. */
json_t *cli_manifest_find(const cli_manifest *manifest, const cli_job *job);

/* The line about a job that ended; it has a member "picture" only if with_picture. */
json_t *cli_manifest_line(const cli_job *job, const cli_job_report *report, bool with_picture);

/* Its text, to be free()d. */
char *cli_manifest_text(const json_t *line);

/* Adds the text of a line in one write, and syncs it. CLI_DONE, or an exit code after a message. */
int cli_manifest_add(const cli_manifest *manifest, char *text);

/* ---- Results in the folder ------------------------------------------------------------------- */

#define CLI_RESULT_PICTURE ".png" /* after the name of a result: its picture */

/* Removes a result, its picture and its labels, if they exist. */
void cli_result_remove(const char *folder, const char *name);

/* Removes the temporary files that killed processes left in the folder. */
void cli_results_clean(const char *folder);

/* ---- The page of a run (src/cli/batch/report.c) ------------------------------------------------ */

/* Writes DIR/report.html, a page of jobs that have ended, from their lines, failures first. The picture of a
 * result lies in the folder of the results under its line's "picture". Returns CLI_DONE or an exit
 * code after a message. */
int cli_report_write(const cli_jobs *jobs);

#endif
