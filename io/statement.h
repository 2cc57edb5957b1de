/* What the files that we write state about themselves in their head comment, so that they are read
 * back without an option: "# pathcount graph: directed, weights, 10 vertices". What follows a
 * semicolon is for people. */
#ifndef PCI_STATEMENT_H
#define PCI_STATEMENT_H

#include "src/core/context.h"

typedef struct pci_statement {
    pc_direction direction; /* PC_DIRECTION_OF_FORMAT: not stated */
    bool weights;           /* the third column is one of multiplicities */
    bool has_n_vertices;
    uint64_t n_vertices; /* 0 .. n_vertices-1 exist */
} pci_statement;

enum { PCI_STATEMENT_BYTES = 100 };

/* Writes the statement without a comment sign or a line end. */
void pci_statement_text(const pci_statement *statement, char text[PCI_STATEMENT_BYTES]);

/* Whether the comment, which begins behind its sign, is a statement; *is_good says whether it could be
 * read, and only then it is set. */
bool pci_statement_parse(const char *comment, const char *end, pci_statement *statement,
                         bool *is_good);

#endif
