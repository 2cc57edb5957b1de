/* The amount of memory that there is. A plan may use what Linux calls available, or less where a group
 * (cgroup, version 1 or 2) of this process, or a group around it, has a limit. Groups are looked
 * for once for each context; their limits and their use are read each time. */
#ifndef PCI_MEMORY_H
#define PCI_MEMORY_H

#include <stdint.h>
#include <stddef.h>

enum { PCI_MEMORY_GROUPS = 8, PCI_GROUP_BYTES = 512 };

/* A group with a limit below the memory of the machine. */
typedef struct pci_memory_group {
    char folder[PCI_GROUP_BYTES];
    const struct pci_group_files *files;
} pci_memory_group;

typedef struct pci_memory_groups {
    uint64_t machine_bytes;
    int n;
    pci_memory_group group[PCI_MEMORY_GROUPS];
} pci_memory_groups;

typedef struct pci_memory {
    uint64_t total;     /* of the machine, or the smallest limit of a group */
    uint64_t available; /* what may still be taken without swapping or passing a limit */
} pci_memory;

/* root comes before every path that is read: "" for this machine, a prepared folder in tests. What
 * cannot be read limits nothing. */
void pci_memory_find_groups(const char *root, pci_memory_groups *groups);

/* The memory that there is at this moment. To look for groups takes ten times as long. */
pci_memory pci_memory_now(const char *root, const pci_memory_groups *groups);

enum { PCI_PROCESSOR_NAME_BYTES = 256 };

/* "model name" of the first processor; where that is not told, the kind of machine. */
void pci_processor_name(char *name, size_t size);

/* Bytes of the cache of level 2 or 3 that the first processor has or shares; 0 where that is not told. (Of
 * level 3 sysconf adds up what several groups of processors have.) */
uint64_t pci_processor_cache_bytes(int level);

#endif
