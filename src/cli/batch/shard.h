/* Shards of a batch: shard I of N runs each Nth job of the list, from number I on. Its manifest begins with a line that
 * says so, and each other line has the number of its job in the list. */
#ifndef CLI_BATCH_SHARD_H
#define CLI_BATCH_SHARD_H

#include "src/cli/batch/job.h"

#define CLI_MOST_SHARDS 1000000

enum { CLI_MANIFEST_NAME_BYTES = 48 };

/* "manifest.2-of-5.jsonl", or "manifest.jsonl" when n_shards is 0. Returns name. */
const char *cli_manifest_name(unsigned shard, unsigned n_shards,
                              char name[CLI_MANIFEST_NAME_BYTES]);

/* Whether a name is that of the manifest of a shard. */
bool cli_manifest_is_of_shard(const char *name, unsigned *shard, unsigned *n_shards);

/* What the first line of a shard's manifest says; n_shards is 0 where a line is not such a one. */
typedef struct cli_shard {
    unsigned shard, n_shards;
    size_t n_jobs;                /* of the whole list */
    char digest[CLI_DIGEST_SIZE]; /* of the list: datasets, options, names of results */
} cli_shard;

/* NULL: out of memory. */
json_t *cli_shard_line(const cli_shard *shard);
cli_shard cli_shard_of_line(const json_t *line);
bool cli_shard_equal(const cli_shard *one, const cli_shard *other);

#endif
