/* NCOL and LGL, which have names for vertices and no comments. NCOL: "name name [weight]". LGL: "# name", then a line
 * "neighbour [weight]" for each neighbour that it has. */
#include "io/collect.h"
#include "io/readers.h"
#include "io/readings.h"
#include "io/text.h"

typedef struct list_format {
    const char *name;
    const char *edge; /* what an edge line is */
    size_t n_ends;    /* names of an edge line; a weight may follow */
    char heading;     /* begins a line with the name of a vertex; 0: there are none */
} list_format;

static const list_format ncol = {"NCOL", "two names and perhaps a weight", 2, 0};
static const list_format lgl = {"LGL", "# and a name, or a name and perhaps a weight", 1, '#'};

enum { MOST_WORDS = 4 };

typedef struct reader {
    pci_collect collect;
    const list_format *format;
    const char *line;
    pci_word word[MOST_WORDS]; /* of the line */
    size_t n_words;
    uint32_t vertex; /* of the last heading */
    bool has_heading;
} reader;

static pc_status fail_words(const reader *r)
{
    return pci_input_fail(r->collect.input, r->line,
                          "a line of %s is %s, and this one has %zu%s words", r->format->name,
                          r->format->edge, r->n_words, r->n_words == MOST_WORDS ? " or more" : "");
}

/* "# name"; the name may stand close to the #. */
static pc_status take_heading(reader *r)
{
    pci_word name = r->word[r->n_words - 1];
    size_t n_marks = r->n_words == 1;
    if (r->n_words > 2 || (r->n_words == 2 && r->word[0].length > 1))
        return fail_words(r);
    r->has_heading = true;
    return pci_collect_vertex(&r->collect, name.text + n_marks, name.length - n_marks, &r->vertex);
}

static pc_status take_edge(reader *r)
{
    size_t n = r->format->n_ends;
    bool has_weight = r->n_words > n;
    uint32_t from = r->vertex, to;
    uint64_t weight;
    pc_status status = PC_OK;
    if (r->n_words < n || r->n_words > n + 1)
        return fail_words(r);
    if (r->format->heading && !r->has_heading)
        return pci_input_fail(r->collect.input, r->line,
                              "a neighbour before the first line '# NAME'");
    if (n == 2)
        status = pci_collect_vertex(&r->collect, r->word[0].text, r->word[0].length, &from);
    if (status == PC_OK)
        status = pci_collect_vertex(&r->collect, r->word[n - 1].text, r->word[n - 1].length, &to);
    if (status == PC_OK && has_weight)
        status = pci_collect_weight(&r->collect, r->word[n].text, r->word[n].length, &weight);
    return status ? status : pci_collect_edge(&r->collect, from, to, has_weight ? &weight : NULL);
}

static pc_status take_line(reader *r, const char *line_end)
{
    const char *at = r->line, *to;
    line_end -= line_end > at && line_end[-1] == '\r';
    for (r->n_words = 0; r->n_words < MOST_WORDS; at = to) {
        at = pci_next_word(at, line_end, ' ', &to);
        if (at == line_end)
            break;
        r->word[r->n_words++] = (pci_word){at, (size_t)(to - at)};
    }
    if (r->n_words == 0)
        return PC_OK;
    char first = *r->word[0].text;
    if (r->format->heading && first == r->format->heading)
        return take_heading(r);
    if (first == '#' || first == '%')
        return pci_input_fail(r->collect.input, r->line,
                              "a line that starts with %c would be an edge, because %s has no "
                              "comments: remove it, or read the file as an edge list if it is one",
                              first, r->format->name);
    return take_edge(r);
}

static pc_status parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                       const list_format *format, pci_graph_draft *draft)
{
    reader r = {.collect = pci_collect_begin(input, options, format->name), .format = format};
    const char *end = input->text + input->n_bytes, *line_end;
    pc_status status = PC_OK;
    while (status == PC_OK && pci_next_line(&begin, end, &r.line, &line_end)) {
        r.collect.at = r.line;
        status = take_line(&r, line_end);
    }
    return pci_collect_end(&r.collect, status, draft);
}

pc_status pci_ncol_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                         pci_graph_draft *draft)
{
    return parse(input, begin, options, &ncol, draft);
}

pc_status pci_lgl_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                        pci_graph_draft *draft)
{
    return parse(input, begin, options, &lgl, draft);
}
