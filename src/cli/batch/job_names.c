/* Names of datasets and of results. A name that comes from outside must not lead out of the folder
 * of results, nor steer a terminal, nor be one that JSON cannot say. */
#include "src/cli/batch/job_names.h"

#include "pathcount.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME_BYTES = 200 }; /* with endings far below the 255 of file systems */

bool cli_job_is_graph_name(const char *name)
{
    const pc_file_format *format = pc_file_format_of(name, NULL);
    return format != NULL && format->reads_graphs;
}

char *cli_job_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t length, length_unpacked;
    const pc_file_format *format = pc_file_format_of(name, &length);
    length_unpacked = length + (format != NULL ? strlen(format->ending) : 0);
    return strndup(name, cli_job_is_graph_name(name) ? length : length_unpacked);
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
