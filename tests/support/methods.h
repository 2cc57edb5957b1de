/* What the tests of methods share. */
#ifndef TESTS_METHODS_H
#define TESTS_METHODS_H

#include "pathcount.h"

enum { N_ARITHMETICS = 4 }; /* exact, modulo 2, modulo a large number, doubles */

static inline pc_count_options options_of(pc_method method, int arithmetic)
{
    static const pc_count_options options[N_ARITHMETICS] = {
        {0},
        {.arithmetic = PC_MODULAR, .modulus = 2},
        {.arithmetic = PC_MODULAR, .modulus = (UINT64_C(1) << 63) - 25},
        {.arithmetic = PC_FLOAT},
    };
    pc_count_options made = options[arithmetic];
    made.method = method;
    return made;
}

#endif
