/* The file of rates: a line "name value" each, and before them what was measured. Rates of another
 * machine would mislead, so what it was is compared first. */
#include "io/output.h"

#include "src/cpu/kernel.h"
#include "src/processor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "pathcount " PC_VERSION " rates"

enum { MACHINE_BYTES = PCI_PROCESSOR_NAME_BYTES + 64, TEXT_BYTES = 2048 };

/* What rates depend on, in one line. */
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
    int length = snprintf(text, sizeof text, "%s\n%s\n", FIRST_LINE, machine);
    for (int p = 0; p < PCI_N_PARTS; p++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s %.4g\n",
                           pci_part_names[p], context->rates.per_second[p]);
    status = pc_output_open(context, path, &output);
    if (status == PC_OK)
        status = pc_output_write(output, text, (size_t)length);
    if (status == PC_OK)
        return pc_output_commit(output);
    pc_output_free(output);
    return status;
}

typedef struct rates_reader {
    pc_context *context;
    const char *path;
    pci_rates rates;
} rates_reader;

static pc_status read_rate(const rates_reader *reader, const char *line, int number, int part,
                           double *rate)
{
    size_t length = strlen(pci_part_names[part]);
    char *end = NULL;
    if (strncmp(line, pci_part_names[part], length) == 0 && line[length] == ' ')
        *rate = strtod(line + length, &end);
    if (end && end != line + length && *end == '\0' && isfinite(*rate) && *rate > 0)
        return PC_OK;
    return pci_fail(reader->context, PC_ERR_DATA,
                    "%s:%d: '%.40s' is not the rate '%s'; measure anew (pathcount bench "
                    "--calibrate) or delete the file",
                    reader->path, number, line, pci_part_names[part]);
}

/* text is a copy that may be cut up. */
static pc_status read_lines(rates_reader *reader, char *text)
{
    char machine[MACHINE_BYTES], *rest = text;
    pc_status status = describe_machine(reader->context, machine, sizeof machine);
    const char *first = strsep(&rest, "\n"), *second = rest ? strsep(&rest, "\n") : "";
    if (status == PC_OK && (strcmp(first, FIRST_LINE) != 0 || strcmp(second, machine) != 0))
        status = pci_fail(
            reader->context, PC_ERR_ENGINE,
            "%s has rates of another machine, kernel or version; measure those of this one "
            "with pathcount bench --calibrate",
            reader->path);
    for (int p = 0; p < PCI_N_PARTS && status == PC_OK; p++)
        status = read_rate(reader, rest ? strsep(&rest, "\n") : "", p + 3, p,
                           &reader->rates.per_second[p]);
    return status;
}

static pc_status take_text(void *user, const char *text, size_t n_bytes)
{
    rates_reader *reader = user;
    char copy[TEXT_BYTES];
    if (n_bytes >= sizeof copy)
        return pci_fail(reader->context, PC_ERR_DATA, "%s is no file of rates", reader->path);
    memcpy(copy, text, n_bytes);
    copy[n_bytes] = '\0';
    return read_lines(reader, copy);
}

pc_status pc_rates_read(pc_context *context, const char *path)
{
    if (!context || !path)
        return pci_fail_null(context, "path");
    rates_reader reader = {.context = context, .path = path};
    pc_status status = pc_text_read(context, path, take_text, &reader);
    if (status != PC_OK)
        return status;
    reader.rates.is_measured = true;
    context->rates = reader.rates;
    return PC_OK;
}
