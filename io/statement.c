/* Writing and reading the statement of a head comment. */
#include "io/statement.h"

#include "graphs/labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void pci_statement_text(const pci_statement *statement, char text[PCI_STATEMENT_BYTES])
{
    static const char *const directions[] = {
        [PC_DIRECTION_OF_FORMAT] = "", [PC_DIRECTED] = "directed", [PC_UNDIRECTED] = "undirected"};
    const char *direction = directions[statement->direction];
    size_t n = (size_t)snprintf(text, PCI_STATEMENT_BYTES, "pathcount graph: %s%s%s", direction,
                                *direction && statement->weights ? ", " : "",
                                statement->weights ? "weights" : "");
    if (statement->has_n_vertices)
        snprintf(text + n, PCI_STATEMENT_BYTES - n, ", %" PRIu64 " vertices",
                 statement->n_vertices);
}

/* Whether text begins with the word, which *text then moves behind. */
static bool take(const char **text, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - *text) < length || memcmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

/* "10 vertices" */
static bool take_vertices(const char **at, const char *end, pci_statement *statement)
{
    const char *digits = *at;
    while (*at < end && **at >= '0' && **at <= '9')
        (*at)++;
    statement->has_n_vertices = true;
    return pci_integer_parse(digits, (size_t)(*at - digits), &statement->n_vertices) ==
               PCI_INTEGER &&
           take(at, end, " vertices");
}

static bool take_fact(const char **at, const char *end, pci_statement *statement)
{
    if (take(at, end, "directed"))
        statement->direction = PC_DIRECTED;
    else if (take(at, end, "undirected"))
        statement->direction = PC_UNDIRECTED;
    else if (take(at, end, "weights"))
        statement->weights = true;
    else
        return take_vertices(at, end, statement);
    return true;
}

bool pci_statement_parse(const char *comment, const char *end, pci_statement *statement,
                         bool *is_good)
{
    pci_statement made = {0};
    while (comment < end && *comment == ' ')
        comment++;
    while (end > comment && (end[-1] == '\r' || end[-1] == ' '))
        end--;
    if (!take(&comment, end, "pathcount graph: "))
        return false;
    bool good, more;
    do {
        good = take_fact(&comment, end, &made);
        more = take(&comment, end, ", ");
    } while (good && more);
    *is_good = good && (comment == end || *comment == ';');
    if (*is_good)
        *statement = made;
    return true;
}
