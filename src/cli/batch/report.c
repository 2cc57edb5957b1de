/* DIR/report.html: one page that needs no other file. Failures come first, then a row for each
 * result. Lines of a manifest may have been edited by hand: a value that is missing or of another
 * type is left blank, and pictures come from the folder of the results only. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/batch/manifest.h"

#include "tool.h"
#include "src/cli/json.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <nettle/base64.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Style and script ------------------------------------------------------------------------ */

/* The style of the page: colours are those of the browser, light or dark. A wide table scrolls by itself. */
static const char style[] =
    ":root { color-scheme: light dark; }\n"
    "body { margin: 0 auto; padding: 1rem; max-width: 76rem; font: 16px/1.45 system-ui, "
    "sans-serif; }\n"
    "code, .failures li, tbody th { overflow-wrap: anywhere; }\n"
    "section { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-size: .9rem; }\n"
    "th, td { padding: .4rem .6rem; border-bottom: 1px solid #8888; text-align: left; }\n"
    "thead th { cursor: pointer; }\n"
    ".number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
    ".quiet { opacity: .75; font-weight: normal; font-size: .875rem; }\n"
    ".bad { color: #c22; font-weight: bold; }\n"
    ".failures p { margin: .2rem 0; white-space: pre-wrap; }\n"
    "img { display: block; background: #fff; }\n"
    "tr, li { break-inside: avoid; }\n";

/* The script of the page sorts the rows by the column whose head is clicked: numbers of any length by the place of
 * their first digit that is not 0, then by their digits. Without scripts the rows stay in the order of the jobs. */
static const char script[] =
    "\"use strict\";\n"
    "function value(row, head) {\n"
    "  var cell = row.cells[head.cellIndex], text = cell.dataset.value || cell.textContent;\n"
    "  var parts = text.split(\"e\"), ends = parts[0].split(\".\"), all = ends.join(\"\");\n"
    "  var digits = all.replace(/^0+/, \"\");\n"
    "  if (head.className !== \"number\") return text;\n"
    "  if (digits === \"\") return text === \"\" ? -Infinity : -1e9;\n"
    "  return ends[0].length - all.length + digits.length + Number(parts[1] || 0) +\n"
    "    Number(\"0.\" + digits);\n"
    "}\n"
    "document.querySelectorAll(\"thead th\").forEach(function (head) {\n"
    "  head.onclick = function () {\n"
    "    var body = document.querySelector(\"tbody\"), sign = head.sign = -(head.sign || 1);\n"
    "    Array.from(body.rows).sort(function (a, b) {\n"
    "      var x = value(a, head), y = value(b, head);\n"
    "      return sign * (x < y ? -1 : x > y ? 1 : 0);\n"
    "    }).forEach(function (row) { body.appendChild(row); });\n"
    "  };\n"
    "});\n";

/* ---- Text in HTML ---------------------------------------------------------------------------- */

enum {
    PICTURE_WIDTH = 120, /* in the page */
    AXIS_WIDTH = 200,
    SHOWN_BYTES = 18,         /* of a count */
    PICTURE_BYTES = 1 << 20,  /* a larger one is linked */
    PICTURES_BYTES = 12 << 20 /* of all together: a page must open on a phone */
};

typedef struct page {
    FILE *out;
    int folder_fd;
    const cli_jobs *jobs;  /* whose lines it shows */
    const json_t *options; /* those of all lines; NULL: they differ */
    size_t n_done, n_failed;
    bool has_pictures, has_largest;
    size_t picture_bytes; /* that are left of PICTURES_BYTES */
} page;

/* Writes UTF-8 as the text of an element, or of an attribute in double quotes. HTML forbids control
 * characters, which are one byte, or two for U+0080..U+009F: U+FFFD takes their place. */
static void put_text(FILE *out, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (; *text != '\0'; text++) {
        unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1];
        const char *found = strchr(special, *text);
        bool is_two = first == 0xc2 && second >= 0x80 && second < 0xa0;
        bool is_one = (first < ' ' && first != '\t' && first != '\n') || first == 0x7f;
        if (is_one || is_two)
            fputs("&#65533;", out);
        else if (found != NULL)
            fputs(references[found - special], out);
        else
            fputc(*text, out);
        text += is_two;
    }
}

