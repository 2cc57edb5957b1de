/* What pc_context_set_device accepts: auto, cpu, cuda, cuda:LIST, cuda:all. */
#include "src/core/context.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "give auto, cpu, cuda, cuda:all, or cuda:LIST with numbers of GPUs such "
    "as cuda:0,1";

/* A number of one or two digits at *text, which moves behind it; -1 when there is none. */
static int take_index(const char **text)
{
    int n_digits = 0, value = 0;
    for (; **text >= '0' && **text <= '9' && n_digits < 3; n_digits++)
        value = 10 * value + *(*text)++ - '0';
    return n_digits == 1 || n_digits == 2 ? value : -1;
}

static bool is_named(const pci_devices *devices, int index)
{
    bool named = false;
    for (int i = 0; i < devices->n; i++)
        named = named || devices->index[i] == index;
    return named;
}

/* "0,1": the numbers of the devices, each once. */
static pc_status parse_list(pc_context *context, const char *name, const char *list,
                            pci_devices *devices)
{
    for (bool is_last = false; !is_last; list++) {
        int index = take_index(&list);
        is_last = *list == '\0';
        if (index < 0 || (!is_last && *list != ','))
            return pci_fail(context, PC_ERR_ARGUMENT, "device '%.100s': %s", name, usage);
        if (index >= PCI_MAX_DEVICES)
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "device '%.100s': there is no GPU %d, numbers go from 0 to %d", name,
                            index, PCI_MAX_DEVICES - 1);
        if (is_named(devices, index))
            return pci_fail(context, PC_ERR_ARGUMENT, "device '%.100s': GPU %d is named twice",
                            name, index);
        devices->index[devices->n++] = index;
    }
    return PC_OK;
}

static pc_status parse(pc_context *context, const char *name, pci_devices *devices)
{
    static const char list_prefix[] = "cuda:";
    if (strcmp(name, "auto") == 0)
        return PC_OK;
    if (strcmp(name, "cpu") == 0) {
        devices->kind = PCI_DEVICE_CPU;
        return PC_OK;
    }
    devices->kind = PCI_DEVICE_CUDA;
    if (strcmp(name, "cuda:all") == 0) {
        devices->all = true;
        return PC_OK;
    }
    if (strncmp(name, list_prefix, strlen(list_prefix)) == 0)
        return parse_list(context, name, name + strlen(list_prefix), devices);
    if (strcmp(name, "cuda") != 0)
        return pci_fail(context, PC_ERR_ARGUMENT, "device '%.100s': %s", name, usage);
    devices->n = 1; /* the first */
    return PC_OK;
}

pc_status pc_context_set_device(pc_context *context, const char *device)
{
    if (!context)
        return PC_ERR_ARGUMENT;
    pci_devices parsed = {.kind = PCI_DEVICE_AUTO};
    pc_status status = parse(context, device ? device : "", &parsed);
    if (status != PC_OK)
        return status;
    context->devices = parsed;
    snprintf(context->device_name, sizeof context->device_name, "%s", device);
    return PC_OK;
}
