/* Steps of sweeps in portable C, which the wider ones are tested beside. */
#define PCI_ISA portable
#include "src/cpu/sweep_rows_body.h"
