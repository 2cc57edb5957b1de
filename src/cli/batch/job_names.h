/* Names of results: the name of the dataset, and an ending for the format. */
#ifndef CLI_BATCH_JOB_NAMES_H
#define CLI_BATCH_JOB_NAMES_H

#include <stdbool.h>

/* Whether a file is called like a graph: "karate.mtx", "karate.gml.gz". */
bool cli_job_is_graph_name(const char *name);

/* Returns whether a file in an open folder is a graph: it is called like one, or it is called .json and
 * its text begins as a graph does. Results and manifests in JSON are none. */
bool cli_job_is_graph_file(int folder, const char *name);

/* The name of a result, without ending: the last part of the path without the ending of its format
 * and packing. To be free()d; NULL: out of memory. */
char *cli_job_name_of(const char *path);

/* Why a name, without ending, cannot be that of a result; NULL: it can. */
const char *cli_job_name_flaw(const char *name);

#endif
