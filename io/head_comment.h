/* The comment at the head of the files that we write. It states how they are to be read, so that
 * they are read back without an option: "# pathcount graph: directed, weights, 10 vertices". The
 * reader skips all that follows a semicolon. */
#ifndef PCI_HEAD_COMMENT_H
#define PCI_HEAD_COMMENT_H

#include "io/sample.h"

typedef struct pci_head_comment {
    pc_direction direction; /* PC_DIRECTION_OF_FORMAT: not stated */
    bool weights;           /* the third column is one of multiplicities */
    bool loops_twice;       /* those of loops are doubled, because undirected loops count twice */
    bool has_n_vertices;
    uint64_t n_vertices; /* 0 .. n_vertices-1 exist */
} pci_head_comment;

enum { PCI_HEAD_COMMENT_BYTES = 100 };

/* Writes the comment without its sign and without a line end. */
void pci_head_comment_text(const pci_head_comment *comment, char text[PCI_HEAD_COMMENT_BYTES]);

/* Finds the head comment among those before the first line of data. Returns the line that has
 * it; NULL when there is none. *is_good says whether it could be read, and only then *comment is
 * set. */
const char *pci_head_comment_find(const pci_head *head, pci_head_comment *comment, bool *is_good);

/* Returns whether a comment, which begins behind its sign, is one of ours; *is_good and *comment
 * as above. */
bool pci_head_comment_parse(const char *at, const char *end, pci_head_comment *comment,
                            bool *is_good);

#endif
