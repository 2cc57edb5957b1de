/* The int8 kernel in plain C: the reference that the others are tested against. */
#include "src/cpu/kernel.h"

enum { ROWS = 4 };

void pci_kernel_no_state(void)
{
}

static void multiply(const pci_factors *f, int32_t *sums)
{
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t sum[PCI_PANEL]; /* unsigned: wraps by definition */
        for (size_t j = 0; j < PCI_PANEL; j++)
            sum[j] = (uint32_t)f->start[i];
        for (size_t k = 0; k < f->depth; k++) {
            uint32_t factor = (uint32_t)(int32_t)f->left[i * f->left_stride + k];
            const uint8_t *row = f->right + k / 4 * 4 * PCI_PANEL + k % 4;
            for (size_t j = 0; j < PCI_PANEL; j++)
                sum[j] += factor * row[4 * j];
        }
        for (size_t j = 0; j < PCI_PANEL; j++)
            sums[i * PCI_PANEL + j] = (int32_t)sum[j];
    }
}

static bool is_available(void)
{
    return true;
}

const pci_kernel pci_kernel_portable = {
    .name = "portable",
    .is_available = is_available,
    .enter = pci_kernel_no_state,
    .leave = pci_kernel_no_state,
    .n_rows = ROWS,
    .multiply = multiply,
    .rows = &pci_row_ops_portable,
    .guess_ops_per_second = 11e9,
};
