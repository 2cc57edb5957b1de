/* The table of the kinds of question. */
#include "src/plan/question.h"

static const pci_question_kind KINDS[] = {
    [PC_QUERY_FROM] = {.reads = PCI_READS_ROWS, .has_from = true, .reversed = true},
    [PC_QUERY_TO] = {.reads = PCI_READS_ROWS, .has_to = true},
    [PC_QUERY_PAIRS] = {.reads = PCI_READS_ENTRIES, .has_from = true, .has_to = true},
    [PC_QUERY_TOTAL] = {.reads = PCI_READS_TOTAL},
    [PC_QUERY_STARTS] = {.reads = PCI_READS_SUMS},
    [PC_QUERY_ENDS] = {.reads = PCI_READS_SUMS, .reversed = true},
    [PC_QUERY_CLOSED] = {.reads = PCI_READS_DIAGONAL},
    [PC_QUERY_TRACE] = {.reads = PCI_READS_DIAGONAL, .is_summed = true},
    [PC_QUERY_MATRIX] = {.reads = PCI_READS_ROWS, .is_matrix = true, .reversed = true}};

const pci_question_kind *pci_kind_row(pc_query_kind kind)
{
    return (unsigned)kind < sizeof KINDS / sizeof *KINDS ? &KINDS[kind] : NULL;
}

pc_query_kind pci_kind_that_reads(pci_reads reads, bool is_summed)
{
    unsigned kind = 0;
    while (KINDS[kind].reads != reads || KINDS[kind].is_summed != is_summed)
        kind++;
    return (pc_query_kind)kind;
}
