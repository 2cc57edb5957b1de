/* This machine: how much memory there is, what its processors are called, and how fast they are. A plan may use what Linux
 * calls available, or less where a group (cgroup, version 1 or 2) of this process, or a group around it, has a limit. Groups are
 * looked for once for each context; their limits and their use are read each time. */
#ifndef PCI_MEMORY_H
#define PCI_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* ---- Rates ------------------------------------------------------------------------------------- */

/* Rates at which this machine does the parts of a count. Plans predict by them. Compiled in are those of
 * one machine; pc_calibrate measures them here, and a file keeps them. */

/* The rate for distant memory follows the rate for near memory. */
typedef enum pci_part {
    PCI_PART_PRODUCT,  /* int8 operations of products, two to a multiply-add */
    PCI_PART_PLANE,    /* entries of planes packed, reduced and stored around products */
    PCI_PART_BATCH,    /* products, however small */
    PCI_PART_EXTEND,   /* residues made of those that are there */
    PCI_PART_STEP,     /* bytes of planes added by sparse steps */
    PCI_PART_COLLECT,  /* residues times limbs that they make */
    PCI_PART_CERTIFY,  /* words of results, a round */
    PCI_PART_PASS,     /* arcs of a vector in a processor's cache: limits, certificates, sums */
    PCI_PART_PASS_FAR, /* ... and of one that does not */
    PCI_PART_SWEEP,    /* bytes of lines added by sweeps whose blocks stay in a processor's cache */
    PCI_PART_SWEEP_FAR, /* ... and by those whose blocks do not */
    PCI_PART_ROWS,      /* words of rows that sweeps make */
    PCI_N_PARTS
} pci_part;

typedef struct pci_rates {
    double per_second[PCI_N_PARTS]; /* of one thread */
    bool is_measured;               /* here; else compiled in */
} pci_rates;

/* Returns the rates that are compiled in for such a processor. */
pci_rates pci_rates_default(void);

/* Names in files and for people, units, and the rates that are compiled in: of a core with AVX-512, AMD's fourth Zen
 * generation, while a second one works beside it, of one with AMX, a virtual Xeon's, as 1 to 16 of them showed
 * (pci_cost_threads), and of one without, the third Zen generation. */
typedef struct pci_rate_row {
    const char *name, *unit;
    double with_avx512, with_amx, without_avx512;
} pci_rate_row;

extern const pci_rate_row pci_rate_rows[PCI_N_PARTS];

#endif
