/* The lines of --manifest: paths, or JSON objects that say more. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/batch/job_sources.h"
#include "src/cli/exit_codes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE_BYTES = 1 << 20 };

typedef struct reader {
    const cli_batch_options *options;
    cli_jobs *jobs;
    FILE *file;
    const char *name; /* for messages */
    uint64_t number;  /* of the line */
    char *line;       /* [MAX_LINE_BYTES + 1] */
} reader;

__attribute__((format(printf, 2, 3))) static int fail_line(const reader *from, const char *format,
                                                           ...)
{
    char sentence[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    return cli_fail(CLI_BAD_DATA, "%s:%" PRIu64 ": %s", from->name, from->number, sentence);
}

/* ---- A line that is an object ---------------------------------------------------------------- */

/* Keys of manifest.jsonl, which may be fed in again; the first three mean something here. */
static bool is_known(const char *key)
{
    static const char *const known[] = {
        "input",   "options",           "name",          "result", "input_sha256", "query_sha256",
        "version", "vertices",          "edges",         "bits",   "engine",       "method",
        "seconds", "peak_memory_bytes", "result_sha256", "exit",   "message",      "picture"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(key, known[i]) == 0)
            return true;
    return false;
}

static bool is_array_of_texts(const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!json_is_string(json_array_get(array, i)))
            return false;
    return json_is_array(array);
}

static int check_object(const reader *from, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (!is_known(key))
            return fail_line(from, "unknown key \"%s\": known are input, options and name", key);
    }
    if (!json_is_string(json_object_get(object, "input")))
        return fail_line(from, "\"input\" must be there and be a text, the path of a dataset");
    value = json_object_get(object, "name");
    if (value != NULL && !json_is_string(value))
        return fail_line(from, "\"name\" must be a text");
    value = json_object_get(object, "options");
    if (value != NULL && !is_array_of_texts(value))
        return fail_line(from, "\"options\" must be an array of texts, such as [\"--directed\"]");
    return CLI_DONE;
}

static int check_path(const reader *from, const char *path)
{
    if (path[0] == '\0')
        return fail_line(from, "the path is empty");
    if (strcmp(path, "-") == 0)
        return fail_line(from, "standard input cannot be one dataset of many");
    return CLI_DONE;
}

static int add_dataset(const reader *from, cli_dataset *dataset)
{
    char *where = NULL;
    int code = check_path(from, dataset->path);
    if (code != CLI_DONE)
        return code;
    if (asprintf(&where, "%s:%" PRIu64, from->name, from->number) < 0)
        return cli_fail_for_memory();
    dataset->where = where;
    code = cli_jobs_add(from->jobs, from->options, dataset);
    free(where);
    return code;
}

/* The object is kept: options point into its texts. */
static int add_object(const reader *from, json_t *object)
{
    int code = check_object(from, object);
    const json_t *options = json_object_get(object, "options");
    size_t n = json_array_size(options);
    char **arguments = code == CLI_DONE ? malloc((n + 1) * sizeof *arguments) : NULL;
    if (code == CLI_DONE &&
        (arguments == NULL || json_array_append(from->jobs->lines, object) != 0))
        code = cli_fail_for_memory();
    if (code == CLI_DONE) {
        for (size_t i = 0; i < n; i++)
            arguments[i] = (char *)json_string_value(json_array_get(options, i));
        code = add_dataset(
            from, &(cli_dataset){.path = json_string_value(json_object_get(object, "input")),
                                 .name = json_string_value(json_object_get(object, "name")),
                                 .result = json_string_value(json_object_get(object, "result")),
                                 .n_arguments = (int)n,
                                 .arguments = arguments});
    }
    free(arguments);
    return code;
}

static int add_json(const reader *from, const char *line)
{
    json_error_t error;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL)
        return fail_line(from, "no JSON object: %s (at byte %d)", error.text, error.position);
    int code = add_object(from, object);
    json_decref(object);
    return code;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* A line without its end into from->line. *is_there is false at the end of the file. */
static int read_line(reader *from, bool *is_there)
{
    size_t length = 0;
    int c;
    from->number++;
    errno = 0;
    while ((c = getc(from->file)) != EOF && c != '\n') {
        if (c == '\0')
            return fail_line(from, "a zero byte: this is no text");
        if (length == MAX_LINE_BYTES)
            return fail_line(from, "longer than %d bytes", MAX_LINE_BYTES);
        from->line[length++] = (char)c;
    }
    if (c == EOF && ferror(from->file))
        return cli_fail(CLI_IO, "cannot read '%s': %s", from->name, strerror(errno));
    if (length > 0 && from->line[length - 1] == '\r')
        length--;
    from->line[length] = '\0';
    *is_there = c != EOF || length > 0;
    return CLI_DONE;
}

static int add_line(const reader *from)
{
    static const char mark[] = "\xef\xbb\xbf"; /* some editors begin UTF-8 with it */
    bool has_mark = from->number == 1 && strncmp(from->line, mark, sizeof mark - 1) == 0;
    const char *line = from->line + (has_mark ? sizeof mark - 1 : 0);
    if (line[0] == '\0' || line[0] == '#')
        return CLI_DONE;
    if (line[0] == '{')
        return add_json(from, line);
    return add_dataset(from, &(cli_dataset){.path = line});
}

static int add_lines(reader *from)
{
    for (;;) {
        bool is_there = false;
        int code = read_line(from, &is_there);
        if (code != CLI_DONE || !is_there)
            return code;
        code = add_line(from);
        if (code != CLI_DONE)
            return code;
    }
}

int cli_jobs_add_lines(cli_jobs *jobs, const cli_batch_options *options)
{
    const char *path = options->manifest_path;
    bool is_stdin = strcmp(path, "-") == 0;
    reader from = {.options = options,
                   .jobs = jobs,
                   .file = is_stdin ? stdin : fopen(path, "re"),
                   .name = is_stdin ? "standard input" : path};
    if (from.file == NULL)
        return cli_fail(CLI_NO_INPUT, "cannot open '%s': %s", path, strerror(errno));
    from.line = malloc(MAX_LINE_BYTES + 1);
    int code = from.line != NULL ? add_lines(&from) : cli_fail_for_memory();
    free(from.line);
    if (!is_stdin)
        fclose(from.file);
    return code;
}
