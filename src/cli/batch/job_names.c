/* Names of datasets and of results. A name that comes from outside must not lead out of the folder
 * of results, nor steer a terminal, nor be one that JSON cannot say. */
#include "src/cli/batch/job_names.h"

#include "src/cli/endings.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME_BYTES = 200 }; /* with endings far below the 255 of file systems */

static const char *const graph_endings[] = {
    ".txt", ".tsv", ".csv", ".edges", ".edgelist", ".el", ".mtx", ".graphml", ".gml",
    ".net", ".paj", ".lgl", ".ncol",  ".dl",       ".g6", ".s6",  ".d6",      NULL};
static const char *const result_endings[] = {"tsv", "csv", "mtx", "npy", "json", NULL};
static const char *const result_packings[] = {".gz", ".zst", NULL};

/* The length of what is left of a name when one of these endings is taken off; length: none fits. */
static size_t without_ending(const char *name, size_t length, const char *const *endings)
{
    for (; *endings != NULL; endings++)
        if (cli_ends_with(name, length, *endings))
            return length - strlen(*endings);
    return length;
}

bool cli_job_is_graph_name(const char *name)
{
    size_t length = cli_length_unpacked(name);
    return without_ending(name, length, graph_endings) < length;
}

char *cli_job_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t length = cli_length_unpacked(name);
    return strndup(name, without_ending(name, length, graph_endings));
}

static bool has_control_character(const char *name)
{
    for (; *name != '\0'; name++)
        if ((unsigned char)*name < ' ' || (unsigned char)*name == 0x7f)
            return true;
    return false;
}

static bool is_utf8(const char *name)
{
    json_t *string = json_string(name);
    json_decref(string);
    return string != NULL;
}

const char *cli_job_name_flaw(const char *name)
{
    return name[0] == '\0'                 ? "it is empty"
           : name[0] == '.'                ? "it begins with a dot"
           : strchr(name, '/') != NULL     ? "it contains a '/'"
           : has_control_character(name)   ? "it contains a control character"
           : strlen(name) > MAX_NAME_BYTES ? "it is longer than 200 bytes"
           : !is_utf8(name)                ? "it is not UTF-8"
                                           : NULL;
}

/* ---- Endings of results ---------------------------------------------------------------------- */

static bool is_one_of(const char *text, size_t length, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strlen(*names) == length && strncmp(text, *names, length) == 0)
            return true;
    return false;
}

bool cli_job_ending_is_known(const char *ending)
{
    return is_one_of(ending, without_ending(ending, strlen(ending), result_packings),
                     result_endings);
}

bool cli_job_ending_fits_query(const char *ending)
{
    return strcmp(ending, "tsv") == 0 || strcmp(ending, "json") == 0;
}