/* Writes the name of a file in the folder of the page, as an address. */
static void put_address(FILE *out, const char *name)
{
    for (; *name != '\0'; name++) {
        unsigned char c = (unsigned char)*name;
        if (c < 0x80 && (isalnum(c) || strchr("-._~", c) != NULL))
            fputc(c, out);
        else
            fprintf(out, "%%%02X", c);
    }
}

/* ---- Pictures -------------------------------------------------------------------------------- */

/* Writes the PNG of this name as an element that contains its data, or a link to it when that is too large. Writes
 * nothing when it is no PNG, or no regular file of the folder itself. */
static void put_picture(page *p, const char *name, int width)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    struct stat info;
    int file = strchr(name, '/') != NULL || *name == '.'
                   ? -1
                   : openat(p->folder_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    size_t size = fstat(file, &info) == 0 && S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
    if (size > PICTURE_BYTES || size > p->picture_bytes) {
        fputs("<a href=\"", p->out);
        put_address(p->out, name);
        fputs("\">picture</a>", p->out);
    } else if (size >= sizeof signature) {
        uint8_t *bytes = cli_need(malloc(size));
        size_t n_text = BASE64_ENCODE_RAW_LENGTH(size);
        char *text = cli_need(malloc(n_text));
        if (read(file, bytes, size) == (ssize_t)size &&
            memcmp(bytes, signature, sizeof signature) == 0) {
            base64_encode_raw(text, size, bytes);
            fprintf(p->out,
                    "<img width=\"%d\" alt=\"picture of the counts\" "
                    "src=\"data:image/png;base64,",
                    width);
            fwrite(text, 1, n_text, p->out);
            fputs("\">", p->out);
        }
        free(bytes);
        free(text);
        p->picture_bytes -= size;
    }
    close(file);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static bool is_done(const json_t *line)
{
    const json_t *code = json_object_get(line, "exit");
    return json_is_integer(code) && json_integer_value(code) == 0;
}

static void put_options(FILE *out, const json_t *options)
{
    for (size_t i = 0; i < json_array_size(options); i++) {
        const char *option = json_string_value(json_array_get(options, i));
        fputs(i > 0 ? " " : "", out);
        put_text(out, option != NULL ? option : "");
    }
}

/* Writes the name of a dataset, and its options where they differ. */
static void put_dataset(const page *p, const json_t *line)
{
    const char *name = cli_json_member(line, "input");
    const json_t *options = json_object_get(line, "options");
    name = *name != '\0' ? name : cli_json_member(line, "result");
    fputs("<bdi>", p->out);
    put_text(p->out, *name != '\0' ? name : "(no name)");
    fputs("</bdi>", p->out);
    if (p->options != NULL || json_array_size(options) == 0)
        return;
    fputs("<br><code class=\"quiet\">", p->out);
    put_options(p->out, options);
    fputs("</code>", p->out);
}

typedef enum content { PICTURE, DATASET, NUMBER, COUNT, METHOD, SECONDS, MEMORY, RESULT } content;

/* The columns of the table, in order. */
static const struct column {
    content content;
    const char *css_class, *label, *key;
} columns[] = {{PICTURE, "picture", "picture", "picture"},
               {DATASET, "text", "dataset", "input"},
               {NUMBER, "number", "vertices", "vertices"},
               {NUMBER, "number", "edges", "edges"},
               {COUNT, "number", "all paths", "total_paths"},
               {COUNT, "number", "largest count", "largest_count"},
               {NUMBER, "number", "bits", "bits"},
               {METHOD, "text", "method, engine", "method"},
               {SECONDS, "number", "seconds", "seconds"},
               {MEMORY, "number", "peak memory", "peak_memory_bytes"},
               {RESULT, "text", "result", "result"}};

static const size_t n_columns = sizeof columns / sizeof *columns;

/* Writes the attributes of a cell: its column, the value that sorts it, and the text under the
 * pointer, which is a whole count or the times of the stages. */
static void put_attributes(const page *p, const struct column *column, const json_t *line)
{
    static const char *const stages[] = {"read", "bound", "count", "certify", "write"};
    const json_t *value = json_object_get(line, column->key);
    const char *between = "", *text = cli_json_member(line, column->key);
    fprintf(p->out, " class=\"%s\"", column->css_class);
    if (column->content == COUNT) {
        fputs(" data-value=\"", p->out);
        put_text(p->out, text);
        fputs("\" title=\"", p->out);
        put_text(p->out, text);
        fputs("\"", p->out);
    }
    if (column->content == MEMORY && json_integer_value(value) > 0) /* 0: it is not known */
        fprintf(p->out, " data-value=\"%" JSON_INTEGER_FORMAT "\"", json_integer_value(value));
    if (column->content != SECONDS)
        return;
    fputs(" title=\"", p->out);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const json_t *seconds = json_object_get(value, stages[i]);
        if (!json_is_number(seconds))
            continue;
        fprintf(p->out, "%s%s %.3f s", between, stages[i], json_number_value(seconds));
        between = ", ";
    }
    fputs("\"", p->out);
}

