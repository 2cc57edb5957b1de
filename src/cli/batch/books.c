/* Lines of manifest.jsonl. What is not known is null. */
#include "src/cli/batch/books.h"

#include "src/cli/json_text.h"

#include <stdio.h>
#include <string.h>

static json_t *text_or_null(const char *text)
{
    return text[0] != '\0' ? cli_json_text(text) : json_null();
}

static json_t *integer_if(bool is_known, uint64_t value)
{
    return is_known ? json_integer((json_int_t)value) : json_null();
}

/* The times of the stages. A job without a plan has the total only. */
static json_t *seconds_object(const cli_job_report *report)
{
    bool has_plan = report->has_plan;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:f}", "read",
                     report->has_graph ? json_real(report->read_seconds) : json_null(), "bound",
                     has_plan ? json_real(report->bound_seconds) : json_null(), "count",
                     has_plan ? json_real(report->count_seconds) : json_null(), "certify",
                     has_plan ? json_real(report->certify_seconds) : json_null(), "write",
                     has_plan ? json_real(report->write_seconds) : json_null(), "total",
                     report->total_seconds);
}

static json_t *picture_name(const cli_job *job, const cli_job_report *report)
{
    return report->has_picture ? json_sprintf("%s.png", job->result) : json_null();
}

json_t *cli_job_line(const cli_job *job, const cli_job_report *report, bool with_picture)
{
    json_t *line = json_pack(
        "{s:o, s:o, s:O, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o}", "input",
        cli_json_text(job->input), "input_sha256", text_or_null(report->input_digest), "options",
        job->options, "version", pc_version(), "vertices",
        integer_if(report->has_graph, report->n_vertices), "edges",
        integer_if(report->has_graph, report->n_edges), "bits",
        integer_if(report->has_plan, report->bits), "engine", text_or_null(report->engine),
        "method", text_or_null(report->method), "seconds", seconds_object(report),
        "peak_memory_bytes", integer_if(report->peak_memory_bytes > 0, report->peak_memory_bytes),
        "result", job->problem == NULL ? cli_json_text(job->result) : json_null(), "result_sha256",
        text_or_null(report->result_digest), "exit", report->exit, "message",
        cli_json_text(report->message));
    bool is_whole = line != NULL;
    if (is_whole && job->query_digest[0] != '\0')
        is_whole = json_object_set_new(line, "query_sha256", json_string(job->query_digest)) == 0;
    if (is_whole && with_picture)
        is_whole = json_object_set_new(line, "picture", picture_name(job, report)) == 0;
    if (is_whole)
        return line;
    json_decref(line);
    return NULL;
}

bool cli_job_may_hold(const cli_job *job, const json_t *before)
{
    const char *digest = json_string_value(json_object_get(before, "query_sha256"));
    return strcmp(digest != NULL ? digest : "", job->query_digest) == 0;
}
