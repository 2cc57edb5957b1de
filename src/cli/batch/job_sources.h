/* Where jobs come from, and whether they can stand beside one another. */
#ifndef CLI_BATCH_JOB_SOURCES_H
#define CLI_BATCH_JOB_SOURCES_H

#include "src/cli/batch/job.h"

/* Jobs of the files of a folder, of the lines of --manifest. */
int cli_jobs_add_folder(cli_jobs *jobs, const cli_batch_options *options, const char *folder);
int cli_jobs_add_lines(cli_jobs *jobs, const cli_batch_options *options);

/* Refuses results that would take the place of one another, of a dataset, of the manifest (NULL: none)
 * or of a list of vertices or pairs. */
int cli_jobs_check_results(const cli_jobs *jobs, const char *manifest, const char *folder);

#endif
