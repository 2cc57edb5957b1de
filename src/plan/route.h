/* A route: one way to answer a request, decided to the last detail before anything is computed.
 * A route does not change once it is made; the executor (src/run/run.h) copies what is told of it
 * and notes measured times in the copy. */
#ifndef PCI_ROUTE_H
#define PCI_ROUTE_H

#include "src/plan/acyclic_plan.h"
#include "src/plan/cost.h"
#include "src/engine/engine.h"
#include "src/plan/halves_plan.h"
#include "src/plan/levels.h"
#include "src/plan/recurrence_plan.h"
#include "src/plan/single_plan.h"

/* CUDA costs a program about this long, with one GPU, from its start to the end of the process: less work than that
 * is not worth it. */
#define PCI_CUDA_START_SECONDS 0.45

/* The part of that time that is still to come: none once CUDA is started. */
static inline double pci_cuda_start_seconds(const pc_context *context)
{
    return context->cuda_start_seconds > 0 ? 0 : PCI_CUDA_START_SECONDS;
}

/* The functions that send vectors: those of the engine, or of the processors if it has none. */
static inline const pci_sweep_ops *pci_engine_sweeps(const pci_engine *engine)
{
    return engine->sweeps ? engine->sweeps : &pci_sweep_cpu;
}

/* Where the rows of an answer come from. */
typedef enum pci_source {
    PCI_SOURCE_IDENTITY,   /* A^0 */
    PCI_SOURCE_POWER,      /* squaring on an engine, of a hybrid from rows that were swept on */
    PCI_SOURCE_VECTORS,    /* vectors sent along the arcs, of a whole matrix one a row */
    PCI_SOURCE_SINGLE,     /* one vector, which finds its width while it is sent */
    PCI_SOURCE_HALVES,     /* products of vectors of half the length */
    PCI_SOURCE_ACYCLIC,    /* one pass in topological order adds all lengths up */
    PCI_SOURCE_POLYNOMIAL, /* rows of a power as a polynomial of A */
    PCI_SOURCE_RECURRENCE  /* a term of the recurrence that the answers of short lengths obey */
} pci_source;

enum { PCI_WHY_BYTES = 640 };

typedef struct pci_route {
    pci_source source;
    const pci_engine *engine; /* that multiplies, or sends vectors */
    uint64_t n_swept_rows;    /* of a hybrid: rows swept at a time */
    uint32_t n_answer_limbs;  /* of a query read off a matrix: words of an answer; 0: doubles */
    pci_vectors_plan vectors; /* of VECTORS */
    pci_single_plan single;   /* of SINGLE */
    pci_halves_plan halves;   /* of HALVES */
    pci_acyclic_plan acyclic; /* of ACYCLIC */
    pci_recurrence_plan recurrence; /* of RECURRENCE and POLYNOMIAL */
    pc_plan_info plan;              /* what is told of it; no measured times */
    int rank;                       /* routes of a lower rank come first, whatever they take */
    double seconds;                 /* predicted, the start of CUDA included */
    pc_status status;               /* PC_OK: it can be taken; else why_not says why it cannot */
    char why_not[PCI_WHY_BYTES];
} pci_route;

/* A route of which nothing is decided; NULL when there is no memory for it. */
pci_route *pci_route_create(const pci_request *request);
void pci_route_free(pc_context *context, pci_route *route); /* accepts NULL */

/* Notes why the route cannot be taken: the first reason stays. */
void pci_route_refuse(pci_route *route, pc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Why the route has its engine, in one clause. */
void pci_route_explain(pci_route *route, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether what the route takes fits in memory. */
static inline bool pci_route_fits(const pci_route *route)
{
    return route->plan.memory_bytes <= route->plan.memory_available_bytes;
}

static inline bool pci_route_is_on_cpu(const pci_route *route)
{
    return route->engine == &pci_engine_cpu;
}

/* Whether its engine is a device. The processes that hold a graph in parts are processors, too. */
static inline bool pci_route_is_on_device(const pci_request *request, const pci_route *route)
{
    return !pci_route_is_on_cpu(route) && !request->graph->parts;
}

/* Refuses a route that needs more memory than there is. */
void pci_route_check_memory(const pci_request *request, pci_route *route);

/* ---- Making them: each fills a new route for an engine, and returns an error only where no other
 *      route would help (PC_ERR_CANCELLED, or no memory for the little that planning takes). ------ */

/* Squaring, from A on or from A^sweep_length, which is swept. dense has the levels of the request's
 * length. */
pc_status pci_route_by_power(const pci_request *request, const pc_plan_info *dense,
                             uint64_t sweep_length, const pci_engine *engine, pci_route *route);

/* The levels of a shorter length of a query that such a route answers, length by length: the same
 * engine and, where it is possible, method. PC_ERR_RANGE, PC_ERR_CANCELLED. */
pc_status pci_route_of_length(const pci_request *request, const pci_route *route, uint64_t length,
                              pci_route *made);

/* Rows of a whole matrix by sweeps. dense as above. */
pc_status pci_route_by_rows(const pci_request *request, const pc_plan_info *dense,
                            const pci_engine *engine, pci_route *route);

/* Rows of a whole matrix as a polynomial of A. dense as above. */
pc_status pci_route_by_polynomial(const pci_request *request, const pc_plan_info *dense,
                                  pci_route *route);

/* Vectors for a query; a single one; halves; a recurrence. */
pc_status pci_route_by_vectors(const pci_request *request, const pci_engine *engine,
                               pci_route *route);
pc_status pci_route_by_single(const pci_request *request, const pci_engine *engine,
                              pci_route *route);
pc_status pci_route_by_halves(const pci_request *request, const pci_engine *engine,
                              pci_route *route);
pc_status pci_route_by_recurrence(const pci_request *request, pci_route *route);

/* A pass in topological order. It cannot be taken where there is a cycle or a path that is too long. */
pc_status pci_route_by_order(const pci_request *request, pci_route *route);

/* The options of the sweeps of a hybrid; along is the graph or its reverse. */
pci_swept_options pci_route_swept_options(const pci_request *request, const pci_route *route,
                                          const pc_graph *along);

/* Rows of a block to deliver at a time. */
uint64_t pci_plan_block_rows(const pc_plan_info *plan);

/* Whether the engine of a route keeps the power of each level of a count modulo a number, and reduces it
 * itself: no words of a level go to the host. */
bool pci_route_keeps_power(const pci_request *request, const pci_route *route);

#endif
