/* DIR/report.html: one page that needs no other file. Failures come first, then a row for each result.
 * Lines of a manifest may have been edited by hand: the page leaves blank what is missing or of another
 * type, and takes pictures from the folder of the results only. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/batch/report.h"

#include "pathcount.h"
#include "pathcount_io.h"
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

/* ---- Text in HTML -------------------------------------------------------------------------- */

static const char *reference_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* Bytes at text that are a control character: of one byte, or U+0080..U+009F of two. */
static size_t control_length(const char *text)
{
    unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1];
    if (first == '\t' || first == '\n')
        return 0;
    if (first < ' ' || first == 0x7f)
        return 1;
    return first == 0xc2 && second >= 0x80 && second < 0xa0 ? 2 : 0;
}

/* UTF-8 as the text of an element, or of an attribute in double quotes. HTML forbids control characters:
 * U+FFFD takes their place. */
static void put_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        const char *reference = reference_of(*text);
        size_t n_control = control_length(text);
        if (n_control > 0)
            fputs("&#65533;", out);
        else if (reference != NULL)
            fputs(reference, out);
        else
            fputc(*text, out);
        text += n_control > 0 ? n_control : 1;
    }
}

/* The name of a file in the folder of the page, as an address. */
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

/* ---- Pictures ------------------------------------------------------------------------------ */

/* A regular file of the folder itself; NULL: there is none of this name. */
static FILE *open_picture(int folder_fd, const char *name, size_t *size)
{
    struct stat info;
    if (strchr(name, '/') != NULL || *name == '.')
        return NULL;
    int file = openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool is_regular = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    FILE *picture = is_regular ? fdopen(file, "r") : NULL;
    if (picture == NULL && file >= 0)
        close(file);
    if (picture != NULL)
        *size = (size_t)info.st_size;
    return picture;
}

static bool is_png(const uint8_t *bytes, size_t size)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return size >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0;
}

static void put_data(FILE *out, FILE *picture, size_t size, int width)
{
    size_t n_text = BASE64_ENCODE_RAW_LENGTH(size);
    uint8_t *bytes = malloc(size + 1);
    char *text = malloc(n_text + 1);
    if (bytes != NULL && text != NULL && fread(bytes, 1, size, picture) == size &&
        is_png(bytes, size)) {
        base64_encode_raw(text, size, bytes);
        fprintf(out, "<img width=\"%d\" alt=\"picture of the counts\" src=\"data:image/png;base64,",
                width);
        fwrite(text, 1, n_text, out);
        fputs("\">", out);
    }
    free(bytes);
    free(text);
}

/* The PNG of this name as an image that contains its data, or a link to it when that is too large;
 * nothing when there is no such picture. */
static void put_image(page *p, const char *name, int width)
{
    size_t size;
    FILE *picture = open_picture(p->folder_fd, name, &size);
    if (picture == NULL)
        return;
    if (size > PICTURE_BYTES || size > p->picture_bytes) {
        fputs("<a href=\"", p->out);
        put_address(p->out, name);
        fputs("\">picture</a>", p->out);
    } else {
        put_data(p->out, picture, size, width);
        p->picture_bytes -= size;
    }
    fclose(picture);
}

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
    put_text(out, *name != '\0' ? name : "(no name)");
    fputs("</bdi>", out);
}

static void put_options(FILE *out, const json_t *options)
{
    for (size_t i = 0; i < json_array_size(options); i++) {
        const char *option = json_string_value(json_array_get(options, i));
        fputs(i > 0 ? " " : "", out);
        put_text(out, option != NULL ? option : "");
    }
}

/* ---- Cells of a row ------------------------------------------------------------------------------ */

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

/* That of a total has an axis with numbers. */
static bool has_axis(const json_t *line)
{
    const json_t *options = json_object_get(line, "options"), *option;
    size_t i;
    json_array_foreach(options, i, option)
    {
        const char *text = json_string_value(option);
        if (text != NULL && strcmp(text, "--total") == 0)
            return true;
    }
    return false;
}

static void put_picture(page *p, const json_t *line, const char *key)
{
    const char *picture = text_of(line, key);
    if (*picture != '\0')
        put_image(p, picture, has_axis(line) ? AXIS_WIDTH : PICTURE_WIDTH);
}

