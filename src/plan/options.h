/* Checks and completes the options of a count. */
#ifndef PCI_OPTIONS_H
#define PCI_OPTIONS_H

#include "src/core/context.h"

/* given, NULL meaning defaults, with every default filled in: n_certify_rounds is 1 to 64, or 0 for no
 * certificate. PC_ERR_ARGUMENT when they make no sense. */
pc_status pci_options_complete(pc_context *context, const pc_count_options *given,
                               pc_count_options *complete);

#endif
