/* Failures come first, then a row for each result. Lines may come from a file that somebody edited:
 * what is missing or of another type is left blank. */
#include "src/cli/batch/report_page.h"

#include "pathcount.h"
#include "src/cli/batch/report_html.h"
#include "src/cli/batch/report_picture.h"
#include "src/cli/batch/report_style.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { PICTURE_BYTES = 12 << 20 }; /* of all together: a page must open on a phone */

typedef struct page {
    FILE *out;
    int folder_fd;
    const json_t *lines;
    const json_t *options; /* those of all lines; NULL: they differ */
    size_t n_done, n_failed;
    bool has_pictures;
    size_t picture_bytes; /* that are left */
} page;

/* ---- Values of a line --------------------------------------------------------------------------- */

static const char *text_of(const json_t *line, const char *key)
{
    const char *text = json_string_value(json_object_get(line, key));
    return text != NULL ? text : "";
}

static bool is_done(const json_t *line)
{
    const json_t *code = json_object_get(line, "exit");
    return json_is_integer(code) && json_integer_value(code) == 0;
}

static void put_name(FILE *out, const json_t *line)
{
    const char *name = text_of(line, "input");
    name = *name != '\0' ? name : text_of(line, "result");
    fputs("<bdi>", out);
    cli_html_text(out, *name != '\0' ? name : "(no name)");
    fputs("</bdi>", out);
}

static void put_options(FILE *out, const json_t *options)
{
    for (size_t i = 0; i < json_array_size(options); i++) {
        const char *option = json_string_value(json_array_get(options, i));
        fputs(i > 0 ? " " : "", out);
        cli_html_text(out, option != NULL ? option : "");
    }
}

static void begin_cell(FILE *out, const char *kind, const char *label)
{
    fprintf(out, "<td class=\"%s\" data-label=\"%s\">", kind, label);
}

static void put_number(FILE *out, const json_t *line, const char *key, const char *label)
{
    const json_t *value = json_object_get(line, key);
    begin_cell(out, "number", label);
    if (json_is_integer(value))
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    fputs("</td>", out);
}

/* The whole in sight, the stages under the pointer. */
static void put_seconds(FILE *out, const json_t *line)
{
    static const char *const stages[] = {"read", "bound", "count", "certify", "write"};
    const json_t *seconds = json_object_get(line, "seconds");
    const json_t *total = json_object_get(seconds, "total");
    fputs("<td class=\"number\" data-label=\"seconds\" title=\"", out);
    const char *between = "";
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const json_t *value = json_object_get(seconds, stages[i]);
        if (!json_is_number(value))
            continue;
        fprintf(out, "%s%s %.3f s", between, stages[i], json_number_value(value));
        between = ", ";
    }
    fputs("\">", out);
    if (json_is_number(total))
        fprintf(out, "%.3f", json_number_value(total));
    fputs("</td>", out);
}

static void put_memory(FILE *out, const json_t *line)
{
    const json_t *bytes = json_object_get(line, "peak_memory_bytes");
    begin_cell(out, "number", "peak memory");
    if (json_is_integer(bytes) && json_integer_value(bytes) >= 0)
        cli_print_bytes(out, (uint64_t)json_integer_value(bytes));
    fputs("</td>", out);
}

static void put_ways(FILE *out, const json_t *line)
{
    const char *method = text_of(line, "method"), *engine = text_of(line, "engine");
    begin_cell(out, "text", "method, engine");
    cli_html_text(out, method);
    fputs(*method != '\0' && *engine != '\0' ? ", " : "", out);
    cli_html_text(out, engine);
    fputs("</td>", out);
}

static void put_result(FILE *out, const json_t *line)
{
    const char *result = text_of(line, "result");
    begin_cell(out, "text", "result");
    if (*result == '\0') {
        fputs("</td>", out);
        return;
    }
    fputs("<a href=\"", out);
    cli_html_address(out, result);
    fputs("\"><bdi>", out);
    cli_html_text(out, result);
    fputs("</bdi></a></td>", out);
}

static void put_picture(page *p, const json_t *line)
{
    const char *picture = text_of(line, "picture");
    begin_cell(p->out, "picture", "picture");
    if (*picture != '\0')
        cli_report_put_picture(p->out, p->folder_fd, picture, &p->picture_bytes);
    fputs("</td>", p->out);
}

/* ---- Parts of the page -------------------------------------------------------------------------- */

static void put_head(const page *p)
{
    char when[64] = "", stamp[64] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local) != NULL) {
        strftime(when, sizeof when, "%Y-%m-%d %H:%M %Z", &local);
        strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S%z", &local);
    }
    size_t n = json_array_size(p->lines);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          p->out);
    fprintf(p->out, "<title>pathcount: %zu of %zu done</title>\n", p->n_done, n);
    fprintf(p->out, "<style>\n%s</style>\n</head>\n<body>\n", cli_report_style);
    fprintf(p->out,
            "<header>\n<h1>Paths of %zu dataset%s</h1>\n"
            "<p>%zu done, <span class=\"%s\">%zu failed</span></p>\n"
            "<p class=\"quiet\">pathcount %s, <time datetime=\"%s\">%s</time></p>\n",
            n, n == 1 ? "" : "s", p->n_done, p->n_failed > 0 ? "bad" : "fine", p->n_failed,
            pc_version(), stamp, when);
    if (p->options != NULL) {
        fputs("<p class=\"quiet\">options: <code>", p->out);
        put_options(p->out, p->options);
        fputs("</code></p>\n", p->out);
    }
    fputs("</header>\n<main>\n", p->out);
}

