/* Runs igraph in a process of its own, with limits of memory and time. Whatever igraph does there, the
 * caller gets an answer or a failure, and nothing of it stays: no memory, no file, no process.
 *
 * The process is pathcount_igraph_child, a program beside this library, started by posix_spawn. A fork
 * without exec would be faster, but in a program with threads only async-signal-safe functions may be
 * called after it, its limit of memory would count what the program holds, and a parser that is misled
 * could read the memory of the program. */
#ifndef PCI_IGRAPH_CHILD_H
#define PCI_IGRAPH_CHILD_H

#include "graphs/igraph_message.h"

#define PCI_IGRAPH_CHILD "pathcount_igraph_child"

/* Of the process: it gets its end of the connection as this descriptor. It ends with this code when the
 * task is of another build. */
enum { PCI_IGRAPH_CONNECTION = 3, PCI_IGRAPH_OTHER_BUILD = 3 };

/* What is asked for, and how a failure is worded. */
typedef struct pci_igraph_question {
    pci_igraph_message task;         /* its limits are set already */
    uint64_t most[PCI_IGRAPH_PARTS]; /* bytes that a right answer can have */
    uint64_t base_seconds;           /* without any use of CPU time until it is ended */
    const char *stage;               /* for the progress callback */
    const char *subject;             /* the file or what is looked for: messages begin with it */
    const char *advice;              /* what to do instead */
    pc_status status;                /* of a process that crashes or runs into a limit */
} pci_igraph_question;

/* Asks, and waits for the answer; between looks at it the progress callback of the context is called. The
 * answer, which is PC_OK, is freed by the caller. Statuses and messages of failures that igraph's process
 * reports are passed on. PC_ERR_ENGINE when the program cannot be started, PC_ERR_MEMORY,
 * PC_ERR_CANCELLED, or the status of the question. */
pc_status pci_igraph_ask(pc_context *context, const pci_igraph_question *question,
                         pci_igraph_message *answer);

#endif
