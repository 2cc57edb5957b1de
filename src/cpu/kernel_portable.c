/* The int8 kernel in plain C: the reference that the others are tested against. */
#include "src/cpu/kernel.h"

void pci_kernel_no_state(void)
{
}

static void block(size_t depth, const int8_t *a, const uint8_t *b, int32_t *c, size_t c_stride)
{
    for (size_t i = 0; i < PCI_ROW_GROUP; i++) {
        uint32_t sum[PCI_PANEL] = {0}; /* unsigned: wraps by definition */
        for (size_t k = 0; k < depth; k++) {
            size_t line = k / PCI_LINE_BYTES * PCI_ROW_GROUP + i;
            uint32_t factor = (uint32_t)(int32_t)a[line * PCI_LINE_BYTES + k % PCI_LINE_BYTES];
            const uint8_t *row = b + k / 4 * 4 * PCI_PANEL + k % 4;
            for (size_t j = 0; j < PCI_PANEL; j++)
                sum[j] += factor * row[4 * j];
        }
        for (size_t j = 0; j < PCI_PANEL; j++)
            c[i * c_stride + j] = (int32_t)((uint32_t)c[i * c_stride + j] + sum[j]);
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
    .block = block,
    .rows = &pci_row_ops_portable,
    .guess_ops_per_second = 5e9,
};
