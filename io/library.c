/* Opening a library again gives the same object: the dynamic linker keeps all the state there is. */
#include "io/library.h"

#include <dlfcn.h>
#include <errno.h>

void pc_packing_open(void)
{
    static const char *const files[] = {PCI_LIBARCHIVE, PCI_LIBDEFLATE, PCI_LIBZSTD};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        dlopen(files[f], RTLD_NOW | RTLD_LOCAL);
}

pc_status pci_library_find(pc_context *context, const char *file, size_t n,
                           const char *const *names, void **functions)
{
    errno = 0;
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    bool is_found = library != NULL;
    for (size_t i = 0; i < n && is_found; i++)
        is_found = (functions[i] = dlsym(library, names[i])) != NULL;
    if (is_found)
        return PC_OK;
    bool lacks_memory = errno == ENOMEM;
    const char *error = dlerror();
    return pci_fail(context, lacks_memory ? PC_ERR_MEMORY : PC_ERR_ENGINE,
                    "packed files need a library: %s", error ? error : file);
}
