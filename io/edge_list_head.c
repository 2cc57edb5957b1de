/* The first lines of an edge list: comments that state facts. */
#include "io/edge_list.h"

#include "io/text.h"

/* ---- Comments that state facts --------------------------------------------------------------- */

/* KONECT begins a file by "% sym positive", "% asym unweighted" or "% bip weighted". */
static bool is_konect(const char *line, const char *end, const char *word)
{
    const char *word_end = line + strlen(word);
    return pci_begins_with(line, end, word) && word_end < end && *word_end == ' ';
}

/* A comment that states a direction, in the words of KONECT (first line only) and SNAP. */
static pc_direction stated_direction(const char *line, const char *end, bool is_first)
{
    if (is_first && is_konect(line, end, "% asym"))
        return PC_DIRECTED;
    if ((is_first && is_konect(line, end, "% sym")) ||
        pci_begins_with(line, end, "# Undirected graph"))
        return PC_UNDIRECTED;
    return pci_begins_with(line, end, "# Directed graph") ? PC_DIRECTED : PC_DIRECTION_OF_FORMAT;
}

static pc_status read_comments(const pci_input *input, const pci_head *head, pci_edge_list_use use,
                               pci_edge_list_head *found)
{
    const char *at = head->begin, *line, *end;
    for (bool first = true; pci_head_line(head, &at, &line, &end); first = false) {
        bool is_good = true;
        if (line == end)
            continue;
        if (*line != '#' && *line != '%')
            break;
        if (pci_head_comment_parse(line + 1, end, &found->stated, &is_good)) {
            found->has_head_comment = true;
            if (is_good)
                return PC_OK;
            return pci_input_fail(
                input, line,
                "what the head comment of pathcount states cannot be read; it is "
                "for example '# pathcount graph: directed, weights, 10 vertices'");
        }
        if (first && use == PCI_GUESSED_GRAPH && is_konect(line, end, "% bip"))
            return pci_input_fail(
                input, line,
                "the file says that it is bipartite: its two columns number "
                "different vertices; 'pathcount chain FILE FILE^T' keeps them apart, "
                "and --format edges takes equal numbers for the same vertex");
        if (found->stated.direction == PC_DIRECTION_OF_FORMAT)
            found->stated.direction = stated_direction(line, end, first);
    }
    return PC_OK;
}

pc_status pci_edge_list_head_read(const pci_input *input, const char *begin, pci_edge_list_use use,
                                  const pc_graph_options *options, pci_edge_list_head *found)
{
    pci_edge_list_head made = {0};
    pci_head head = pci_head_of(input, begin);
    pc_status status = read_comments(input, &head, use, &made);
    if (status == PC_OK && (!made.has_head_comment || pci_edge_list_asks_columns(options)))
        status = pci_edge_list_choose_columns(input, &head, options, &made);
    if (status == PC_OK)
        *found = made;
    return status;
}
