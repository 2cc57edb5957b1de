/* Steps of sweeps with AVX2. */
#define PCI_ISA avx2
#include "src/cpu/sweep_rows_body.h"
