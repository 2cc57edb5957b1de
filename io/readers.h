/* The readers of formats that are read as a whole, from begin on: the text is in memory. Each fills the
 * draft only on PC_OK; else PC_ERR_DATA with a message about the line, PC_ERR_MEMORY, PC_ERR_RANGE,
 * PC_ERR_ARGUMENT (a number of vertices is asked for and labels are no integers), PC_ERR_CANCELLED. */
#ifndef PCI_READERS_H
#define PCI_READERS_H

#include "graphs/builder.h"
#include "io/input.h"

pc_status pci_adjacency_list_parse(const pci_input *input, const char *begin,
                                   const pc_graph_options *options, pci_graph_draft *draft);
pc_status pci_sif_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                        pci_graph_draft *draft);
pc_status pci_metis_parse(const pci_input *input, const char *begin,
                          const pc_graph_options *options, pci_graph_draft *draft);
pc_status pci_dimacs_parse(const pci_input *input, const char *begin,
                           const pc_graph_options *options, pci_graph_draft *draft);
pc_status pci_json_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                         pci_graph_draft *draft);
pc_status pci_matrix_parse(const pci_input *input, const char *begin,
                           const pc_graph_options *options, pci_graph_draft *draft);
pc_status pci_npy_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                        pci_graph_draft *draft);
pc_status pci_tuples_parse(const pci_input *input, const char *begin,
                           const pc_graph_options *options, pci_graph_draft *draft);
pc_status pci_npz_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                        pci_graph_draft *draft);
pc_status pci_pajek_parse(const pci_input *input, const char *begin,
                          const pc_graph_options *options, pci_graph_draft *draft);
pc_status pci_dl_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                       pci_graph_draft *draft);
pc_status pci_ncol_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                         pci_graph_draft *draft);
pc_status pci_lgl_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                        pci_graph_draft *draft);
pc_status pci_gml_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                        pci_graph_draft *draft);
pc_status pci_graphml_parse(const pci_input *input, const char *begin,
                            const pc_graph_options *options, pci_graph_draft *draft);

#endif
