/* Where engines that are shared objects of their own are found. */
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

/* A further symbol of the shared object that an engine opened by the above is in. PC_ERR_ENGINE when
 * there is none. */
pc_status pci_engine_symbol(pc_context *context, const pci_engine *engine, const char *name,
                            void **symbol);

#endif
