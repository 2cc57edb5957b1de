/* Names of columns, as programs write them. */
#include "io/column_names.h"

#include "src/core/letters.h"

#include <string.h>

/* Names of the two ends of an edge, in small letters and digits. */
static const char *const known_names[][2] = {
    {"source", "target"},
    {"sourceid", "targetid"},
    {"sourcenode", "targetnode"},
    {"source", "dest"},
    {"src", "dst"},
    {"src", "dest"},
    {"source", "destination"},
    {"origin", "destination"},
    {"from", "to"},
    {"fromid", "toid"},
    {"fromnode", "tonode"},
    {"fromnodeid", "tonodeid"},
    {"startid", "endid"},
    {"startnode", "endnode"},
    {"start", "end"},
    {"node1", "node2"},
    {"nodeid1", "nodeid2"},
    {"id1", "id2"},
    {"vertex1", "vertex2"},
    {"v1", "v2"},
    {"n1", "n2"},
    {"user1", "user2"},
    {"tail", "head"},
    {"u", "v"},
    {"i", "j"},
};
enum { N_KNOWN_NAMES = sizeof known_names / sizeof *known_names };

static const char *const weight_names[] = {"weight",       "weights", "edgeweight",
                                           "multiplicity", "count",   "w"};

/* Neo4j writes "id:START_ID(Person)". */
static void simplify(const pci_column *column, char name[PCI_NAME_BYTES])
{
    size_t n = 0;
    const char *at = column->text, *end = at + column->length;
    for (; at < end && *at != '('; at++) {
        if (*at == ':' && at + 1 < end)
            n = 0;
        else if (pci_is_letter_or_digit(*at) && n < PCI_NAME_BYTES - 1)
            name[n++] = pci_lower(*at);
    }
    name[n] = 0;
}

pci_column_names pci_column_names_read(const char *begin, const char *end, char separator)
{
    pci_column_names all = {.n = 0};
    pci_column_cursor cursor = pci_columns_of(begin, end, separator);
    for (; all.n < PCI_MOST_NAMES && pci_column_next(&cursor, &all.column[all.n]); all.n++)
        simplify(&all.column[all.n], all.name[all.n]);
    return all;
}

static uint32_t find_name(const pci_column_names *all, const char *wanted)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (strcmp(all->name[i], wanted) == 0)
            return i;
    return PCI_NO_COLUMN;
}

bool pci_column_names_find_known(const pci_column_names *all, uint32_t at[PCI_N_ROLES])
{
    bool found = false;
    for (size_t k = 0; k < N_KNOWN_NAMES && !found; k++) {
        at[PCI_FROM] = find_name(all, known_names[k][0]);
        at[PCI_TO] = find_name(all, known_names[k][1]);
        found = at[PCI_FROM] != PCI_NO_COLUMN && at[PCI_TO] != PCI_NO_COLUMN;
    }
    at[PCI_WEIGHT] = PCI_NO_COLUMN;
    for (size_t k = 0; k < sizeof weight_names / sizeof *weight_names; k++)
        if (at[PCI_WEIGHT] == PCI_NO_COLUMN)
            at[PCI_WEIGHT] = find_name(all, weight_names[k]);
    at[PCI_TYPE] = find_name(all, "type");
    return found;
}

uint32_t pci_column_names_find(const pci_column_names *all, const char *text, size_t length)
{
    uint32_t found = PCI_NO_COLUMN;
    for (uint32_t i = all->n; i > 0; i--) {
        const pci_column *column = &all->column[i - 1];
        if (column->length == length && memcmp(column->text, text, length) == 0)
            return i - 1;
        if (column->length == length && pci_equal_any_case(column->text, text, length))
            found = i - 1;
    }
    return found;
}

bool pci_column_names_are_of_vertices(const pci_column_names *all)
{
    return all->n > 1 && (strcmp(all->name[0], "id") == 0 || strcmp(all->name[0], "nodeid") == 0) &&
           strcmp(all->name[1], "label") == 0;
}
