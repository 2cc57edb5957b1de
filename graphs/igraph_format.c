/* The file formats of igraph and how igraph is asked to read each. */
#include "graphs/igraph_format.h"
#include "graphs/pathcount_igraph.h"
#include "src/core/number.h"

#include <string.h>

static igraph_error_t read_graphml(igraph_t *igraph, FILE *file)
{
    return igraph_read_graph_graphml(igraph, file, 0);
}

/* NCOL and LGL do not state a direction; igraph keeps the order of the ends only of arcs. */
static igraph_error_t read_ncol(igraph_t *igraph, FILE *file)
{
    return igraph_read_graph_ncol(igraph, file, NULL, true, IGRAPH_ADD_WEIGHTS_IF_PRESENT,
                                  IGRAPH_DIRECTED);
}

static igraph_error_t read_lgl(igraph_t *igraph, FILE *file)
{
    return igraph_read_graph_lgl(igraph, file, true, IGRAPH_ADD_WEIGHTS_IF_PRESENT,
                                 IGRAPH_DIRECTED);
}

/* ---- How texts begin ------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool begins_with(pci_igraph_span text, const char *lower_case)
{
    size_t length = strlen(lower_case);
    return pci_igraph_span_bytes(text) >= length && pci_equal_any_case(text.at, lower_case, length);
}

static pci_igraph_span skip_spaces(pci_igraph_span text)
{
    while (text.at < text.end && is_space(*text.at))
        text.at++;
    return text;
}

/* Skips what begins so, up to its end, and the spaces behind that. */
static bool skip(pci_igraph_span *text, const char *beginning, const char *ending)
{
    if (!begins_with(*text, beginning))
        return false;
    while (text->at < text->end && !begins_with(*text, ending))
        text->at++;
    text->at += text->at < text->end ? strlen(ending) : 0;
    *text = skip_spaces(*text);
    return true;
}

/* "<graphml", perhaps with a prefix, behind a declaration and comments. */
static bool begins_graphml(pci_igraph_span text)
{
    while (skip(&text, "<?", "?>") || skip(&text, "<!--", "-->") || skip(&text, "<!", ">"))
        ;
    if (!begins_with(text, "<"))
        return false;
    pci_igraph_span name = {text.at + 1, text.at + 1};
    while (name.end < text.end && !is_space(*name.end) && *name.end != '>')
        name.end++;
    const char *colon = memchr(name.at, ':', pci_igraph_span_bytes(name));
    name.at = colon ? colon + 1 : name.at;
    return pci_igraph_word_is(name, "graphml");
}

/* "graph [", perhaps behind lines of keys such as Creator. */
static bool begins_gml(pci_igraph_span text)
{
    while (skip(&text, "creator", "\n") || skip(&text, "version", "\n") ||
           skip(&text, "comment", "\n") || skip(&text, "#", "\n"))
        ;
    if (!begins_with(text, "graph"))
        return false;
    text.at += strlen("graph");
    return begins_with(skip_spaces(text), "[");
}

static bool begins_pajek(pci_igraph_span text)
{
    while (skip(&text, "%", "\n"))
        ;
    return begins_with(text, "*vertices") || begins_with(text, "*network") ||
           begins_with(text, "*arcs") || begins_with(text, "*edges") ||
           begins_with(text, "*matrix");
}

