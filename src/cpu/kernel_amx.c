/* AMX: tdpbsud multiplies a tile of 16 rows x 64 bytes by one of 16 x 64 (64 deep, 16 columns).
 * 2 x 2 accumulator tiles make a block of 32 x 32, so that each tile loaded is used twice. */
#define _GNU_SOURCE
#include "src/cpu/kernel.h"

#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    TILE_ROWS = 16,
    ROWS = 2 * TILE_ROWS,
    TILE_BYTES = 64,
    PACKED_ROW_BYTES = 4 * PCI_PANEL,
    ARCH_REQ_XCOMP_PERM = 0x1023, /* Linux: ask for the use of a state component ... */
    XFEATURE_XTILEDATA = 18       /* ... here the tiles */
};

/* Tiles 0-3 accumulate, 4-5 are the left operand, 6-7 the right one; all 16 rows of 64 bytes.
 * Constant data, because compilers believe that the intrinsic reads 8 bytes only. */
static const struct {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t n_rows[16];
} tile_config = {
    .palette = 1,
    .row_bytes = {64, 64, 64, 64, 64, 64, 64, 64},
    .n_rows = {16, 16, 16, 16, 16, 16, 16, 16},
};

static void enter(void)
{
    _tile_loadconfig(&tile_config);
}

static void leave(void)
{
    _tile_release();
}

static void multiply(const pci_factors *f, int32_t *sums)
{
    const size_t sums_stride = PCI_PANEL * sizeof *sums;
    const int8_t *left = f->left, *below = left + TILE_ROWS * f->left_stride;
    const uint8_t *right = f->right;
    int32_t *sums_below = sums + TILE_ROWS * PCI_PANEL;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < PCI_PANEL; j++)
            sums[i * PCI_PANEL + j] = f->start[i];
    _tile_loadd(0, sums, sums_stride);
    _tile_loadd(1, sums + 16, sums_stride);
    _tile_loadd(2, sums_below, sums_stride);
    _tile_loadd(3, sums_below + 16, sums_stride);
    for (size_t k = 0; k < f->depth; k += TILE_BYTES, right += TILE_ROWS * PACKED_ROW_BYTES) {
        _tile_loadd(6, right, PACKED_ROW_BYTES);
        _tile_loadd(4, left + k, f->left_stride);
        _tile_dpbsud(0, 4, 6);
        _tile_loadd(7, right + TILE_BYTES, PACKED_ROW_BYTES);
        _tile_dpbsud(1, 4, 7);
        _tile_loadd(5, below + k, f->left_stride);
        _tile_dpbsud(2, 5, 6);
        _tile_dpbsud(3, 5, 7);
    }
    _tile_stored(0, sums, sums_stride);
    _tile_stored(1, sums + 16, sums_stride);
    _tile_stored(2, sums_below, sums_stride);
    _tile_stored(3, sums_below + 16, sums_stride);
}

static bool is_available(void)
{
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    const unsigned amx_tile = 1u << 24, amx_int8 = 1u << 25;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (edx & amx_tile) &&
           (edx & amx_int8) && pci_kernel_avx512vnni.is_available() &&
           syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

const pci_kernel pci_kernel_amx = {
    .name = "amx",
    .is_available = is_available,
    .enter = enter,
    .leave = leave,
    .n_rows = ROWS,
    .multiply = multiply,
    .rows = &pci_row_ops_avx512,
    .guess_ops_per_second = 1000e9,
};
