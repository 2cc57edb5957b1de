/* Names of the graph formats. The library tells edge lists and Matrix Market apart by content. */
#include "src/cli/formats.h"

#include <string.h>

static const cli_format formats[] = {
    {"auto", PC_FORMAT_AUTO, false},
    {"edges", PC_FORMAT_EDGE_LIST, false},
    {"mtx", PC_FORMAT_MATRIX_MARKET, false},
    {"graphml", PC_FORMAT_AUTO, true},
    {"gml", PC_FORMAT_AUTO, true},
    {"pajek", PC_FORMAT_AUTO, true},
    {"lgl", PC_FORMAT_AUTO, true},
    {"ncol", PC_FORMAT_AUTO, true},
    {"dl", PC_FORMAT_AUTO, true},
};

const char *cli_format_names(void)
{
    return "auto, edges, mtx, graphml, gml, pajek, lgl, ncol, dl";
}

const cli_format *cli_format_named(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(name, formats[i].name) == 0)
            return &formats[i];
    return NULL;
}
