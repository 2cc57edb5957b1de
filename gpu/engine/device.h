/* The GPUs of this machine, and what CUDA says of them. */
#ifndef PCI_GPU_DEVICE_H
#define PCI_GPU_DEVICE_H

#include "gpu/engine/memory.h"
#include "gpu/engine/product.h"

typedef struct pci_gpu_device {
    int index;
    char name[256];
    int major, minor; /* compute capability */
    int n_sms;
    pci_gpu_kernel kernel; /* forced by PCI_GPU_KERNEL_VARIABLE, or the fastest */
} pci_gpu_device;

/* Indices of the devices that context->devices names; device 0 when it names none. PC_ERR_ENGINE
 * when there is no driver or no such device. */
pc_status pci_gpu_devices_wanted(pc_context *context, int *n, int index[PCI_MAX_DEVICES]);

/* Makes device number index the current one of the calling thread, and starts it when it is not
 * started. PC_ERR_ENGINE when no kernel of this build runs on it, or the forced one does not. */
pc_status pci_gpu_device_open(pc_context *context, int index, pci_gpu_device *device);

/* Passes every GPU of the machine to tell, whatever context->devices names; one that cannot be used
 * with the reason. For pc_devices. */
pc_status pci_gpu_devices_list(pc_context *context, pc_device_fn tell, void *user);

/* ---- What is tried on a GPU before it is relied on ------------------------------------------- */

/* Sums that no document promises, and rates that nobody has published. */

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
