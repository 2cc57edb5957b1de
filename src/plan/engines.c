/* Finds the CUDA engine, a shared object that is opened when a plan needs it. So nothing here needs
 * CUDA. It is never closed: opening it again gives the same object. The dynamic linker keeps all
 * the state that there is. */
#define _GNU_SOURCE
#include "src/plan/engines.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* The file that this code is in: libpathcount.so, or the program. False when nobody knows. */
static bool own_file(char *path, size_t size)
{
    Dl_info info;
    struct link_map *map;
    if (!dladdr1((void *)pci_engine_cuda, &info, (void **)&map, RTLD_DL_LINKMAP))
        return false;
    if (map->l_name[0] != '\0')
        return snprintf(path, size, "%s", info.dli_fname) < (int)size;
    ssize_t length = readlink("/proc/self/exe", path, size); /* the program has no name there */
    if (length < 0 || (size_t)length >= size)
        return false;
    path[length] = '\0';
    return true;
}

/* The engine's file in our own folder, if it is there; else the name alone, which leaves the search
 * to the dynamic linker. */
static void default_file(char *path, size_t size)
{
    char own[PATH_BYTES];
    char *slash = own_file(own, sizeof own) ? strrchr(own, '/') : NULL;
    if (slash) {
        int length = snprintf(path, size, "%.*s/%s", (int)(slash - own), own, PCI_CUDA_ENGINE_FILE);
        if (length < (int)size && access(path, F_OK) == 0)
            return;
    }
    snprintf(path, size, "%s", PCI_CUDA_ENGINE_FILE);
}

/* dlerror, with something to say in any case. */
static const char *linker_says(void)
{
    const char *error = dlerror();
    return error ? error : "no reason given";
}

static pc_status open_file(pc_context *context, const char *path, pci_engine_open_fn *open)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object && !strchr(path, '/'))
        return pci_fail(
            context, PC_ERR_ENGINE,
            "no CUDA engine: %s (it belongs beside the library; " PCI_CUDA_ENGINE_VARIABLE
            " can name it)",
            linker_says());
    if (!object)
        return pci_fail(context, PC_ERR_ENGINE, "the CUDA engine cannot be opened: %s",
                        linker_says());
    *(void **)open = dlsym(object, PCI_ENGINE_OPEN);
    if (!*open)
        return pci_fail(context, PC_ERR_ENGINE,
                        "%s is no CUDA engine of pathcount; " PCI_CUDA_ENGINE_VARIABLE
                        " must name a " PCI_CUDA_ENGINE_FILE,
                        path);
    return PC_OK;
}

static pc_status open_engine(pc_context *context, const pci_engine **engine)
{
    char path[PATH_BYTES + sizeof PCI_CUDA_ENGINE_FILE];
    const char *named = secure_getenv(PCI_CUDA_ENGINE_VARIABLE);
    if (named && (!*named || strcmp(named, "none") == 0))
        return pci_fail(context, PC_ERR_ENGINE,
                        "no CUDA engine: the environment variable " PCI_CUDA_ENGINE_VARIABLE
                        " says that there is none");
    if (named && !strchr(named, '/')) /* a name alone would be searched for */
        snprintf(path, sizeof path, "./%s", named);
    else if (named)
        snprintf(path, sizeof path, "%s", named);
    else
        default_file(path, sizeof path);
    pci_engine_open_fn open;
    pc_status status = open_file(context, path, &open);
    if (status != PC_OK)
        return status;
    context->message[0] = '\0';
    status = open(context, PCI_ENGINE_BUILD, engine);
    if (status != PC_OK && !context->message[0]) /* the engine of another build sets no message */
        return pci_fail(context, PC_ERR_ENGINE,
                        "%s is of another build of pathcount than this (" PCI_ENGINE_BUILD
                        "); install both together",
                        path);
    return status;
}

pc_status pci_engine_cuda(pc_context *context, const pci_engine **engine)
{
    double start = pci_now_seconds();
    pc_status status = open_engine(context, engine);
    context->cuda_start_seconds += pci_now_seconds() - start;
    return status;
}
