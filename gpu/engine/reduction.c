/* The constants of a reduction. They are computed, and then tried on every possible value. */
#include "gpu/engine/reduction.h"

#include <math.h>
#include <string.h>

static const uint32_t BITS_OF_2_23 = 0x4B000000; /* as a float; v further is v units further */

enum {
    INT_2_23 = 1 << 23,
    ROUNDER = 3 << 22,             /* 1.5 * 2^23 */
    MOST_BYTES = 0x7F7F7F7F,       /* the greatest x - c that has bytes b_k - 128 */
    MOST_X = 128 * 128 * 131071,   /* n = 131071 */
    LEAST_C = MOST_X - MOST_BYTES, /* 2^23 + 2^14 and a little */
    N_NEIGHBOURS = 8               /* tried on either side of 1 / m */
};

/* a modulo m in (-m / 2, m / 2]. */
static int32_t centred(uint64_t a, uint32_t m)
{
    uint32_t rest = (uint32_t)(a % m);
    return 2 * rest > m ? (int32_t)rest - (int32_t)m : (int32_t)rest;
}

/* Whether the device gives the centred residues for all floats c + y. */
static bool is_right(const pci_reduction *reduction, int32_t m, int32_t c, int32_t most_y)
{
    for (int32_t y = -most_y; y <= most_y; y++) {
        uint32_t bits, sum = BITS_OF_2_23 + (uint32_t)(c + y - INT_2_23);
        float quotient = fmaf((float)(c + y), reduction->inverse, (float)ROUNDER);
        memcpy(&bits, &quotient, sizeof bits);
        int8_t residue = (int8_t)(bits * (uint32_t)reduction->minus_m + sum);
        if ((y - residue) % m != 0 || 2 * (residue < 0 ? -residue : residue) > m)
            return false;
    }
    return true;
}

bool pci_reduction_make(uint32_t m, pci_reduction *reduction)
{
    *reduction = (pci_reduction){.minus_m = -(int32_t)m};
    int32_t sum_of_weights = 0, most_y = 0;
    for (uint32_t k = 0; k < 4; k++) {
        int32_t weight = centred((uint64_t)1 << (8 * k), m);
        sum_of_weights += weight;
        most_y += 128 * (weight < 0 ? -weight : weight);
        reduction->weights |= (uint32_t)(weight & 255) << (8 * k);
    }
    int32_t c = INT_2_23 + most_y < LEAST_C ? LEAST_C : INT_2_23 + most_y;
    c += (int32_t)m - 1 - (c - 1) % (int32_t)m;
    reduction->bias = 0x80808080 - (uint32_t)c;
    reduction->start = BITS_OF_2_23 + (uint32_t)(c - INT_2_23 - 128 * sum_of_weights);

    float below = 1.0f / (float)m, above = below;
    for (uint32_t i = 0; i <= N_NEIGHBOURS; i++) {
        reduction->inverse = below;
        if (is_right(reduction, (int32_t)m, c, most_y))
            return true;
        reduction->inverse = above;
        if (is_right(reduction, (int32_t)m, c, most_y))
            return true;
        below = nextafterf(below, 0.0f);
        above = nextafterf(above, 1.0f);
    }
    return false;
}
