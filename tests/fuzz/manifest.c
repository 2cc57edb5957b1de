/* manifest.jsonl of an earlier run, which --resume reads. */
#include "src/cli/batch/manifest.h"
#include "src/cli/process.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* What it says of a result is a line about that result, with the digest that was asked for. */
static void check_found(const cli_manifest *manifest, const char *digest)
{
    char result[] = "g.mtx";
    cli_job job = {.result = result};
    snprintf(job.query_digest, sizeof job.query_digest, "%s", digest);
    const json_t *line = cli_manifest_find(manifest, &job);
    const char *its = json_string_value(json_object_get(line, "result"));
    if (line && (!its || strcmp(its, result) != 0))
        fuzz_fail("a line about another result");
}

FUZZ(manifest)
{
    cli_manifest manifest;
    const char *folder = fuzz_folder();
    cli_batch_options options = {.folder = folder, .resume = true};
    options.count.running.no_sync = true;
    fuzz_folder_write("manifest.jsonl", data, size);
    if (cli_manifest_open(&options, &manifest) == CLI_DONE) {
        check_found(&manifest, "");
        check_found(&manifest, "0123");
        cli_manifest_close(&manifest);
    }
    fuzz_folder_remove();
}
