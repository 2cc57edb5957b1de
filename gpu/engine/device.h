/* The GPUs of this machine, and what CUDA says of them. */
#ifndef PCI_GPU_DEVICE_H
#define PCI_GPU_DEVICE_H

#include "gpu/engine/choose.h"
#include "gpu/engine/memory.h"

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

#endif
