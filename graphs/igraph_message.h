/* What the process of this library and the one that igraph runs in say to each other: a task one way, an
 * answer the other. Each is a header of fixed size, and behind it parts whose sizes the header has.
 *
 * The receiver of an answer trusts nothing in it: sizes are compared with the most that can be right before
 * any memory is taken, and who asked compares the contents with what was asked. */
#ifndef PCI_IGRAPH_MESSAGE_H
#define PCI_IGRAPH_MESSAGE_H

#include "pathcount.h"

#include <stdbool.h>
#include <stddef.h>

enum { PCI_IGRAPH_TEXT_BYTES = 2048 }; /* of the text of an answer, at most */

typedef enum pci_igraph_kind { PCI_IGRAPH_READ, PCI_IGRAPH_COMMUNITIES } pci_igraph_kind;

/* Parts of a message; those that are not named are empty.
 *
 *                 reading                      communities
 *   task   TEXT     path, in messages            method
 *          NUMBERS  the file                     ends, from, to, from, to ...
 *          WEIGHTS                               of the edges, doubles
 *   answer TEXT     a note, or the message of a failure
 *          NUMBERS  [2][n_edges] from, then to   [n_vertices] the community of each
 *          WEIGHTS  [n_edges] doubles
 *          LABELS   n_vertices texts, each with its NUL */
typedef enum pci_igraph_part {
    PCI_IGRAPH_TEXT,
    PCI_IGRAPH_NUMBERS,
    PCI_IGRAPH_WEIGHTS,
    PCI_IGRAPH_LABELS,
    PCI_IGRAPH_PARTS
} pci_igraph_part;

typedef struct pci_igraph_header {
    char build[32];          /* both programs must be of the same version */
    uint32_t kind;           /* of a task */
    uint32_t status;         /* of an answer: a pc_status */
    uint32_t format;         /* number of the format */
    uint32_t direction;      /* asked for, or stated by the file: a pc_direction */
    uint32_t uses_weights;   /* of a task: as in pc_graph_options */
    uint32_t takes_decimals; /* of a task: ... and may have decimals */
    uint32_t drops_weights;  /* of an answer: there are weights, and they are ignored */
    uint32_t n_iterations;
    uint32_t cpu_seconds;  /* the limits of the process */
    uint64_t memory_bytes; /* the same, beyond what it has when it starts */
    uint64_t max_vertices;
    uint64_t n_vertices;
    uint64_t seed;
    double resolution;
    uint64_t n_bytes[PCI_IGRAPH_PARTS];
} pci_igraph_header;

/* The parts belong to the message when it was received, and to others when it is sent. */
typedef struct pci_igraph_message {
    pci_igraph_header header;
    void *part[PCI_IGRAPH_PARTS];
} pci_igraph_message;

/* Sets a part that is to be sent. */
void pci_igraph_message_put(pci_igraph_message *message, pci_igraph_part part, const void *bytes,
                            uint64_t n_bytes);

/* Sets the build of a message that is to be sent; whether that of another is the same. */
void pci_igraph_message_sign(pci_igraph_message *message);
bool pci_igraph_message_is_ours(const pci_igraph_header *header);

/* Whether a header is that of an answer, where no part has more bytes than most says. */
bool pci_igraph_message_fits(const pci_igraph_header *header,
                             const uint64_t most[PCI_IGRAPH_PARTS]);

/* Takes memory for the parts of a message whose header was received; false, and no memory is taken, when
 * there is none. Each part has a NUL behind it. */
bool pci_igraph_message_reserve(pci_igraph_message *message);

/* Frees the parts of a message that was received. */
void pci_igraph_message_free(pci_igraph_message *message);

/* Replaces control characters of a text that comes from a file or another process: they could confuse a
 * terminal. */
void pci_igraph_clean_text(char *text);

#endif