/* A count, which may have thousands of digits: six of them and an exponent where there are many. */
static void put_count(page *p, const json_t *line, const char *key)
{
    const char *count = text_of(line, key), *exponent = strchr(count, 'e');
    size_t length = strlen(count);
    if (count[strspn(count, "0123456789.e+-")] != '\0')
        return;
    if (length < SHOWN_BYTES)
        put_text(p->out, count);
    else if (exponent != NULL)
        fprintf(p->out, "%.7s%s", count, exponent);
    else
        fprintf(p->out, "%c.%.5se+%zu", count[0], count + 1, length - 1);
}

static void put_number(page *p, const json_t *line, const char *key)
{
    const json_t *value = json_object_get(line, key);
    if (json_is_integer(value))
        fprintf(p->out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
}

static void put_method(page *p, const json_t *line, const char *key)
{
    const char *method = text_of(line, key), *engine = text_of(line, "engine");
    put_text(p->out, method);
    fputs(*method != '\0' && *engine != '\0' ? ", " : "", p->out);
    put_text(p->out, engine);
}

/* The times of the stages, shown under the pointer. */
static void put_stages(FILE *out, const json_t *seconds)
{
    static const char *const stages[] = {"read", "bound", "count", "certify", "write"};
    const char *between = "";
    fputs(" title=\"", out);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const json_t *value = json_object_get(seconds, stages[i]);
        if (!json_is_number(value))
            continue;
        fprintf(out, "%s%s %.3f s", between, stages[i], json_number_value(value));
        between = ", ";
    }
    fputs("\"", out);
}

static void put_seconds(page *p, const json_t *line, const char *key)
{
    const json_t *total = json_object_get(json_object_get(line, key), "total");
    if (json_is_number(total))
        fprintf(p->out, "%.3f", json_number_value(total));
}

static void put_memory(page *p, const json_t *line, const char *key)
{
    const json_t *bytes = json_object_get(line, key);
    if (json_is_integer(bytes) && json_integer_value(bytes) >= 0)
        cli_print_bytes(p->out, (uint64_t)json_integer_value(bytes));
}

static void put_result(page *p, const json_t *line, const char *key)
{
    const char *result = text_of(line, key);
    if (*result == '\0')
        return;
    fputs("<a href=\"", p->out);
    put_address(p->out, result);
    fputs("\"><bdi>", p->out);
    put_text(p->out, result);
    fputs("</bdi></a>", p->out);
}

/* The columns of the table, in order. put NULL: the dataset, which is the head of its row. */
static const struct column {
    const char *css_class, *label, *key;
    void (*put)(page *p, const json_t *line, const char *key);
} columns[] = {{"picture", "picture", "picture", put_picture},
               {"text", "dataset", "input", NULL},
               {"number", "vertices", "vertices", put_number},
               {"number", "edges", "edges", put_number},
               {"number", "all paths", "total_paths", put_count},
               {"number", "largest count", "largest_count", put_count},
               {"number", "bits", "bits", put_number},
               {"text", "method, engine", "method", put_method},
               {"number", "seconds", "seconds", put_seconds},
               {"number", "peak memory", "peak_memory_bytes", put_memory},
               {"text", "result", "result", put_result}};

static const size_t n_columns = sizeof columns / sizeof *columns;

/* What is sorted by, and shown under the pointer. */
static void put_value(FILE *out, const char *value)
{
    fputs(" data-value=\"", out);
    put_text(out, value);
    fputs("\" title=\"", out);
    put_text(out, value);
    fputs("\"", out);
}

