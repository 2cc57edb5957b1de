/* The file of rates: a line "name value" for each, and before them the version and the machine.
 * Rates of another machine would mislead, so the machine is compared first. Rates are whole
 * numbers, which are the same text in every locale. */
#include "io/output.h"
#include "src/tool.h"

#include "src/cpu/kernel.h"
#include "src/core/memory.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = PCI_PROCESSOR_NAME_BYTES + 128, TEXT_BYTES = 2048 };

/* Begins the text: the version, and the processor and the kernel, on which rates depend. */
static pc_status make_head(pc_context *context, char text[HEAD_BYTES])
{
    char name[PCI_PROCESSOR_NAME_BYTES];
    const pci_kernel *kernel;
    pc_status status = pci_kernel_select(context, &kernel);
    if (status != PC_OK)
        return status;
    pci_processor_name(name, sizeof name);
    snprintf(text, HEAD_BYTES, "pathcount " PC_VERSION " rates\n%s, %s\n", name, kernel->name);
    return PC_OK;
}

pc_status pc_rates_write(pc_context *context, const char *path)
{
    if (!context || !path)
        return pci_fail_null(context, "path");
    char text[TEXT_BYTES];
    pc_output *output = NULL;
    pc_status status = make_head(context, text);
    if (status != PC_OK)
        return status;
    size_t length = strlen(text);
    for (int p = 0; p < PCI_N_PARTS; p++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s %.0f\n",
                                   pci_rate_rows[p].name, context->rates.per_second[p]);
    status = pc_output_open(context, path, &output);
    if (status == PC_OK)
        status = pc_output_write(output, text, length);
    if (status == PC_OK)
        return pc_output_commit(output);
    pc_output_free(output);
    return status;
}

/* A pipe could wait for ever and a device could have no end: only a regular file is read. */
static pc_status read_text(pc_context *context, const char *path, char text[TEXT_BYTES])
{
    struct stat info;
    pc_status status = PC_OK;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return pci_fail(context, PC_ERR_NO_INPUT, "%s: cannot be opened: %m", path);
    bool is_regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    ssize_t length = is_regular ? read(file, text, TEXT_BYTES) : 0;
    if (length < 0)
        status = pci_fail(context, PC_ERR_IO, "%s: cannot be read: %m", path);
    else if (!is_regular || length == TEXT_BYTES)
        status = pci_fail(context, PC_ERR_DATA, "%s is no file of rates: it is %s", path,
                          is_regular ? "too large" : "no regular file");
    else
        text[length] = '\0';
    close(file);
    return status;
}

pc_status pc_rates_read(pc_context *context, const char *path)
{
    if (!context || !path)
        return pci_fail_null(context, "path");
    pci_rates rates = {.is_measured = true};
    char text[TEXT_BYTES], head[HEAD_BYTES];
    pc_status status = read_text(context, path, text);
    if (status == PC_OK)
        status = make_head(context, head);
    if (status != PC_OK)
        return status;
    if (strncmp(text, head, strlen(head)) != 0)
        return pci_fail(
            context, PC_ERR_ENGINE,
            "%s has rates of another machine, kernel or version; delete the file, or measure "
            "those of this one (make bench BENCH=rates)",
            path);
    char *rest = text + strlen(head);
    for (int p = 0; p < PCI_N_PARTS; p++) {
        const char *line = rest ? strsep(&rest, "\n") : "", *name = pci_rate_rows[p].name;
        size_t length = strlen(name);
        bool is_named = strncmp(line, name, length) == 0 && line[length] == ' ';
        char *end;
        double rate = is_named ? strtod(line + length, &end) : 0;
        if (!isfinite(rate) || rate <= 0 || *end != '\0')
            return pci_fail(context, PC_ERR_DATA,
                            "%s:%d: '%.40s' is not the rate '%s'; delete the file, or measure "
                            "anew (make bench BENCH=rates)",
                            path, p + 3, line, name);
        rates.per_second[p] = rate;
    }
    context->rates = rates;
    return PC_OK;
}