/* Writes a count, which may have thousands of digits: six of them and an exponent where there are
 * many. */
static void put_count(FILE *out, const char *count)
{
    const char *exponent = strchr(count, 'e');
    size_t length = strlen(count);
    if (count[strspn(count, "0123456789.e+-")] != '\0')
        return;
    if (length < SHOWN_BYTES)
        put_text(out, count);
    else if (exponent != NULL)
        fprintf(out, "%.7s%s", count, exponent);
    else
        fprintf(out, "%c.%.5se+%zu", count[0], count + 1, length - 1);
}

static void put_content(page *p, const struct column *column, const json_t *line)
{
    const char *text = cli_json_member(line, column->key),
               *engine = cli_json_member(line, "engine");
    const json_t *value = json_object_get(line, column->key), *option;
    int width = PICTURE_WIDTH;
    size_t i;
    switch (column->content) {
    case PICTURE: /* that of a total has an axis with numbers */
        json_array_foreach(json_object_get(line, "options"), i, option)
        {
            if (json_is_string(option) && strcmp(json_string_value(option), "--total") == 0)
                width = AXIS_WIDTH;
        }
        if (*text != '\0')
            put_picture(p, text, width);
        break;
    case DATASET:
        put_dataset(p, line);
        break;
    case NUMBER:
        if (json_is_integer(value))
            fprintf(p->out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case COUNT:
        put_count(p->out, text);
        break;
    case METHOD:
        put_text(p->out, text);
        fputs(*text != '\0' && *engine != '\0' ? ", " : "", p->out);
        put_text(p->out, engine);
        break;
    case SECONDS:
        value = json_object_get(value, "total");
        if (json_is_number(value))
            fprintf(p->out, "%.3f", json_number_value(value));
        break;
    case MEMORY:
        if (json_is_integer(value) && json_integer_value(value) >= 0)
            fputs(cli_bytes_of((uint64_t)json_integer_value(value)).text, p->out);
        break;
    case RESULT:
        if (*text == '\0')
            break;
        fputs("<a href=\"", p->out);
        put_address(p->out, text);
        fputs("\"><bdi>", p->out);
        put_text(p->out, text);
        fputs("</bdi></a>", p->out);
    }
}

/* ---- Parts of the page ----------------------------------------------------------------------- */

static void put_head(const page *p)
{
    char when[64] = "", stamp[64] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local) != NULL) {
        strftime(when, sizeof when, "%Y-%m-%d %H:%M %Z", &local);
        strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S%z", &local);
    }
    size_t n = p->jobs->n;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          p->out);
    fprintf(p->out, "<title>pathcount: %zu of %zu done</title>\n", p->n_done, n);
    fprintf(p->out, "<style>\n%s</style>\n</head>\n<body>\n", style);
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

static void put_failures(const page *p)
{
    fprintf(p->out, "<section>\n<h2>Failed (%zu)</h2>\n<ul class=\"failures\">\n", p->n_failed);
    for (size_t j = 0; j < p->jobs->n; j++) {
        const json_t *line = p->jobs->job[j].line, *code = json_object_get(line, "exit");
        const char *message = cli_json_member(line, "message");
        if (is_done(line))
            continue;
        fputs("<li><strong>", p->out);
        put_dataset(p, line);
        fputs("</strong><p>", p->out);
        put_text(p->out, *message != '\0' ? message : "no reason was recorded");
        fputs("</p>", p->out);
        if (json_is_integer(code))
            fprintf(p->out, "<p class=\"quiet\">exit code %" JSON_INTEGER_FORMAT "</p>",
                    json_integer_value(code));
        fputs("</li>\n", p->out);
    }
    fputs("</ul>\n</section>\n", p->out);
}

