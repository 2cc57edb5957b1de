/* Labels in lines of text: in the file beside a graph or a matrix whose format has no place for
 * them, its name and .labels, a line for each in their order; and in the comments of our Matrix
 * Market files, "% label 1 Ada", a line for each vertex in their order, the last lines before
 * the sizes. Both have \t, \n, \r and \\ for a tab, line feed, carriage return and backslash. */
#ifndef PCI_LABELS_FILE_H
#define PCI_LABELS_FILE_H

#include "graphs/labels.h"
#include "io/output.h"

/* Writes a label with \t, \n, \r and \\, at most two bytes for each of its own; returns the
 * length. */
size_t pci_escape_tsv(const char *label, size_t length, char *text);

/* Puts a line for each label: "BEFORE INDEX LABEL", the index from 1, or "LABEL" when before is
 * NULL. */
void pci_labels_put(pci_file *file, const pci_labels *labels, const char *before);

/* The name of the file of labels beside another one, to be freed by pci_free; NULL: no memory,
 * with a message. */
char *pci_labels_path(pc_context *context, const char *path);

/* Reads the labels of n vertices of the graph in graph_path; 0..n-1 where there is no file of
 * labels. PC_ERR_DATA for another number of lines, a label that is there twice, or one that no
 * vertex can have; PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pci_labels_file_read(pc_context *context, const char *graph_path, uint64_t n,
                               pci_labels *labels);

/* Writes the labels of a graph to a file that the caller commits before the graph. It stays
 * closed where they are 0..n-1 and no file of other labels is there to be replaced. PC_ERR_DATA,
 * PC_ERR_CREATE, PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pci_labels_file_write(pc_context *context, const char *path, const pci_labels *labels,
                                pci_file *file);

/* The labels in comments of a Matrix Market file. Lines in another arrangement are comments like
 * others. All zero at first. */
typedef struct pci_label_comments {
    pci_names names; /* of vertices 1, 2, ... so far, without escapes */
    bool is_broken;  /* something else came, or a label that no vertex can have */
} pci_label_comments;

/* Takes a comment without its line end. PC_ERR_MEMORY. */
pc_status pci_label_comments_take(pc_context *context, pci_label_comments *comments,
                                  const char *line, const char *end);

/* Returns true when there is a label for each of n vertices. */
bool pci_label_comments_are_whole(const pci_label_comments *comments, uint64_t n);

#endif