static void put_cell(page *p, const struct column *column, const json_t *line)
{
    if (column->put == NULL) {
        fputs("<th scope=\"row\">", p->out);
        put_dataset(p, line);
        fputs("</th>", p->out);
        return;
    }
    fprintf(p->out, "<td class=\"%s\" data-label=\"%s\"", column->css_class, column->label);
    if (column->put == put_seconds)
        put_stages(p->out, json_object_get(line, column->key));
    if (column->put == put_count)
        put_value(p->out, text_of(line, column->key));
    if (column->put == put_memory &&
        json_integer_value(json_object_get(line, column->key)) > 0) /* 0 of what is none */
        fprintf(p->out, " data-value=\"%" JSON_INTEGER_FORMAT "\"",
                json_integer_value(json_object_get(line, column->key)));
    fputs(">", p->out);
    column->put(p, line, column->key);
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
    size_t n = p->jobs->n;
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

static void put_failure(const page *p, const json_t *line)
{
    const json_t *code = json_object_get(line, "exit");
    const char *message = text_of(line, "message");
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

static void put_failures(const page *p)
{
    fprintf(p->out, "<section>\n<h2>Failed (%zu)</h2>\n<ul class=\"failures\">\n", p->n_failed);
    for (size_t j = 0; j < p->jobs->n; j++)
        if (!is_done(p->jobs->job[j].line))
            put_failure(p, p->jobs->job[j].line);
    fputs("</ul>\n</section>\n", p->out);
}

/* Whether a job has something for the column. */
static bool is_shown(const page *p, const struct column *column)
{
    if (column->put == put_picture)
        return p->has_pictures;
    return strcmp(column->key, "largest_count") != 0 || p->has_largest;
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
    for (size_t j = 0; j < p->jobs->n; j++) {
        const json_t *line = p->jobs->job[j].line;
        if (!is_done(line))
            continue;
        fputs("<tr>", p->out);
        for (size_t c = 0; c < n_columns; c++)
            if (is_shown(p, &columns[c]))
                put_cell(p, &columns[c], line);
        fputs("</tr>\n", p->out);
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

static const json_t *common_options(const cli_jobs *jobs)
{
    const json_t *first = json_object_get(jobs->job[0].line, "options");
    for (size_t j = 1; j < jobs->n; j++)
        if (!json_equal(first, json_object_get(jobs->job[j].line, "options")))
            return NULL;
    return first;
}

static void put_page(page *p)
{
    put_head(p);
    if (p->n_failed > 0)
        put_failures(p);
    if (p->n_done > 0)
        put_results(p);
    fputs("</main>\n", p->out);
    if (p->n_done > 1)
        fprintf(p->out, "<script>\n%s</script>\n", cli_report_script);
    fputs("</body>\n</html>\n", p->out);
}

/* ---- The file -------------------------------------------------------------------------------- */

/* The page as one text, to be free()d; NULL: out of memory. */
static char *make_page(int folder_fd, const cli_jobs *jobs, size_t *n_bytes)
{
    char *text = NULL;
    page p = {.out = open_memstream(&text, n_bytes),
              .folder_fd = folder_fd,
              .jobs = jobs,
              .options = common_options(jobs),
              .picture_bytes = PICTURES_BYTES};
    if (p.out == NULL)
        return NULL;
    for (size_t j = 0; j < jobs->n; j++) {
        const json_t *line = jobs->job[j].line;
        p.n_done += is_done(line);
        p.has_pictures |= is_done(line) && *text_of(line, "picture") != '\0';
        p.has_largest |= is_done(line) && *text_of(line, "largest_count") != '\0';
    }
    p.n_failed = jobs->n - p.n_done;
    put_page(&p);
    bool is_whole = !ferror(p.out);
    if (fclose(p.out) == 0 && is_whole)
        return text;
    free(text);
    return NULL;
}

static pc_status write_page(pc_context *context, const cli_jobs *jobs, int folder_fd)
{
    pc_output *output = NULL;
    size_t n_bytes = 0;
    char *path = NULL, *text = make_page(folder_fd, jobs, &n_bytes);
    pc_status status = PC_OK;
    if (text == NULL || asprintf(&path, "%s/report.html", jobs->options->folder) < 0) {
        path = NULL;
        status = pc_context_fail(context, PC_ERR_MEMORY, "no memory for the report");
    }
    if (status == PC_OK)
        status = pc_output_open(context, path, &output);
    if (status == PC_OK)
        status = pc_output_write(output, text, n_bytes);
    if (status == PC_OK)
        status = pc_output_commit(output);
    else
        pc_output_free(output);
    free(path);
    free(text);
    return status;
}

int cli_report_write(const cli_jobs *jobs)
{
    const char *folder = jobs->options->folder;
    pc_context *context;
    if (pc_context_create(&context) != PC_OK)
        return cli_fail_for_memory();
    pc_context_set_sync(context, !jobs->options->count.running.no_sync);
    int code = CLI_DONE, folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0) {
        code = cli_fail(CLI_NO_CREATE, "%s: cannot be opened: %s", folder, strerror(errno));
    } else {
        pc_status status = write_page(context, jobs, folder_fd);
        code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
        close(folder_fd);
    }
    pc_context_free(context);
    return code;
}
