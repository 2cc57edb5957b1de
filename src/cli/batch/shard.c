/* What a shard is called, and what its manifest says of it. */
#include "src/cli/batch/shard.h"

#include <stdio.h>
#include <string.h>

const char *cli_manifest_name(unsigned shard, unsigned n_shards, char name[CLI_MANIFEST_NAME_BYTES])
{
    if (n_shards == 0)
        snprintf(name, CLI_MANIFEST_NAME_BYTES, "manifest.jsonl");
    else
        snprintf(name, CLI_MANIFEST_NAME_BYTES, "manifest.%u-of-%u.jsonl", shard, n_shards);
    return name;
}

bool cli_manifest_is_of_shard(const char *name, unsigned *shard, unsigned *n_shards)
{
    char same[CLI_MANIFEST_NAME_BYTES];
    return sscanf(name, "manifest.%7u-of-%7u.jsonl", shard, n_shards) == 2 && *shard >= 1 &&
           *shard <= *n_shards && strcmp(name, cli_manifest_name(*shard, *n_shards, same)) == 0;
}

json_t *cli_shard_line(const cli_shard *shard)
{
    return json_pack("{s:i, s:i, s:I, s:s}", "shard", (int)shard->shard, "of", (int)shard->n_shards,
                     "jobs", (json_int_t)shard->n_jobs, "list_sha256", shard->digest);
}

cli_shard cli_shard_of_line(const json_t *line)
{
    cli_shard made = {0};
    json_int_t shard = json_integer_value(json_object_get(line, "shard"));
    json_int_t n_shards = json_integer_value(json_object_get(line, "of"));
    json_int_t n_jobs = json_integer_value(json_object_get(line, "jobs"));
    const char *digest = json_string_value(json_object_get(line, "list_sha256"));
    if (shard < 1 || shard > n_shards || n_shards > CLI_MOST_SHARDS || n_jobs < 1 ||
        digest == NULL || strlen(digest) != CLI_DIGEST_SIZE - 1)
        return made;
    made = (cli_shard){
        .shard = (unsigned)shard, .n_shards = (unsigned)n_shards, .n_jobs = (size_t)n_jobs};
    memcpy(made.digest, digest, CLI_DIGEST_SIZE);
    return made;
}

bool cli_shard_equal(const cli_shard *one, const cli_shard *other)
{
    return one->shard == other->shard && one->n_shards == other->n_shards &&
           one->n_jobs == other->n_jobs && strcmp(one->digest, other->digest) == 0;
}
