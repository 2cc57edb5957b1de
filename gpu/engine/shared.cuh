/* Shared memory as instructions name it. */
#ifndef PCI_GPU_SHARED_CUH
#define PCI_GPU_SHARED_CUH

#include <stdint.h>

/* A place in shared memory in the 32 bits by which ldmatrix, TMA and barriers know it. */
static __device__ __forceinline__ uint32_t pci_shared_address(const void *place)
{
    return (uint32_t)__cvta_generic_to_shared(place);
}

#endif
