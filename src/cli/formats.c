/* Names of the graph formats. The library tells edge lists, Matrix Market and graph6
 * apart by content and file name. */
#include "src/cli/formats.h"

#include <string.h>

/* clang-format off */
static const cli_format formats[] = {
    {"auto", PC_FORMAT_AUTO, false},
    {"edges", PC_FORMAT_EDGE_LIST, false},
    {"mtx", PC_FORMAT_MATRIX_MARKET, false},
    {"graph6", PC_FORMAT_GRAPH6, false},
    {"graphml", PC_FORMAT_AUTO, true},
    {"gml", PC_FORMAT_AUTO, true},
    {"pajek", PC_FORMAT_AUTO, true},
    {"lgl", PC_FORMAT_AUTO, true},
    {"ncol", PC_FORMAT_AUTO, true},
    {"dl", PC_FORMAT_AUTO, true},
};
/* clang-format on */

const char *cli_format_names(void)
{
    return "auto, edges, mtx, graph6, graphml, gml, pajek, lgl, ncol, dl";
}

const cli_format *cli_format_named(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(name, formats[i].name) == 0)
            return &formats[i];
    return NULL;
}

const char *const *cli_format_words(void)
{
    static const char *words[sizeof formats / sizeof *formats + 1];
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        words[i] = formats[i].name;
    return words;
}

const char *const *cli_job_endings(void)
{
    static const char *const words[] = {"mtx",  "mtx.gz",  "mtx.zst",  "tsv", "tsv.gz", "tsv.zst",
                                        "csv",  "csv.gz",  "csv.zst",  "npy", "npy.gz", "npy.zst",
                                        "json", "json.gz", "json.zst", NULL};
    return words;
}
