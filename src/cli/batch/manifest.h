/* DIR/manifest.jsonl: one line for each job that ended. Lines are only added. The lock of the
 * folder is a POSIX record lock on this file: workers do not inherit it, and no crash leaves it
 * behind.
 *
 * A result is renamed to its final name first, and then its line is added by one write. So when
 * the run is killed at any moment, at most the jobs that were running are done again. */
#ifndef CLI_BATCH_MANIFEST_H
#define CLI_BATCH_MANIFEST_H

#include "src/cli/batch/job.h"

typedef struct cli_manifest {
    int file;       /* read, append; its lock keeps a second run out and dies with the process */
    char *path;     /* for messages */
    bool no_sync;   /* as --no-sync: lines need not be on the disk */
    json_t *latest; /* the last whole line of each result when it was opened, by its name */
} cli_manifest;

/* Makes the folder if need be, opens and locks the manifest, reads the lines it has, ends a torn
 * last line, and removes temporary files of a run that was killed. Lines that are no JSON object
 * with a result are passed over. Returns CLI_DONE, or an exit code after a message: the folder is in
 * use, or holds an earlier run and resume is false. */
int cli_manifest_open(const char *folder, bool resume, bool no_sync, cli_manifest *manifest);

/* The last line of earlier runs about a result; NULL: none. Valid until the manifest is closed. */
json_t *cli_manifest_find(const cli_manifest *manifest, const char *result);

/* Adds a line in one write, and syncs it. CLI_DONE, or an exit code after a message. */
int cli_manifest_add(const cli_manifest *manifest, const json_t *line);

void cli_manifest_close(cli_manifest *manifest);

#endif
