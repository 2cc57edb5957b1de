/* Files that do not have their final name yet. */
#ifndef PCI_TEMPORARY_H
#define PCI_TEMPORARY_H

#include "src/core/context.h"

#include <sys/types.h>

enum { PCI_TEMPORARY_NAME_BYTES = 40 };

/* A file that only its owner may read and write. Where the file system allows, it has no name, so
 * that nothing of it remains when the process ends in any way. Elsewhere its name says that it is
 * temporary, and a lock says that its writer is running. */
typedef struct pci_temporary {
    int file;                            /* descriptor */
    char name[PCI_TEMPORARY_NAME_BYTES]; /* in the folder; "": it has none */
    mode_t default_mode; /* the permissions that a new file in the folder gets from umask and ACL */
} pci_temporary;

/* Creates a file in the folder, a descriptor. False with errno. */
bool pci_temporary_create(int folder, pci_temporary *temporary);

/* Gives the file the name target in the folder, and replaces the file that has it. The descriptor
 * stays open. False with errno. */
bool pci_temporary_rename(int folder, pci_temporary *temporary, const char *target);

/* Closes the file, which is removed when it was not renamed. */
void pci_temporary_free(int folder, pci_temporary *temporary);

/* Removes temporary files of this user whose writers have ended. A file is kept when that is not
 * certain. */
void pci_temporaries_clean(int folder);

#endif