/* "dl n = 5" */
static bool begins_dl(pci_igraph_span text)
{
    static const char *const keys[] = {"nr", "nc", "nm", "n", "format"};
    if (!begins_with(text, "dl"))
        return false;
    for (text.at += 2; text.at < text.end && (is_space(*text.at) || *text.at == ','); text.at++)
        ;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        pci_igraph_span rest = text;
        if (!begins_with(rest, keys[i]))
            continue;
        rest.at += strlen(keys[i]);
        return begins_with(skip_spaces(rest), "=");
    }
    return false;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static const pci_igraph_format formats[] = {
    {.name = "graphml",
     .title = "GraphML",
     .begins = begins_graphml,
     .first = "<",
     .scan = pci_igraph_scan_graphml,
     .read = read_graphml,
     .weights = {"weight"}},
    {.name = "gml",
     .title = "GML",
     .begins = begins_gml,
     .first = LETTERS "#\"",
     .scan = pci_igraph_scan_gml,
     .read = igraph_read_graph_gml,
     .has_entities = true,
     .weights = {"weight", "value"}},
    {.name = "pajek",
     .title = "Pajek",
     .begins = begins_pajek,
     .first = "*%",
     .scan = pci_igraph_scan_pajek,
     .read = igraph_read_graph_pajek,
     .first_number = 1,
     .weights = {"weight"}},
    {.name = "lgl",
     .title = "LGL",
     .first = "#",
     .scan = pci_igraph_scan_lgl,
     .read = read_lgl,
     .read_directed = true,
     .weights = {"weight"}},
    {.name = "ncol",
     .title = "NCOL",
     .scan = pci_igraph_scan_ncol,
     .read = read_ncol,
     .read_directed = true,
     .weights = {"weight"}},
    {.name = "dl",
     .title = "DL",
     .begins = begins_dl,
     .first = "dD",
     .scan = pci_igraph_scan_dl,
     .read = igraph_read_graph_pajek, /* which the scan makes of it */
     .first_number = 1,
     .weights = {"weight"}},
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

const char *pc_igraph_format_name(unsigned i)
{
    return i < N_FORMATS ? formats[i].name : NULL;
}

unsigned pci_igraph_format_number(const pci_igraph_format *format)
{
    return (unsigned)(format - formats);
}

const pci_igraph_format *pci_igraph_format_at(unsigned number)
{
    return number < N_FORMATS ? &formats[number] : NULL;
}

const char *pc_igraph_format_of(const char *path)
{
    const pc_file_format *format = pc_file_format_of(path, NULL);
    return format != NULL && format->needs_igraph ? format->name : NULL;
}

pc_status pci_igraph_format_find(pc_context *context, const char *path, const char *name,
                                 const pci_igraph_format **found)
{
    const char *wanted = name ? name : pc_igraph_format_of(path);
    for (size_t i = 0; wanted && i < N_FORMATS; i++) {
        if (strlen(wanted) == strlen(formats[i].name) &&
            pci_equal_any_case(wanted, formats[i].name, strlen(wanted))) {
            *found = &formats[i];
            return PC_OK;
        }
    }
    if (name) {
        return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                               "%s is no format of igraph; those are graphml, gml, pajek, lgl, "
                               "ncol and dl",
                               name);
    }
    return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                           "%s: the name does not tell the format; say which of graphml, gml, "
                           "pajek, lgl, ncol and dl it is",
                           path);
}

pc_status pci_igraph_format_check(pc_context *context, const char *path, const char *bytes,
                                  size_t n_bytes, bool is_free, const pci_igraph_format **format)
{
    static const char mark[] = "\xef\xbb\xbf";
    pci_igraph_span text = {bytes, bytes + n_bytes};
    text.at += n_bytes >= 3 && memcmp(bytes, mark, 3) == 0 ? 3 : 0;
    text = skip_spaces(text);
    bool is_text =
        text.at < text.end && (unsigned char)*text.at < 0xfe && !memchr(bytes, 0, n_bytes);
    if (!is_text)
        return PC_OK; /* a scan refuses it */
    const pci_igraph_format *found = NULL;
    for (size_t i = 0; i < N_FORMATS && !found; i++)
        if (formats[i].begins && formats[i].begins(text))
            found = &formats[i];
    if (found && found != *format && !is_free)
        return pci_igraph_fail(context, PC_ERR_DATA, "%s: the text is %s: --format %s reads it",
                               path, found->title, found->name);
    if (found)
        *format = found;
    /* A text without the marks may be a damaged one of the format. */
    if (found || !(*format)->first || strchr((*format)->first, *text.at))
        return PC_OK;
    return pci_igraph_fail(context, PC_ERR_DATA,
                           "%s: the text does not begin as %s does: --format %s reads %s", path,
                           (*format)->title, *text.at == '{' || *text.at == '[' ? "json" : "edges",
                           *text.at == '{' || *text.at == '[' ? "JSON" : "an edge list");
}
