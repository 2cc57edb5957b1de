/* Finds the CUDA engine, a shared object that is opened when a plan needs it. So nothing here needs
 * CUDA. It is never closed: opening it again gives the same object. The dynamic linker keeps all
 * the state that there is. */
#define _GNU_SOURCE
#include "src/plan/plan.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* The engine's file in the folder of the file that this code is in, libpathcount.so or the program,
 * if it is there; else the name alone, which leaves the search to the dynamic linker. */
static void default_file(char *path, size_t size)
{
    char own[PATH_BYTES] = "";
    Dl_info info;
    struct link_map *map;
    if (dladdr1((void *)pci_engine_cuda, &info, (void **)&map, RTLD_DL_LINKMAP)) {
        if (map->l_name[0] != '\0') {
            if (snprintf(own, sizeof own, "%s", info.dli_fname) >= (int)sizeof own)
                own[0] = '\0';
        } else { /* the program has no name there */
            ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
            own[length < 0 ? 0 : length] = '\0';
        }
    }
    char *slash = strrchr(own, '/');
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

static pc_status open_engine(pc_context *context, const pci_engine **engine)
{
    char path[PATH_BYTES + sizeof PCI_CUDA_ENGINE_FILE];
    const char *named = secure_getenv(PCI_CUDA_ENGINE_VARIABLE);
    pci_engine_open_fn open;
    if (named && (!*named || strcmp(named, "none") == 0))
        return pci_fail(context, PC_ERR_ENGINE,
                        "no CUDA engine: the environment variable " PCI_CUDA_ENGINE_VARIABLE
                        " says that there is none");
    if (named) /* a name alone would be searched for */
        snprintf(path, sizeof path, "%s%s", strchr(named, '/') ? "" : "./", named);
    else
        default_file(path, sizeof path);
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
    *(void **)&open = dlsym(object, PCI_ENGINE_OPEN);
    if (!open)
        return pci_fail(context, PC_ERR_ENGINE,
                        "%s is no CUDA engine of pathcount; " PCI_CUDA_ENGINE_VARIABLE
                        " must name a " PCI_CUDA_ENGINE_FILE,
                        path);
    context->message[0] = '\0';
    pc_status status = open(context, PCI_ENGINE_BUILD, engine);
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