static void put_dataset(const page *p, const json_t *line)
{
    put_name(p->out, line);
    const json_t *options = json_object_get(line, "options");
    if (p->options != NULL || json_array_size(options) == 0)
        return;
    fputs("<br><code class=\"quiet\">", p->out);
    put_options(p->out, options);
    fputs("</code>", p->out);
}

static void put_failure(const page *p, const json_t *line)
{
    const json_t *code = json_object_get(line, "exit");
    const char *message = text_of(line, "message");
    fputs("<li><strong>", p->out);
    put_dataset(p, line);
    fputs("</strong><p>", p->out);
    cli_html_text(p->out, *message != '\0' ? message : "no reason was recorded");
    fputs("</p>", p->out);
    if (json_is_integer(code))
        fprintf(p->out, "<p class=\"quiet\">exit code %" JSON_INTEGER_FORMAT "</p>",
                json_integer_value(code));
    fputs("</li>\n", p->out);
}

static void put_failures(const page *p)
{
    size_t i;
    json_t *line;
    fprintf(p->out, "<section>\n<h2>Failed (%zu)</h2>\n<ul class=\"failures\">\n", p->n_failed);
    json_array_foreach((json_t *)p->lines, i, line)
    {
        if (!is_done(line))
            put_failure(p, line);
    }
    fputs("</ul>\n</section>\n", p->out);
}

static void put_row(page *p, const json_t *line)
{
    fputs("<tr>", p->out);
    if (p->has_pictures)
        put_picture(p, line);
    fputs("<th scope=\"row\">", p->out);
    put_dataset(p, line);
    fputs("</th>", p->out);
    put_number(p->out, line, "vertices", "vertices");
    put_number(p->out, line, "edges", "edges");
    put_number(p->out, line, "bits", "bits");
    put_ways(p->out, line);
    put_seconds(p->out, line);
    put_memory(p->out, line);
    put_result(p->out, line);
    fputs("</tr>\n", p->out);
}

static void put_heads(const page *p)
{
    static const struct {
        const char *kind, *text;
    } heads[] = {{"picture", "picture"}, {"text", "dataset"},       {"number", "vertices"},
                 {"number", "edges"},    {"number", "bits"},        {"text", "method, engine"},
                 {"number", "seconds"},  {"number", "peak memory"}, {"text", "result"}};
    fputs("<thead><tr>", p->out);
    for (size_t h = p->has_pictures ? 0 : 1; h < sizeof heads / sizeof *heads; h++)
        fprintf(p->out, "<th scope=\"col\" class=\"%s\">%s</th>", heads[h].kind, heads[h].text);
    fputs("</tr></thead>\n", p->out);
}

static void put_results(page *p)
{
    size_t i;
    json_t *line;
    fprintf(p->out, "<section>\n<h2>Results (%zu)</h2>\n<table>\n", p->n_done);
    put_heads(p);
    fputs("<tbody>\n", p->out);
    json_array_foreach((json_t *)p->lines, i, line)
    {
        if (is_done(line))
            put_row(p, line);
    }
    fputs("</tbody>\n</table>\n<p class=\"quiet\">Bits is the width of the largest count; "
          "seconds are those of the whole job.",
          p->out);
    if (p->has_pictures)
        fputs(" The picture of a matrix shows the counts from each row to each column, the larger "
              "the darker, on a log scale; zero is white. That of a total shows how it grows with "
              "the length.",
              p->out);
    fputs("</p>\n</section>\n", p->out);
}

static const json_t *common_options(const json_t *lines)
{
    const json_t *first = json_object_get(json_array_get(lines, 0), "options");
    for (size_t i = 1; i < json_array_size(lines); i++)
        if (!json_equal(first, json_object_get(json_array_get(lines, i), "options")))
            return NULL;
    return first;
}

void cli_report_print(FILE *out, int folder_fd, const json_t *lines)
{
    page p = {.out = out,
              .folder_fd = folder_fd,
              .lines = lines,
              .options = common_options(lines),
              .picture_bytes = PICTURE_BYTES};
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);
        p.n_done += is_done(line);
        p.has_pictures |= is_done(line) && *text_of(line, "picture") != '\0';
    }
    p.n_failed = json_array_size(lines) - p.n_done;
    put_head(&p);
    if (p.n_failed > 0)
        put_failures(&p);
    if (p.n_done > 0)
        put_results(&p);
    fputs("</main>\n</body>\n</html>\n", out);
}
