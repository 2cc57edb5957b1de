/* Every line of a manifest becomes a command line of `pathcount verify`. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/verify/folder.h"

#include "src/cli/files.h"
#include "src/cli/process.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The manifest ---------------------------------------------------------------------------- */

/* Takes a line of a job. The rest of one that a killed process left unfinished is the last, and has no end. */
static int take_line(const char *path, size_t number, const char *line, size_t n_bytes,
                     json_t *latest)
{
    json_t *object = json_loadb(line, n_bytes, JSON_REJECT_DUPLICATES, NULL);
    const char *key = json_string_value(json_object_get(object, "result"));
    if (key == NULL)
        key = json_string_value(json_object_get(object, "input"));
    bool is_taken = key != NULL ? json_object_set(latest, key, object) == 0
                                : object == NULL && line[n_bytes - 1] != '\n';
    json_decref(object);
    return is_taken ? CLI_DONE
                    : cli_fail(CLI_BAD_DATA,
                               "%s:%zu: this is no line of a job: it is damaged, and what it said "
                               "cannot be verified; remove the line and run the batch "
                               "again with --resume",
                               path, number);
}

/* The last line of each result, by its name. */
static int read_manifest(const char *path, json_t *latest)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0, number = 0;
    ssize_t n;
    int code = CLI_DONE;
    if (file == NULL)
        return cli_fail(CLI_NO_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    while (code == CLI_DONE && (n = getline(&line, &size, file)) > 0)
        code = take_line(path, ++number, line, (size_t)n, latest);
    int error = errno;
    bool is_read = feof(file) != 0;
    free(line);
    fclose(file);
    if (code != CLI_DONE)
        return code;
    return is_read ? CLI_DONE : cli_fail(CLI_IO, "%s: cannot be read: %s", path, strerror(error));
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

static const char *text_of(const json_t *line, const char *name)
{
    const char *text = json_string_value(json_object_get(line, name));
    return text != NULL ? text : "";
}

static bool has_digest(const char *path, const char *wanted)
{
    char digest[CLI_DIGEST_SIZE];
    return cli_digest_file(path, digest, NULL) && strcmp(digest, wanted) == 0;
}

/* A manifest has options of jobs only. --help and --version would end the process with exit status 0. */
static void check_option(cli_parse *parse)
{
    if (parse->option->job == CLI_NOT_OF_JOB)
        argp_error(parse->state, "manifest.jsonl has the option %s, which is none of a job",
                   parse->option->name);
}

/* The command line of a job: its options but --as, which says the format, then dataset and result. */
static int verify_with(json_t *line, const char *result, bool is_quiet, cli_verify_one_fn verify)
{
    static char name[] = "pathcount verify", no_more[] = "--";
    json_t *texts = json_object_get(line, "options");
    size_t n_texts = json_array_size(texts);
    char **argv = calloc(n_texts + 5, sizeof *argv);
    cli_command command = cli_verify_command;
    cli_verify_options options = {.count = cli_coarsen_defaults};
    int argc = 0;
    if (argv == NULL)
        return cli_fail_for_memory();
    argv[argc++] = name;
    for (size_t i = 0; i < n_texts; i++) {
        const char *text = json_string_value(json_array_get(texts, i));
        if (text != NULL && strncmp(text, "--as=", 5) != 0)
            argv[argc++] = (char *)text;
    }
    argv[argc++] = no_more;
    argv[argc++] = (char *)text_of(line, "input");
    argv[argc++] = (char *)result;
    command.check_option = check_option;
    cli_parse_options(&command, argc, argv, &options);
    options.count.running.is_quiet = is_quiet;
    int code = verify(&options);
    cli_verify_options_free(&options);
    free(argv);
    return code;
}

static int verify_job(const char *folder, json_t *line, bool is_quiet, cli_verify_one_fn verify)
{
    const json_t *exit = json_object_get(line, "exit");
    const char *input = text_of(line, "input");
    char *result = NULL;
    if (!json_is_integer(exit) || json_integer_value(exit) != CLI_DONE)
        return cli_fail(CLI_SOME_FAILED, "%s: has no result: its job failed", input);
    if (!has_digest(input, text_of(line, "input_sha256")))
        return cli_fail(CLI_BAD_DATA,
                        "%s: is not the dataset that was counted: it has another digest, or it "
                        "cannot be read from here",
                        input);
    if (asprintf(&result, "%s/%s", folder, text_of(line, "result")) < 0)
        return cli_fail_for_memory();
    int code = has_digest(result, text_of(line, "result_sha256"))
                   ? verify_with(line, result, is_quiet, verify)
                   : cli_fail(CLI_BAD_DATA,
                              "%s: is not the result of its job: it has another digest, or it "
                              "cannot be read",
                              result);
    free(result);
    return code;
}

int cli_verify_folder(const char *folder, bool is_quiet, cli_verify_one_fn verify)
{
    json_t *latest = json_object(), *line;
    const char *key;
    char *path = NULL;
    int worst = CLI_DONE;
    if (latest == NULL || asprintf(&path, "%s/manifest.jsonl", folder) < 0)
        return cli_fail_for_memory();
    worst = read_manifest(path, latest);
    if (worst == CLI_DONE && json_object_size(latest) == 0)
        worst = cli_fail(CLI_BAD_DATA, "%s: there is no job", path);
    if (worst != CLI_DONE) {
        json_decref(latest);
        free(path);
        return worst;
    }
    json_object_foreach(latest, key, line)
    {
        int code = verify_job(folder, line, is_quiet, verify);
        worst = code > worst ? code : worst;
    }
    json_decref(latest);
    free(path);
    return worst;
}
