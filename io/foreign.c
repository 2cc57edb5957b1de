/* Formats of igraph, told by the name of a file or by the first words of its text. LGL and NCOL have
 * no such words: only the name tells them. */
#include "io/foreign.h"

#include <string.h>
#include <strings.h>

typedef struct text {
    const char *at, *end;
} text;

static void skip_blanks(text *t)
{
    while (t->at < t->end && memchr(" \t\r\n", *t->at, 4))
        t->at++;
}

static void skip_line(text *t)
{
    const char *line_end = memchr(t->at, '\n', (size_t)(t->end - t->at));
    t->at = line_end ? line_end + 1 : t->end;
}

/* Whether the text goes on with this, in any case of letters; then it is taken. */
static bool take(text *t, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(t->end - t->at) < n || strncasecmp(t->at, word, n) != 0)
        return false;
    t->at += n;
    return true;
}

static bool begins_with(text t, const char *word)
{
    return take(&t, word);
}

/* "graph [", after lines such as Creator "igraph". */
static bool is_gml(text t)
{
    while (begins_with(t, "creator") || begins_with(t, "version")) {
        skip_line(&t);
        skip_blanks(&t);
    }
    if (!take(&t, "graph"))
        return false;
    skip_blanks(&t);
    return begins_with(t, "[");
}

/* "dl n = 5". */
static bool is_dl(text t)
{
    if (!take(&t, "dl"))
        return false;
    skip_blanks(&t);
    if (!take(&t, "n"))
        return false;
    skip_blanks(&t);
    return begins_with(t, "=");
}

static const char *format_of_text(text t)
{
    static const char *const pajek[] = {"*vertices", "*network", "*arcs", "*edges", "*matrix"};
    skip_blanks(&t);
    while (begins_with(t, "#") || begins_with(t, "%")) {
        skip_line(&t);
        skip_blanks(&t);
    }
    for (size_t i = 0; i < sizeof pajek / sizeof *pajek; i++)
        if (begins_with(t, pajek[i]))
            return "pajek";
    if (begins_with(t, "<?xml") || begins_with(t, "<graphml"))
        return "graphml";
    return is_gml(t) ? "gml" : is_dl(t) ? "dl" : NULL;
}

pc_status pci_foreign_refuse(const pci_input *input, const char *begin)
{
    const char *of_text = format_of_text((text){begin, input->text + input->n_bytes});
    const pc_file_format *of_name = pc_file_format_of(input->name, NULL);
    const char *format = of_text;
    if (!format && of_name && of_name->needs_igraph)
        format = of_name->name;
    if (!format)
        return PC_OK;
    return pci_input_fail(input, begin,
                          "%s says that this is %s, which libpathcount_igraph reads: call "
                          "pc_graph_read_igraph (--format %s), or say that it is an edge list "
                          "(--format edges)",
                          of_text ? "the text" : "the name", format, format);
}
