/* The kernels of the ladder in the order of their steps. */
#include "gpu/ladder/ladder.h"

#include <string.h>

const pci_ladder_kernel *const pci_ladder[] = {
    &pci_ladder_gpu1,
    &pci_ladder_gpu2,
    &pci_ladder_gpu3,
    &pci_ladder_gpu4,
    &pci_ladder_gpu5,
    &pci_ladder_gpu6,
    &pci_ladder_gpu7,
    &pci_ladder_gpu8,
    &pci_ladder_hochberg_plain,
    &pci_ladder_hochberg_shared,
    &pci_ladder_hong_plain,
    &pci_ladder_hong_tiled_16,
    &pci_ladder_hong_tiled_32,
    &pci_ladder_kindratenko_strips,
    &pci_ladder_kindratenko_shared,
    &pci_ladder_kindratenko_i2,
    &pci_ladder_kindratenko_i4,
    &pci_ladder_kindratenko_j2,
    &pci_ladder_kindratenko_j4,
    &pci_ladder_reduced_4p,
    &pci_ladder_reduced_p,
    &pci_ladder_reduced_tiled_8,
    &pci_ladder_reduced_tiled_16,
    &pci_ladder_reduced_tiled_32,
};

const size_t pci_ladder_n_kernels = sizeof pci_ladder / sizeof *pci_ladder;

const pci_ladder_kernel *pci_ladder_find(const char *name)
{
    for (size_t i = 0; i < pci_ladder_n_kernels; i++)
        if (strcmp(pci_ladder[i]->name, name) == 0)
            return pci_ladder[i];
    return NULL;
}
