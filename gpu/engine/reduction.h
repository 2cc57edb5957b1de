/* Constants that reduce an int32 accumulator modulo m without division. The code of the device is
 * gpu/engine/reduction.cuh.
 *
 * Write x - c (c a multiple of m) as bytes b_k - 128, k = 0..3. Then y = sum (b_k - 128) w_k with
 * w_k = 2^(8k) mod m, centred, is congruent to x and below 2^16 in size: one dp4a. Its start value
 * makes the sum the bit pattern of the float c + y, so that one multiply-add rounds (c + y) / m to
 * the nearest integer q, and the low byte of (c + y) - m q is the centred residue.
 *
 * c is the least multiple of m that keeps c + y above 2^23, where floats are integers, and the
 * greatest x - c within the bytes: the smaller c, the less the rounding of 1 / m matters. Exact for
 * every accumulator of n <= 131071 terms from -128..127 times -128..127. */
#ifndef PCI_GPU_REDUCTION_H
#define PCI_GPU_REDUCTION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pci_reduction {
    uint32_t bias;    /* x + bias has the bytes b_k: 0x80808080 - c */
    uint32_t weights; /* four int8: w_0 in the low byte */
    uint32_t start;   /* the float's bits at b = 0 */
    float inverse;    /* 1 / m, or a neighbour of it for which every residue is right */
    int32_t minus_m;
} pci_reduction;

/* The constants of m, 3 <= m <= 256. False when no neighbour of 1 / m works; there is no such m
 * (tests/gpu/test_gpu_host.c). */
bool pci_reduction_make(uint32_t m, pci_reduction *reduction);

#endif
