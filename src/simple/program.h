/* A formula as passes over sources: each pass is a list of instructions on rows, which are held for a few sources at a
 * time. All passes but the last one make numbers of all sources or arcs, which later passes need. */
#ifndef PCI_PROGRAM_H
#define PCI_PROGRAM_H

#include "src/simple/formula.h"

enum {
    PCI_PROGRAM_PASSES = 16,
    PCI_PROGRAM_INSTRUCTIONS = 1024,
    PCI_PROGRAM_REGISTERS = 64,
    PCI_NO_VALUES = UINT16_MAX
};

typedef enum pci_instruction_kind {
    PCI_ARCS, /* to = the arcs of the source in a matrix, times from if there is one, entry by entry */
    PCI_ALONG,    /* to = from times a matrix, which is given transposed */
    PCI_MULTIPLY, /* to = from times other, entry by entry */
    PCI_CLEAR,    /* to = 0 */
    PCI_ADD,      /* to += coefficient * scale * vector * from; `is_first`: to = */
    PCI_ADD_ARCS, /* the same of the arcs of the source in a matrix, times from if there is one */
    PCI_MAKE_TOTAL, /* the value of the source becomes the sum of from times a vector; where a matrix is given, of
                     * its arcs times from */
    PCI_MAKE_PICK /* the values of the arcs of the source, in a base, become entries of from */
} pci_instruction_kind;

typedef struct pci_instruction {
    uint8_t kind;
    bool is_first, has_from;
    uint16_t to, from, other; /* registers */
    int64_t coefficient;
    uint16_t matrix, vector, scale; /* expressions; PCI_NO_VALUES: none */
    uint16_t made;                  /* the expression whose values are made */
} pci_instruction;

typedef struct pci_pass {
    uint32_t first, n; /* instructions */
    uint32_t base;     /* whose rows are the sources */
} pci_pass;

typedef struct pci_program {
    pci_formula *formula;
    uint32_t n_passes, n_instructions, n_registers;
    uint32_t n_steps; /* along all arcs, of the last pass; of all other passes: */
    uint32_t n_more_steps;
    uint16_t result; /* the register that has the row of the answer after the last pass */
    pci_pass pass[PCI_PROGRAM_PASSES];
    pci_instruction instruction[PCI_PROGRAM_INSTRUCTIONS];
} pci_program;

/* Makes the program of a formula, which it owns from then on, also when it fails. PC_ERR_MEMORY, PC_ERR_INTERNAL when
 * there are more instructions than it has room for. */
pc_status pci_program_create(pc_context *context, pci_formula *formula, pci_program **program);
void pci_program_free(pc_context *context, pci_program *program);

#endif
