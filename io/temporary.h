/* Files that have no name of their own yet. */
#ifndef PCI_TEMPORARY_H
#define PCI_TEMPORARY_H

#include "src/core/context.h"

#include <sys/types.h>

enum { PCI_TEMPORARY_NAME_BYTES = 40 };

/* Readable and writable by its owner alone. Where the file system can do so, it has no name, so
 * that nothing of it stays when the process ends, however that happens. Elsewhere it has a name
 * that tells what it is; a lock tells that its writer is alive. */
typedef struct pci_temporary {
    int file;                            /* descriptor */
    char name[PCI_TEMPORARY_NAME_BYTES]; /* in the folder; "": it has none */
    mode_t default_mode; /* the permissions that a new file in the folder gets from umask and ACL */
} pci_temporary;

/* In the folder, a descriptor. False with errno. */
bool pci_temporary_create(int folder, pci_temporary *temporary);

/* Gives it the name target in the folder, where it takes the place of what has that name. Stays
 * open. False with errno. */
bool pci_temporary_rename(int folder, pci_temporary *temporary, const char *target);

/* Closes the file, which is removed when it was not renamed. */
void pci_temporary_free(int folder, pci_temporary *temporary);

/* Removes temporary files of ours whose writers are dead; what cannot be told stays. */
void pci_temporaries_clean(int folder);

#endif
