/* Names of columns, as programs write them. */
#include "io/column_names.h"

#include "src/core/number.h"

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
    {"u", "v"},
    {"i", "j"},
    {"von", "nach"},
    {"quelle", "ziel"},
    {"origen", "destino"},
    {"citing", "cited"},
    {"caller", "callee"},
    {"sender", "receiver"},
    {"follower", "followee"},
    {"subject", "object"},
};
enum { N_KNOWN_NAMES = sizeof known_names / sizeof *known_names };

static const char *const weight_names[] = {"weight",       "weights", "edgeweight",
                                           "multiplicity", "count",   "w"};

/* Neo4j writes "id:START_ID(Person)". */
static void simplify(const pci_cell *cell, char name[PCI_NAME_BYTES])
{
    size_t n = 0;
    const char *at = cell->text, *end = at + cell->length;
    for (; at < end && *at != '('; at++) {
        if (*at == ':' && at + 1 < end)
            n = 0;
        else if (pci_is_letter_or_digit(*at) && n < PCI_NAME_BYTES - 1)
            name[n++] = pci_lower(*at);
    }
    name[n] = 0;
}

void pci_column_names_read(const pci_cell *row, uint32_t n, uint32_t shift, pci_column_names *all)
{
    *all = (pci_column_names){.n = n < PCI_MOST_NAMES ? n : PCI_MOST_NAMES};
    for (uint32_t i = shift; i < all->n; i++)
        simplify(&row[i - shift], all->name[i]);
}

static uint32_t find_name(const pci_column_names *all, const char *wanted)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (strcmp(all->name[i], wanted) == 0)
            return i;
    return PCI_NO_COLUMN;
}

/* Returns whether a name that ends with 2 is followed by one that ends with 3, as in a row of many. */
static bool has_third(const pci_column_names *all, const char *second)
{
    char third[PCI_NAME_BYTES];
    size_t length = strlen(second);
    if (length == 0 || second[length - 1] != '2')
        return false;
    memcpy(third, second, length + 1);
    third[length - 1] = '3';
    return find_name(all, third) != PCI_NO_COLUMN;
}

bool pci_column_names_find_known(const pci_column_names *all, uint32_t at[PCI_N_ROLES])
{
    bool found = false;
    for (size_t k = 0; k < N_KNOWN_NAMES && !found; k++) {
        at[PCI_FROM] = find_name(all, known_names[k][0]);
        at[PCI_TO] = find_name(all, known_names[k][1]);
        found = at[PCI_FROM] != PCI_NO_COLUMN && at[PCI_TO] != PCI_NO_COLUMN &&
                !(all->n > 4 && has_third(all, known_names[k][1]));
    }
    at[PCI_WEIGHT] = PCI_NO_COLUMN;
    for (size_t k = 0; k < sizeof weight_names / sizeof *weight_names; k++)
        if (at[PCI_WEIGHT] == PCI_NO_COLUMN)
            at[PCI_WEIGHT] = find_name(all, weight_names[k]);
    at[PCI_TYPE] = find_name(all, "type");
    return found;
}

bool pci_column_names_find_pair(const pci_column_names *all, uint32_t at[PCI_N_ROLES])
{
    static const char firsts[] = "1ax", seconds[] = "2by";
    char second[PCI_NAME_BYTES];
    for (uint32_t i = 0; i < all->n; i++) {
        size_t length = strlen(all->name[i]);
        const char *last = length >= 3 ? strchr(firsts, all->name[i][length - 1]) : NULL;
        memcpy(second, all->name[i], length + 1);
        if (!last || all->name[i][0] < 'a')
            continue;
        second[length - 1] = seconds[last - firsts];
        at[PCI_FROM] = i;
        at[PCI_TO] = find_name(all, second);
        if (at[PCI_TO] != PCI_NO_COLUMN && !has_third(all, second))
            return true;
    }
    return false;
}

bool pci_column_names_are_of_vertices(const pci_column_names *all)
{
    return all->n > 1 && (strcmp(all->name[0], "id") == 0 || strcmp(all->name[0], "nodeid") == 0) &&
           strcmp(all->name[1], "label") == 0;
}
