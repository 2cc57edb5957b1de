/* The labels that we write into comments of Matrix Market files: "% label 1 Ada", one line for each vertex in
 * their order, the last lines before the sizes. In any other arrangement such lines are comments like others. */
#ifndef PCI_LABEL_COMMENTS_H
#define PCI_LABEL_COMMENTS_H

#include "graphs/names.h"

/* All zero at first. */
typedef struct pci_label_comments {
    pci_names names; /* of vertices 1, 2, ... so far, without escapes */
    bool is_broken;  /* something else came, or a label that no vertex can have */
} pci_label_comments;

/* Takes a comment without its line end. PC_ERR_MEMORY. */
pc_status pci_label_comments_take(pc_context *context, pci_label_comments *comments,
                                  const char *line, const char *end);

/* Whether there is a label for each of n vertices. */
bool pci_label_comments_are_whole(const pci_label_comments *comments, uint64_t n);

#endif