/* Returns whether a job has something for the column. */
static bool is_shown(const page *p, const struct column *column)
{
    if (column->content == PICTURE)
        return p->has_pictures;
    return strcmp(column->key, "largest_count") != 0 || p->has_largest;
}

static void put_row(page *p, const json_t *line)
{
    fputs("<tr>", p->out);
    for (const struct column *c = columns; c < columns + n_columns; c++) {
        const char *element = c->content == DATASET ? "th" : "td";
        if (!is_shown(p, c))
            continue;
        fprintf(p->out, "<%s", element);
        if (c->content == DATASET)
            fputs(" scope=\"row\"", p->out);
        else
            put_attributes(p, c, line);
        fputs(">", p->out);
        put_content(p, c, line);
        fprintf(p->out, "</%s>", element);
    }
    fputs("</tr>\n", p->out);
}

static void put_results(page *p)
{
    fprintf(p->out, "<section>\n<h2>Results (%zu)</h2>\n<table>\n", p->n_done);
    fputs("<thead><tr>", p->out);
    for (size_t c = 0; c < n_columns; c++)
        if (is_shown(p, &columns[c]))
            fprintf(p->out, "<th scope=\"col\" class=\"%s\">%s</th>", columns[c].css_class,
                    columns[c].label);
    fputs("</tr></thead>\n<tbody>\n", p->out);
    for (size_t j = 0; j < p->jobs->n; j++)
        if (is_done(p->jobs->job[j].line))
            put_row(p, p->jobs->job[j].line);
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

/* ---- The file -------------------------------------------------------------------------------- */

/* Makes the page as one text, to be free()d. */
static char *make_page(int folder_fd, const cli_jobs *jobs, size_t *n_bytes)
{
    char *text = NULL;
    page p = {.out = cli_need(open_memstream(&text, n_bytes)),
              .folder_fd = folder_fd,
              .jobs = jobs,
              .options = json_object_get(jobs->job[0].line, "options"),
              .picture_bytes = PICTURES_BYTES};
    for (size_t j = 0; j < jobs->n; j++) {
        const json_t *line = jobs->job[j].line;
        p.n_done += is_done(line);
        p.has_pictures |= is_done(line) && *cli_json_member(line, "picture") != '\0';
        p.has_largest |= is_done(line) && *cli_json_member(line, "largest_count") != '\0';
        if (j > 0 && !json_equal(p.options, json_object_get(line, "options")))
            p.options = NULL;
    }
    p.n_failed = jobs->n - p.n_done;
    put_head(&p);
    if (p.n_failed > 0)
        put_failures(&p);
    if (p.n_done > 0)
        put_results(&p);
    fputs("</main>\n", p.out);
    if (p.n_done > 1)
        fprintf(p.out, "<script>\n%s</script>\n", script);
    fputs("</body>\n</html>\n", p.out);
    bool is_whole = !ferror(p.out);
    return fclose(p.out) == 0 && is_whole ? text : cli_need(NULL);
}

int cli_report_write(const cli_jobs *jobs)
{
    const char *folder = jobs->options->folder;
    pc_context *context;
    pc_output *output = NULL;
    size_t n_bytes = 0;
    char *path = NULL;
    int folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0)
        return cli_fail(CLI_NO_CREATE, "%s: cannot be opened: %s", folder, strerror(errno));
    char *text = make_page(folder_fd, jobs, &n_bytes);
    close(folder_fd);
    if (asprintf(&path, "%s/report.html", folder) < 0 || pc_context_create(&context) != PC_OK)
        return cli_fail_for_memory();
    pc_context_set_sync(context, !jobs->options->count.running.no_sync);
    pc_status status = pc_output_open(context, path, &output);
    if (status == PC_OK)
        status = pc_output_write(output, text, n_bytes);
    if (status == PC_OK)
        status = pc_output_commit(output);
    else
        pc_output_free(output);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
    pc_context_free(context);
    free(path);
    free(text);
    return code;
}
