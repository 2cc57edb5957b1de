/* Finds engines that are shared objects of their own.
 *
 * The environment variable PATHCOUNT_CUDA_ENGINE names the CUDA engine. Without it the engine is
 * looked for beside libpathcount.so (or the program, when that is linked statically), then by name
 * where the dynamic linker looks. It has one symbol, which returns the table and refuses a library
 * of another version. When the engine cannot be opened, has no memory for the plan, or fails
 * before a row was delivered, the CPU counts under `auto`, and --explain says why. */
#ifndef PCI_ENGINES_H
#define PCI_ENGINES_H

#include "src/engine/engine.h"

/* The environment variable that names the CUDA engine's shared object; "" or "none": there is none.
 * pathcount.h says where it is looked for otherwise. */
#define PCI_CUDA_ENGINE_VARIABLE "PATHCOUNT_CUDA_ENGINE"
#define PCI_CUDA_ENGINE_FILE     "libpathcount_cuda.so"

/* The CUDA engine, opened and started on context's devices. Else PC_ERR_ENGINE with a message that
 * says why and what to do, or what the engine itself said. */
pc_status pci_engine_cuda(pc_context *context, const pci_engine **engine);

#endif
