/* The figures, in one JSON tree. */
#include "tests/bench/report.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

static json_t *tree = NULL;
static bool has_failure = false;

static json_t *child_object(json_t *parent, const char *name)
{
    json_t *child = json_object_get(parent, name);
    if (child == NULL) {
        child = json_object();
        json_object_set_new(parent, name, child);
    }
    return child;
}

static json_t *place(const char *section, const char *name)
{
    if (tree == NULL)
        tree = json_object();
    return child_object(child_object(tree, section), name);
}

void report_set(const char *section, const char *name, const char *key, double value)
{
    json_object_set_new(place(section, name), key, json_real(value));
}

void report_set_text(const char *section, const char *name, const char *key, const char *text)
{
    json_object_set_new(place(section, name), key, json_string(text));
}

void report_set_times(const char *section, const char *name, const bench_times *times)
{
    json_t *runs = json_array();
    for (int r = 0; r < times->n; r++)
        json_array_append_new(runs, json_real(times->seconds[r]));
    json_object_set_new(place(section, name), "runs_seconds", runs);
    report_set(section, name, "median_seconds", times_median(times));
}

double report_get(const char *section, const char *name, const char *key)
{
    const json_t *value =
        json_object_get(json_object_get(json_object_get(tree, section), name), key);
    return json_is_real(value) ? json_real_value(value) : NAN;
}

void report_save(const char *path)
{
    if (json_dump_file(tree, path, JSON_INDENT(2)) != 0)
        bench_die("cannot write %s", path);
}

void report_failure(const char *section, const char *name, const char *what)
{
    fprintf(stderr, "bench: %s: %s: %s\n", section, name, what);
    has_failure = true;
}

bool report_has_failure(void)
{
    return has_failure;
}

void report_progress(const char *section, const char *name)
{
    fprintf(stderr, "  ... %s: %s\n", section, name);
}
