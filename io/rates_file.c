/* The file of rates: a line "name value" for each, and before them the version and the machine.
 * Rates of another machine would mislead, so the machine is compared first. Numbers have a decimal
 * point in every locale. */
#include "io/output.h"
#include "pathcount_measure.h"

#include "src/cpu/kernel.h"
#include "src/core/memory.h"

#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* The locale of the thread before numbers are printed or read, and the one for numbers. */
typedef struct number_locale {
    locale_t before, own; /* own (locale_t)0: there is none, and that of the thread stays */
} number_locale;

static number_locale enter_number_locale(void)
{
    locale_t own = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return (number_locale){.before = uselocale(own), .own = own};
}

static void leave_number_locale(number_locale *locale)
{
    uselocale(locale->before);
    if (locale->own)
        freelocale(locale->own);
}

static size_t put_rates(const pci_rates *rates, size_t size, char *text)
{
    size_t length = 0;
    number_locale locale = enter_number_locale();
    for (int p = 0; p < PCI_N_PARTS; p++)
        length += (size_t)snprintf(text + length, size - length, "%s %.4g\n", pci_part_names[p],
                                   rates->per_second[p]);
    leave_number_locale(&locale);
    return length;
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
    length += put_rates(&context->rates, sizeof text - length, text + length);
    status = pc_output_open(context, path, &output);
    if (status == PC_OK)
        status = pc_output_write(output, text, length);
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

/* Cuts the text up. */
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
    rates_reader reader = {.context = context, .path = path};
    char text[TEXT_BYTES];
    pc_status status = read_text(context, path, text);
    if (status != PC_OK)
        return status;
    number_locale locale = enter_number_locale();
    status = read_lines(&reader, text);
    leave_number_locale(&locale);
    if (status != PC_OK)
        return status;
    reader.rates.is_measured = true;
    context->rates = reader.rates;
    return PC_OK;
}
