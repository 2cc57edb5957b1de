/* The rates are in the file pathcount/rates of the user's cache folder. */
#define _GNU_SOURCE /* secure_getenv */
#include "src/cli/rates.h"
#include "pathcount_measure.h"

#include "src/cli/exit_codes.h"
#include "src/cli/json_head.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The folder, $XDG_CACHE_HOME/pathcount or ~/.cache/pathcount; false when there is no home or its
 * name is too long. A relative $XDG_CACHE_HOME does not count (XDG Base Directory
 * Specification). */
static bool find_folder(char *folder, size_t size)
{
    const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    int length = -1;
    if (cache != NULL && cache[0] == '/')
        length = snprintf(folder, size, "%s/pathcount", cache);
    else if (home != NULL && home[0] == '/')
        length = snprintf(folder, size, "%s/.cache/pathcount", home);
    return length >= 0 && (size_t)length < size;
}

static bool find_file(char *path, size_t size)
{
    if (!find_folder(path, size) || strlen(path) + sizeof "/rates" > size)
        return false;
    strcat(path, "/rates");
    return true;
}

void cli_rates_load(pc_context *context, bool is_quiet)
{
    char path[PATH_MAX];
    if (!find_file(path, sizeof path))
        return;
    pc_status status = pc_rates_read(context, path);
    if (status != PC_OK && status != PC_ERR_NO_INPUT && !is_quiet)
        fprintf(stderr, "pathcount: predicting by the rates that are compiled in: %s\n",
                pc_context_message(context));
    pc_context_fail(context, PC_OK, ""); /* it says nothing about what comes later */
}

/* Makes the folder and those above it. */
static bool make_folder(char *folder)
{
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool is_made = mkdir(folder, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!is_made)
            return false;
    }
    return mkdir(folder, 0700) == 0 || errno == EEXIST;
}

static void print_rate(void *user, const pc_rate *rate)
{
    (void)user;
    printf("  %-10s %10.3g  %s\n", rate->name, rate->per_second, rate->unit);
}

static void add_rate(void *user, const pc_rate *rate)
{
    json_t *object = json_pack("{s:f, s:s}", "per_second", rate->per_second, "unit", rate->unit);
    json_object_set_new(user, rate->name, object);
}

int cli_rates_measure(pc_context *context, bool json)
{
    char folder[PATH_MAX], path[PATH_MAX];
    if (!find_folder(folder, sizeof folder) || !find_file(path, sizeof path))
        return cli_fail(CLI_NO_CREATE, "no cache folder: set HOME or XDG_CACHE_HOME");
    if (!make_folder(folder))
        return cli_fail(CLI_NO_CREATE, "%s: %s", folder, strerror(errno));
    json_t *rates = json ? json_object() : NULL;
    if (!json)
        puts("a second and a thread:");
    pc_status status = pc_calibrate(context, json ? add_rate : print_rate, rates);
    if (status == PC_OK)
        status = pc_rates_write(context, path);
    json_t *root = json ? json_pack("{s:O}", "rates", rates) : NULL;
    root = json ? cli_json_behind(cli_json_begin("bench"), root) : NULL;
    if (status == PC_OK && json && json_dumpf(root, stdout, JSON_INDENT(2)) == 0)
        putchar('\n');
    if (status == PC_OK && !json)
        printf("kept in %s\n", path);
    json_decref(root);
    json_decref(rates);
    return status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
}
