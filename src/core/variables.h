/* Variables of the environment that are numbers or one of some words. libpathcount_igraph and the CUDA engine read theirs,
 * too, and share no function with the library: so all is in this header. Its includer defines _GNU_SOURCE. */
#ifndef PCI_VARIABLES_H
#define PCI_VARIABLES_H

#include "pathcount.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum pci_variable {
    PCI_VARIABLE_CUDA_MEMORY,
    PCI_VARIABLE_CUDA_PARTS,
    PCI_VARIABLE_IGRAPH_SECONDS,
    PCI_N_VARIABLES
} pci_variable;

/* PATHCOUNT_CUDA_PARTS is the number of parts of a run on each device: with 2, tests of joined GPUs need one GPU. Parts of
 * one device copy and read each other's planes as those of several devices do; only the connection is another one. */
typedef struct pci_variable_rule {
    const char *name, *what;
    uint64_t least, most;
    uint64_t otherwise; /* when it is not set, or empty */
} pci_variable_rule;

static const pci_variable_rule pci_variable_rules[PCI_N_VARIABLES] = {
    {"PATHCOUNT_CUDA_MEMORY", "bytes of a GPU", 1, UINT64_MAX, UINT64_MAX},
    {"PATHCOUNT_CUDA_PARTS", "parts on each GPU", 1, 64, 1},
    {"PATHCOUNT_IGRAPH_SECONDS", "seconds for igraph", 1, 1000000, 60}};

/* PC_ERR_ARGUMENT for a text that is no such number; *value is the usual one then. */
static inline pc_status pci_variable_read(pc_context *context, pci_variable variable,
                                          uint64_t *value)
{
    const pci_variable_rule *rule = &pci_variable_rules[variable];
    const char *text = secure_getenv(rule->name);
    char sentence[512], *end;
    *value = rule->otherwise;
    if (!text || !*text)
        return PC_OK;
    errno = 0;
    uint64_t number = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && number >= rule->least &&
        number <= rule->most) {
        *value = number;
        return PC_OK;
    }
    snprintf(sentence, sizeof sentence,
             "%s=%.99s: this variable of the environment must be a whole number of %s, %" PRIu64
             " to %" PRIu64 "; correct it, or leave it out",
             rule->name, text, rule->what, rule->least, rule->most);
    return pc_context_fail(context, PC_ERR_ARGUMENT, sentence);
}

/* The CUDA engine has more to say of it (gpu/engine/device.c). */
static inline pc_status pci_variable_check_kernel(pc_context *context)
{
    static const char *const words[] = {"plain", "dp4a", "f16", "mma", "wgmma"};
    const char *text = secure_getenv("PATHCOUNT_CUDA_KERNEL");
    char sentence[512];
    bool is_right = !text || !*text;
    for (size_t w = 0; w < sizeof words / sizeof *words && !is_right; w++)
        is_right = strcmp(text, words[w]) == 0;
    if (is_right)
        return PC_OK;
    snprintf(
        sentence, sizeof sentence,
        "PATHCOUNT_CUDA_KERNEL=%.99s: this variable of the environment must be plain, dp4a, f16, "
        "mma or wgmma; correct it, or leave it out",
        text);
    return pc_context_fail(context, PC_ERR_ARGUMENT, sentence);
}

/* Refuses the first one that is wrong, also where it would not be read: nobody should think that it was obeyed. */
static inline pc_status pci_variables_check(pc_context *context)
{
    uint64_t value;
    pc_status status = pci_variable_check_kernel(context);
    for (int v = 0; v < PCI_N_VARIABLES && status == PC_OK; v++)
        status = pci_variable_read(context, (pci_variable)v, &value);
    return status;
}

#endif
