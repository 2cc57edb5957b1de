/* The options that choose columns, separator and header of an edge list. */
#include "io/readings.h"

#include "graphs/labels.h"

#include <string.h>

bool pci_asks_columns(const pc_graph_options *options)
{
    return options && (options->columns || options->separator || options->header);
}

static pc_status parse_column(pc_context *context, pci_asked *a, uint32_t i)
{
    uint64_t number;
    pci_integer kind = pci_integer_parse(a->text[i], a->length[i], &number);
    a->number[i] = PCI_NO_COLUMN;
    a->has_names = a->has_names || kind == PCI_NOT_INTEGER;
    if (kind == PCI_NOT_INTEGER)
        return PC_OK;
    if (kind == PCI_INTEGER_TOO_BIG || number == 0 || number >= PCI_NO_COLUMN)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "--columns: '%.*s' is no column: they are numbered from 1 on",
                        (int)a->length[i], a->text[i]);
    a->number[i] = (uint32_t)(number - 1);
    for (uint32_t j = 0; j < i; j++)
        if (a->number[j] == a->number[i])
            return pci_fail(context, PC_ERR_ARGUMENT, "--columns names a column twice");
    return PC_OK;
}

static pc_status parse_columns(pc_context *context, const char *text, pci_asked *a)
{
    enum { MOST = sizeof a->text / sizeof *a->text };
    for (const char *at = text; at; a->n_columns++) {
        const char *comma = strchr(at, ',');
        size_t length = comma ? (size_t)(comma - at) : strlen(at);
        if (a->n_columns == MOST || length == 0) {
            a->n_columns = 0;
            break;
        }
        a->text[a->n_columns] = at;
        a->length[a->n_columns] = length;
        pc_status status = parse_column(context, a, a->n_columns);
        if (status)
            return status;
        at = comma ? comma + 1 : NULL;
    }
    if (a->n_columns >= 2)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "--columns '%s' must be FROM,TO or FROM,TO,WEIGHT, each the number or the name "
                    "of a column",
                    text);
}

static pc_status parse_separator(pc_context *context, const char *text, pci_asked *a)
{
    const char *arrow;
    size_t length = strlen(text), n;
    char padded[PCI_ARROW_BYTES + 2] = " ";
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) {
        a->separator = '\t';
    } else if (strcmp(text, "space") == 0) {
        a->separator = ' ';
    } else if (length == 1 && (unsigned char)*text >= ' ' && *text != '"' && *text != 0x7f) {
        a->separator = *text;
    } else if (length > 1 && length < PCI_ARROW_BYTES) {
        memcpy(padded + 1, text, length + 1);
        if (pci_arrow_find(padded, padded + 1 + length, &arrow, &n) && n == length)
            memcpy(a->arrow, text, length + 1);
    }
    if (a->separator || *a->arrow)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "--separator '%s' must be tab, space, one character other than a quote, or an "
                    "arrow such as ->",
                    text);
}

pc_status pci_asked_parse(pc_context *context, const pc_graph_options *options, pci_asked *a)
{
    pc_status status = PC_OK;
    if (!options)
        return PC_OK;
    a->header = options->header;
    if ((unsigned)options->header > PC_HEADER_NONE)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown header %d", (int)options->header);
    if (options->columns)
        status = parse_columns(context, options->columns, a);
    if (status == PC_OK && options->separator)
        status = parse_separator(context, options->separator, a);
    if (status == PC_OK && a->has_names && a->header == PC_HEADER_NONE)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "--columns has names, which need a header: give numbers with --no-header");
    return status;
}
