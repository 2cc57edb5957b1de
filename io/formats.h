/* Which format a file has: by what was asked for, by its text, by its name. */
#ifndef PCI_FORMATS_H
#define PCI_FORMATS_H

#include "io/readings.h"

/* What becomes of the text: a graph, or a relation, which only edge lists and Matrix Market hold. */
typedef enum pci_purpose { PCI_FOR_GRAPH, PCI_FOR_RELATION } pci_purpose;

/* Replaces PC_FORMAT_AUTO by the format of the text from begin on, and sets *reading for the formats that have readings
 * (pci_has_readings); else it is all zero. PC_ERR_DATA when the text, or the name of its file, is of a format that is
 * not read here, or when it is not certain how to read it; the message names what it may be and what to do. */
pc_status pci_format_choose(const pci_input *input, const char *begin, pci_purpose purpose,
                            const pc_graph_options *options, pc_format *format,
                            pci_reading *reading);

/* Adds to the message, where the text does not tell the format but the name of its file does, how it is read as an
 * edge list. Returns the status of the reader that failed. */
pc_status pci_format_explain(const pci_input *input, const char *begin, pc_format format,
                             pc_status status);

#endif
