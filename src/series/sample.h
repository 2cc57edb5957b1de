/* Random walks, for their tests. */
#ifndef PCI_SAMPLE_H
#define PCI_SAMPLE_H

#include "src/core/context.h"

#include "pathcount_sample.h"

/* pc_sample that looks at n_leading bits, 1 to 64, of numbers first. Few of them make ties frequent. */
pc_status pci_sample(pc_context *context, const pc_graph *graph, const pc_sample_options *options,
                     int n_leading, pc_sample_fn deliver, void *user);

#endif
