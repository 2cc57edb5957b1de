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

#define FIRST_LINE "pathcount " PC_VERSION " rates"

enum { MACHINE_BYTES = PCI_PROCESSOR_NAME_BYTES + 64, TEXT_BYTES = 2048 };

/* Writes the processor and the kernel, on which rates depend, in one line. */
static pc_status describe_machine(pc_context *context, char *line, size_t size)
{
    char name[PCI_PROCESSOR_NAME_BYTES];
    const pci_kernel *kernel;
    pc_status status = pci_kernel_select(context, &kernel);
    if (status != PC_OK)
        return status;
    pci_processor_name(name, sizeof name);
    snprintf(line, size, "%s, %s", name, kernel->name);
    return PC_OK;
}

pc_status pc_rates_write(pc_context *context, const char *path)
{
    if (!context || !path)
        return pci_fail_null(context, "path");
    char machine[MACHINE_BYTES], text[TEXT_BYTES];
    pc_output *output = NULL;
    pc_status status = describe_machine(context, machine, sizeof machine);
    if (status != PC_OK)
        return status;
    size_t length = (size_t)snprintf(text, sizeof text, "%s\n%s\n", FIRST_LINE, machine);
    for (int p = 0; p < PCI_N_PARTS; p++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s %.0f\n",
                                   pci_part_names[p], context->rates.per_second[p]);
    status = pc_output_open(context, path, &output);
    if (status == PC_OK)
        status = pc_output_write(output, text, length);
    if (status == PC_OK)
        return pc_output_commit(output);
    pc_output_free(output);
    return status;
}

/* Cuts the text up. */
static pc_status read_lines(pc_context *context, const char *path, char *text, pci_rates *rates)
{
    char machine[MACHINE_BYTES], *rest = text;
    pc_status status = describe_machine(context, machine, sizeof machine);
    const char *first = strsep(&rest, "\n"), *second = rest ? strsep(&rest, "\n") : "";
    if (status == PC_OK && (strcmp(first, FIRST_LINE) != 0 || strcmp(second, machine) != 0))
        status = pci_fail(
            context, PC_ERR_ENGINE,
            "%s has rates of another machine, kernel or version; delete the file, or measure "
            "those of this one (make bench BENCH=rates)",
            path);
    for (int p = 0; p < PCI_N_PARTS && status == PC_OK; p++) {
        const char *line = rest ? strsep(&rest, "\n") : "", *name = pci_part_names[p];
        size_t length = strlen(name);
        bool is_named = strncmp(line, name, length) == 0 && line[length] == ' ';
        char *end;
        double rate = is_named ? strtod(line + length, &end) : 0;
        if (!isfinite(rate) || rate <= 0 || *end != '\0')
            return pci_fail(context, PC_ERR_DATA,
                            "%s:%d: '%.40s' is not the rate '%s'; delete the file, or measure "
                            "anew (make bench BENCH=rates)",
                            path, p + 3, line, name);
        rates->per_second[p] = rate;
    }
    return status;
}

/* A pipe could wait for ever and a device could have no end: only a regular file is read. */
static pc_status read_text(pc_context *context, const char *path, char text[TEXT_BYTES])
{
    struct stat info;
    size_t length = 0;
    ssize_t n = 1;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return pci_fail(context, PC_ERR_NO_INPUT, "%s: cannot be opened: %m", path);
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(file);
        return pci_fail(context, PC_ERR_DATA, "%s is no file of rates: it is no regular file",
                        path);
    }
    while (n > 0 && length < TEXT_BYTES) {
        n = read(file, text + length, TEXT_BYTES - length);
        length += n > 0 ? (size_t)n : 0;
    }
    close(file);
    if (n < 0)
        return pci_fail(context, PC_ERR_IO, "%s: cannot be read: %m", path);
    if (length == TEXT_BYTES)
        return pci_fail(context, PC_ERR_DATA, "%s is no file of rates: it is too large", path);
    text[length] = '\0';
    return PC_OK;
}

pc_status pc_rates_read(pc_context *context, const char *path)
{
    if (!context || !path)
        return pci_fail_null(context, "path");
    pci_rates rates = {.is_measured = true};
    char text[TEXT_BYTES];
    pc_status status = read_text(context, path, text);
    if (status == PC_OK)
        status = read_lines(context, path, text, &rates);
    if (status == PC_OK)
        context->rates = rates;
    return status;
}
