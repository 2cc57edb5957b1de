/* The reduced product. */
#include "src/cpu/run.h"

pc_status pci_run_reduce(pci_run *run, bool is_step, uint32_t n_moduli)
{
    (void)is_step, (void)n_moduli;
    return pci_fail(run->context, PC_ERR_INTERNAL, "not written yet");
}
