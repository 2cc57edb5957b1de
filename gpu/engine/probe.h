/* What is tried on a GPU before it is relied on: sums that no document promises, and rates that nobody has
 * published. */
#ifndef PCI_GPU_PROBE_H
#define PCI_GPU_PROBE_H

#include "gpu/engine/device.h"
#include "gpu/engine/product.h"

typedef cudaError_t (*pci_product_fn)(const pci_product *product, cudaStream_t stream);

/* Compares the accumulators of a kernel on the current device with those of the plain kernel: products of
 * planes of 512 or 1024 vertices whose residues are -128, 127, alternating or random, so that every sum of a thread comes
 * within 1 of its largest and its smallest. PC_ERR_ENGINE with the numbers of wrong and of all sums;
 * PC_ERR_MEMORY. */
pc_status pci_gpu_probe_sums(pc_context *context, const pci_gpu_device *device,
                             pci_gpu_kernel kernel, pci_product_fn launch);

/* Operations a second of a kernel on the current device, two to a multiply-add: the fastest of three products of
 * random planes of 2048 vertices. */
pc_status pci_gpu_probe_rate(pc_context *context, const pci_gpu_device *device,
                             pci_gpu_kernel kernel, double *rate);

#endif
