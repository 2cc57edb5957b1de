/* The files of libpathcount_igraph share the guard around igraph, and the message between it and the process in
 * which igraph finds communities.
 *
 * Every use of igraph goes through the guard. It lets one caller in at a time, keeps errors and warnings of igraph from
 * the terminal and from abort(), and restores the settings of the process afterwards. The library uses nothing of
 * pathcount but its headers. There are three reasons why it is apart: the default error handler of igraph aborts the
 * program, the build of Debian is not safe for threads, and the licence of igraph would put every user of the core under
 * the GPL.
 *
 * igraph finds communities in a process of its own, pathcount_igraph_child, a program beside this library, started by
 * posix_spawn. It shares a file in memory with the caller: a task with the edges stands there, and the process writes its
 * answer with the communities into it and ends. Whatever igraph does there, the caller gets an answer or a failure, and
 * no memory, file or process stays. A fork without exec would be faster, but in a program with threads only
 * async-signal-safe functions may be called after it, and its limit of memory would count what the program holds. Both
 * are of one build on one machine: numbers are as they are in memory. */
#ifndef PCI_IGRAPH_MESSAGE_H
#define PCI_IGRAPH_MESSAGE_H

#include "pathcount.h"

#include <igraph/igraph.h>
#include <stdbool.h>

typedef struct pci_igraph_guard {
    pc_context *context;
    igraph_error_handler_t *error_handler; /* of the host program, to be put back */
    igraph_warning_handler_t *warning_handler;
    igraph_attribute_table_t *attribute_table;
    igraph_safelocale_t locale;
    bool has_locale;
    igraph_error_t error; /* the first since pci_igraph_enter; IGRAPH_SUCCESS: none */
    char message[512];    /* what igraph said of it */
} pci_igraph_guard;

/* Every igraph call that can fail or reads attributes stands between these two. */
void pci_igraph_enter(pc_context *context, pci_igraph_guard *guard);
void pci_igraph_leave(pci_igraph_guard *guard);

/* The message and status of an igraph call that failed: for want of memory, or else by a bug. */
pc_status pci_igraph_fail_call(const pci_igraph_guard *guard);

/* Makes the message of the context as printf does and returns status. */
pc_status pci_igraph_fail(pc_context *context, pc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

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

#endif
