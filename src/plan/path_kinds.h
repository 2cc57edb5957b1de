/* Queries of other paths than all. */
#ifndef PCI_QUERY_PATHS_H
#define PCI_QUERY_PATHS_H

#include "graphs/graph.h"

/* Whether paths of the query's kind can be counted on this graph and with these options, defaults
 * filled in. PC_ERR_ARGUMENT says what is in the way. */
pc_status pci_query_check_paths(pc_context *context, const pc_graph *graph, const pc_query *query,
                                const pc_count_options *options);

#endif
