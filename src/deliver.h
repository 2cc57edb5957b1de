/* From a computed power to whoever wants its rows. */
#ifndef PCI_DELIVER_H
#define PCI_DELIVER_H

#include "src/certify.h"
#include "src/plan.h"

/* Where rows go: into result, which is as large as the matrix, or to deliver, block by block. */
typedef struct pci_destination {
    bool keeps;        /* rows are kept in result */
    pc_counts *result; /* made by pci_destination_open */
    pc_rows_fn deliver;
    void *user;
    bool has_delivered;  /* deliver has been called: there is no second try */
    pc_context *context; /* set by pci_destination_open, as is ... */
    uint64_t modulus;    /* ... what every count must be below; 0: no limit */
} pci_destination;

/* Makes room for the result if it is to be kept. Called before rows are delivered, when the power is there, so that the result
 * is not held beside what squaring needs. */
pc_status pci_destination_open(pc_context *context, const pc_plan *plan,
                               pci_destination *destination);

/* Copies rows to their place in the result, or passes them on. PC_ERR_CERTIFY for residues that are
 * not reduced. */
pc_status pci_deliver_rows(pci_destination *destination, const pc_rows *rows);

/* What the plan's paths must be certified by, unless options say not: then NULL. Notes the time. */
pc_status pci_certify_paths(pc_context *context, const pc_graph *graph,
                            const pci_schedule *schedule, pc_plan *plan,
                            pci_certificate **certificate);

/* Rows of integers as they come: checked against certificate (NULL: unchecked), then passed on or
 * put into their place in the result, unless they are there. Notes the times in plan. */
pc_status pci_deliver_checked(pc_context *context, const pci_certificate *certificate,
                              pci_destination *destination, const pc_rows *rows, uint64_t *place,
                              pc_plan *plan);

/* Collects the run's matrix in row blocks, checks each against certificate (NULL: unchecked) and
 * passes it on. Notes the times in plan. */
pc_status pci_deliver_run(pc_context *context, const pci_schedule *schedule, pci_run *run,
                          const pci_certificate *certificate, pci_destination *destination,
                          pc_plan *plan);

/* Passes on a matrix that is there whole: words or, when values is not NULL, doubles. */
pc_status pci_deliver_matrix(pc_context *context, const uint64_t *words, const double *values,
                             int64_t exponent, pci_destination *destination, pc_plan *plan);

/* A count: plans, counts and delivers, once more on the CPU where an engine that nobody insisted on
 * gives up before a row was delivered. *plan gets its times (count.c). */
pc_status pci_count(pc_context *context, const pci_request *request, pci_destination *destination,
                    pc_plan *plan);

#endif
