/* Every use of igraph goes through this guard. It lets one caller in at a time, keeps errors and
 * warnings of igraph from the terminal and from abort(), and restores the settings of the process
 * afterwards.
 *
 * igraph is used in a library of its own, libpathcount_igraph, which uses nothing of pathcount but
 * pathcount.h. There are three reasons: the default error handler of igraph aborts the program,
 * the build of Debian is not safe for threads, and the licence of igraph would put every user of
 * the core under the GPL. */
#ifndef PCI_IGRAPH_GUARD_H
#define PCI_IGRAPH_GUARD_H

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

/* Tells if the host program has set igraph's own attribute table for C. */
bool pci_igraph_host_has_attributes(const pci_igraph_guard *guard);

/* The message and status of an igraph call that failed: for want of memory, or else by a bug. */
pc_status pci_igraph_fail_call(const pci_igraph_guard *guard);

/* Makes the message of the context as printf does and returns status. */
pc_status pci_igraph_fail(pc_context *context, pc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
