/* The readers of formats that are read as a whole: the text is in memory. */
#ifndef PCI_READERS_H
#define PCI_READERS_H

#include "io/collect.h"

pci_collect_fn pci_adjacency_list_read, pci_sif_read, pci_ncol_read, pci_lgl_read, pci_metis_read;
pci_collect_fn pci_dimacs_read, pci_matrix_read, pci_tuples_read, pci_npy_read, pci_npz_read;
pci_collect_fn pci_json_read, pci_pajek_read, pci_dl_read, pci_gml_read, pci_graphml_read;

#endif
