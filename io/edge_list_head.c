/* The first lines of an edge list: comments that state facts. */
#include "io/edge_list.h"

#include "io/text.h"

/* ---- Comments that state facts --------------------------------------------------------------- */

/* KONECT begins a file of two kinds of vertices by "% bip weighted". */
static bool is_bipartite(const char *line, const char *end)
{
    static const char begin[] = "% bip";
    size_t length = sizeof begin - 1;
    return pci_begins_with(line, end, begin) && line + length < end && line[length] == ' ';
}

pc_status pci_edge_list_head_read(const pci_input *input, const char *begin, pci_edge_list_use use,
                                  pci_head_comment *stated, bool *is_ours)
{
    pci_head head = pci_head_of(input, begin);
    const char *at = head.begin, *line, *end;
    *stated = (pci_head_comment){0};
    *is_ours = false;
    for (bool first = true; pci_head_line(&head, &at, &line, &end); first = false) {
        bool is_good = true;
        if (line == end)
            continue;
        if (*line != '#' && *line != '%')
            break;
        if (pci_head_comment_parse(line + 1, end, stated, &is_good)) {
            *is_ours = true;
            if (is_good)
                return PC_OK;
            return pci_input_fail(
                input, line,
                "what the head comment of pathcount states cannot be read; it is "
                "for example '# pathcount graph: directed, weights, 10 vertices'");
        }
        if (first && use == PCI_GUESSED_GRAPH && is_bipartite(line, end))
            return pci_input_fail(
                input, line,
                "the file says that it is bipartite: its two columns number "
                "different vertices; 'pathcount chain FILE FILE^T' keeps them apart, "
                "and --format edges takes equal numbers for the same vertex");
    }
    return PC_OK;
}
