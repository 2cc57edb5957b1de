/* igraph finds communities in a process of its own. It shares a file in memory with the caller: a task with the edges
 * stands there, and the process writes its answer with the communities into it and ends. Whatever igraph does there,
 * the caller gets an answer or a failure, and no memory, file or process stays.
 *
 * The process is pathcount_igraph_child, a program beside this library, started by posix_spawn. A fork without exec
 * would be faster, but in a program with threads only async-signal-safe functions may be called after it, and its limit
 * of memory would count what the program holds. Both are of one build on one machine: numbers are as they are in
 * memory. */
#ifndef PCI_IGRAPH_MESSAGE_H
#define PCI_IGRAPH_MESSAGE_H

#include "pathcount.h"

#define PCI_IGRAPH_CHILD "pathcount_igraph_child"
#define PCI_IGRAPH_BUILD "pathcount igraph " PC_VERSION

/* The process gets the file as this descriptor. It ends with this code when the task is of another build. */
enum { PCI_IGRAPH_FILE = 3, PCI_IGRAPH_OTHER_BUILD = 3 };

/* The begin of the file. */
typedef struct pci_igraph_task {
    char build[32];
    uint32_t is_leiden; /* else multilevel */
    uint32_t n_iterations;
    uint32_t cpu_seconds;  /* the limits of the process */
    uint64_t memory_bytes; /* a limit, too, beyond the memory that it has when it starts */
    uint64_t n_vertices, n_edges;
    uint64_t seed;
    double resolution;

    /* The answer. */
    uint32_t is_answered;
    uint32_t status; /* a pc_status */
    char text[512];  /* the message of a failure */

    /* Follow: [n_edges][2] ends of edges, [n_edges] their weights, which are doubles, [n_vertices]
     * communities, which are a part of the answer. */
    uint64_t word[];
} pci_igraph_task;

/* Runs igraph's process with a task in a file, and waits; between looks at it the progress callback of the context is
 * called. base_seconds: how long it may use no CPU time. Nothing in the answer is trusted. A failure that the process
 * reports is passed on. PC_ERR_ENGINE when the program cannot be started, PC_ERR_MEMORY, PC_ERR_CANCELLED,
 * PC_ERR_INTERNAL when the process crashes or runs into a limit. */
pc_status pci_igraph_run(pc_context *context, pci_igraph_task *task, int file,
                         uint64_t base_seconds);

#endif
