/* Messages about a place in an input: they name the line. */
#include "io/window.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static pc_status fail_at(const pci_input *input, uint64_t offset, const char *format,
                         va_list arguments)
{
    char sentence[1024];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    pc_status status = pci_input_check(input);
    if (status)
        return status;
    uint64_t line = 1 + pci_line_ends_before(input, offset);
    return pci_fail(input->context, PC_ERR_DATA, "%s:%" PRIu64 ": %s", input->name, line, sentence);
}

pc_status pci_input_fail_at(const pci_input *input, uint64_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pc_status status = fail_at(input, offset, format, arguments);
    va_end(arguments);
    return status;
}

pc_status pci_input_fail(const pci_input *input, const char *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pc_status status = fail_at(input, (uint64_t)(at - input->text), format, arguments);
    va_end(arguments);
    return status;
}

/* ---- Vertices that are stated ---------------------------------------------------------------- */

uint64_t pci_most_stated_vertices(uint64_t max_vertices, uint64_t n_bytes)
{
    return max_vertices > 0 ? max_vertices : PC_STATED_VERTICES + n_bytes;
}

pc_status pci_input_check_stated(const pci_input *input, uint64_t offset, uint64_t n_vertices,
                                 const pc_graph_options *options)
{
    uint64_t most = pci_most_stated_vertices(options ? options->max_vertices : 0, input->n_all);
    if (n_vertices <= most)
        return PC_OK;
    return pci_input_fail_at(input, offset,
                             "%" PRIu64 " vertices: a file of %" PRIu64 " bytes may state %" PRIu64
                             " (--max-vertices N allows more)",
                             n_vertices, input->n_all, most);
}
