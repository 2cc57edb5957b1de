/* The lines of --manifest: datasets, their options and names. */
#include "src/cli/batch/jobs.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>

typedef struct batch {
    const char *path;
    int code;
    bool is_good;
} batch;

static void find_jobs(void *user)
{
    batch *given = user;
    char name[] = "pathcount batch", length[] = "--length=3", out[] = "--out=/nonexistent/out";
    char quiet[] = "--quiet", manifest[128];
    char *argv[] = {name, length, out, quiet, manifest, NULL};
    cli_batch_options options = {0};
    cli_jobs jobs = {0};
    snprintf(manifest, sizeof manifest, "--manifest=%s", given->path);
    cli_batch_options_parse(5, argv, &options);
    given->code = cli_jobs_find(&options, &jobs);
    given->is_good = given->code != 0 || jobs.n == 0 || (jobs.job[0].input && jobs.job[0].options);
    cli_jobs_free(&jobs);
    cli_batch_options_free(&options);
}

FUZZ(jobs)
{
    static bool is_warm; /* streams of messages are made at the first error and stay */
    static const char wrong[] = "{\"input\": \"g.txt\", \"options\": [\"--wrong\"]}\n";
    batch given = {.path = fuzz_path(wrong, sizeof wrong - 1)};
    if (!is_warm)
        is_warm = fuzz_exits(find_jobs, &given);
    given = (batch){.path = fuzz_path(data, size), .is_good = true};
    if (!fuzz_exits(find_jobs, &given) && !given.is_good)
        fuzz_fail("a job without input or options");
}
