/* Paths of files to be written, resolved without trust in the links of other users. */
#ifndef PCI_RESOLVE_H
#define PCI_RESOLVE_H

#include "src/core/context.h"

#include <limits.h>

/* A name in a folder. When the name exists it is no link. */
typedef struct pci_place {
    int folder; /* descriptor, O_PATH; the caller closes it */
    char name[NAME_MAX + 1];
} pci_place;

/* Resolves every link of the path. The file itself need not exist, nor the target of a link in the
 * last place. A link in a sticky folder that everybody may write to is followed only when it
 * belongs to us or to the owner of the folder. This is the rule of fs.protected_symlinks, applied
 * to every part of the path on every system. PC_ERR_CREATE. */
pc_status pci_path_resolve(pc_context *context, const char *path, pci_place *place);

#endif
