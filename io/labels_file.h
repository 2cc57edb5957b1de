/* The file of labels beside a graph whose format has no place for them: its name and .labels, a line for each vertex in
 * their order, where \t, \n, \r and \\ stand for a tab, line feed, carriage return and backslash. */
#ifndef PCI_LABELS_FILE_H
#define PCI_LABELS_FILE_H

#include "graphs/labels.h"

/* Reads the labels of n vertices; 0..n-1 where there is no such file. PC_ERR_DATA for another number of lines, a label that is there
 * twice, or one that no vertex can have; PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pci_labels_file_read(pc_context *context, const char *graph_path, uint64_t n,
                               pci_labels *labels);

/* Writes the labels to *output, which the caller commits before the graph. *output is NULL where they are 0..n-1 and
 * no file of other labels is there to be replaced. PC_ERR_DATA, PC_ERR_CREATE, PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pci_labels_file_write(pc_context *context, const char *graph_path,
                                const pci_labels *labels, pc_output **output);

/* Replaces \t, \n, \r and \\ by what they mean, in place; false when something else is escaped. */
bool pci_label_unescape(char *text, size_t *length);

#endif
