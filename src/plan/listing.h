/* The routes of a request while they are listed: each way to answer it, on each engine. */
#ifndef PCI_LISTING_H
#define PCI_LISTING_H

#include "src/plan/routes.h"

enum { PCI_MOST_WAYS = 4 };

/* A kind of route, of which there is one for each engine. */
typedef struct pci_way {
    pci_source source;
    pc_method method;      /* of a matrix */
    uint64_t sweep_length; /* ... of a hybrid */
    int rank;
    const char *cpu_because; /* why only the processors can; NULL: other engines can, too */
} pci_way;

typedef struct pci_listing {
    const pci_request *request;
    const pc_plan_info *dense; /* of a matrix: its levels */
    int n_ways;
    pci_way ways[PCI_MOST_WAYS];
    uint32_t n_routes;
    pci_route *route[PCI_MOST_ROUTES];
} pci_listing;

/* Whether the context names that kind of device. */
static inline bool pci_device_is(const pci_listing *list, int kind)
{
    return (int)list->request->context->devices.kind == kind;
}

/* Adds routes of all ways, on the engines that the context allows. PC_ERR_ENGINE when a device that was
 * asked for is not there, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_listing_add_routes(pci_listing *list);

/* Puts the routes into the order in which they are to be tried. */
void pci_listing_sort(pci_listing *list);

#endif
