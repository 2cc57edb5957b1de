/* Steps of sweeps with AVX-512. */
#define PCI_ISA avx512
#include "src/cpu/sweep_rows_body.h"
