/* Writing and reading the head comment. */
#include "io/head_comment.h"

#include "graphs/labels.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdio.h>

void pci_head_comment_text(const pci_head_comment *comment, char text[PCI_HEAD_COMMENT_BYTES])
{
    static const char *const directions[] = {
        [PC_DIRECTION_OF_FORMAT] = "", [PC_DIRECTED] = "directed", [PC_UNDIRECTED] = "undirected"};
    const char *direction = directions[comment->direction];
    size_t n = (size_t)snprintf(text, PCI_HEAD_COMMENT_BYTES, "pathcount graph: %s%s%s%s",
                                direction, *direction && comment->weights ? ", " : "",
                                comment->weights ? "weights" : "",
                                comment->loops_twice ? ", loops twice" : "");
    if (comment->has_n_vertices)
        snprintf(text + n, PCI_HEAD_COMMENT_BYTES - n, ", %" PRIu64 " vertices",
                 comment->n_vertices);
}

/* Moves *at behind the word when the text there begins with it, and tells whether it does. */
static bool take(const char **at, const char *end, const char *word)
{
    bool begins = pci_begins_with(*at, end, word);
    *at += begins ? strlen(word) : 0;
    return begins;
}

/* Takes the number of vertices, as in "10 vertices". */
static bool take_vertices(const char **at, const char *end, pci_head_comment *comment)
{
    const char *digits = *at;
    while (*at < end && **at >= '0' && **at <= '9')
        (*at)++;
    comment->has_n_vertices = true;
    return pci_integer_parse(digits, (size_t)(*at - digits), &comment->n_vertices) == PCI_INTEGER &&
           take(at, end, " vertices");
}

static bool take_fact(const char **at, const char *end, pci_head_comment *comment)
{
    if (take(at, end, "directed"))
        comment->direction = PC_DIRECTED;
    else if (take(at, end, "undirected"))
        comment->direction = PC_UNDIRECTED;
    else if (take(at, end, "weights"))
        comment->weights = true;
    else if (take(at, end, "loops twice"))
        comment->loops_twice = true;
    else
        return take_vertices(at, end, comment);
    return true;
}

bool pci_head_comment_parse(const char *at, const char *end, pci_head_comment *comment,
                            bool *is_good)
{
    pci_head_comment made = {0};
    while (at < end && *at == ' ')
        at++;
    while (end > at && (end[-1] == '\r' || end[-1] == ' '))
        end--;
    if (!take(&at, end, "pathcount graph: "))
        return false;
    bool good, more;
    do {
        good = take_fact(&at, end, &made);
        more = take(&at, end, ", ");
    } while (good && more);
    if (made.loops_twice && (made.direction != PC_UNDIRECTED || !made.weights))
        good = false;
    *is_good = good && (at == end || *at == ';');
    if (*is_good)
        *comment = made;
    return true;
}

const char *pci_head_comment_find(const pci_head *head, pci_head_comment *comment, bool *is_good)
{
    const char *at = head->begin, *line, *end;
    while (pci_head_line(head, &at, &line, &end) && (line == end || *line == '#' || *line == '%'))
        if (line < end && pci_head_comment_parse(line + 1, end, comment, is_good))
            return line;
    return NULL;
}
