/* Files that are complete or do not exist: what writers of this library do with the outputs of
 * pc_output_open, and files with a buffer above them. */
#ifndef PCI_OUTPUT_H
#define PCI_OUTPUT_H

#include "graphs/labels.h"
#include "tool.h"
#include "src/core/context.h"

/* Overwrites n_bytes that were written, from offset on. PC_ERR_IO. */
pc_status pci_output_patch(pc_output *output, uint64_t offset, const void *bytes, size_t n_bytes);

/* Reads bytes that were written, from offset on. PC_ERR_IO. */
pc_status pci_output_read(const pc_output *output, uint64_t offset, void *bytes, size_t n_bytes);

/* Adds all that was written to another output. PC_ERR_IO. */
pc_status pci_output_append(pc_output *output, const pc_output *from);

/* ---- Files with a buffer --------------------------------------------------------------------- */

/* Files that are written through a buffer, packed or not. Text that is packed is cut into slices
 * of the same size, each of which becomes a gzip member or zstd frame of its own; the file is
 * their concatenation, as both formats allow. So several threads pack, and the bytes of the file
 * depend neither on their number nor on the pieces in which the text came. */

typedef enum pci_packing { PCI_PACK_NONE = 0, PCI_PACK_GZIP, PCI_PACK_ZSTD } pci_packing;

enum { PCI_PACK_FUNCTIONS = 5 };

/* A way to pack. All zero: none. */
typedef struct pci_packer {
    pci_packing packing;
    void *function[PCI_PACK_FUNCTIONS];
} pci_packer;

/* Returns the format that the name of a file asks for; NULL when it asks for none. */
const pc_file_format *pci_written_format(const char *path, pci_packing *packing);

/* A file that is written. After the first failure, whose message is set, the functions below do
 * nothing more, so only the last of several calls has to be looked at. All zero: not open. */
typedef struct pci_file {
    pc_context *context;
    pc_output *output;
    const char *path; /* for messages */
    pci_packer packer;
    pc_status status; /* PC_ERR_IO, PC_ERR_MEMORY; PC_OK: nothing has failed */
    uint64_t n_put;   /* bytes that were put so far, before packing */
    char *text;       /* the buffer: bytes that are not written yet */
    uint64_t n_bytes, room_bytes;
} pci_file;

/* path must outlive the file. PC_ERR_ENGINE, and the errors of pc_output_open. */
pc_status pci_file_open(pc_context *context, const char *path, pci_packing packing, pci_file *file);
void pci_file_free(pci_file *file);

/* Adds bytes, a text, the decimal digits of a number. Many bytes that are not packed are written
 * at once. */
void pci_file_put(pci_file *file, const void *bytes, size_t n_bytes);
void pci_file_put_text(pci_file *file, const char *text);
void pci_file_put_number(pci_file *file, uint64_t number);

/* Writes the buffer when it has enough for one write, or for packing by all threads. Not to be
 * called within a parallel region. */
pc_status pci_file_advance(pci_file *file);

/* Writes the whole buffer. */
pc_status pci_file_flush(pci_file *file);

/* Writes the whole buffer and gives the file its name. The file is free()d whatever the status. */
pc_status pci_file_commit(pci_file *file);

/* ---- Labels in lines of text ------------------------------------------------------------------ */

/* Labels in lines of text: in the file beside a graph or a matrix whose format has no place for
 * them, its name and .labels, a line for each in their order; and in the comments of our Matrix
 * Market files, "% label 1 Ada", a line for each vertex in their order, the last lines before
 * the sizes. Both have \t, \n, \r and \\ for a tab, line feed, carriage return and backslash. */

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

#endif
