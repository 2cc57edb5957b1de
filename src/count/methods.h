/* Counting: a question's plans are tried in their order, each by its method, which pushes rows into
 * a sink.
 *
 * Nobody pulls rows from a method: with a callback each method is one plain loop, where open, next
 * and close would make it a state machine. */
#ifndef PCI_METHODS_H
#define PCI_METHODS_H

#include "src/certify/certify.h"
#include "src/plan/plan.h"

/* ---- Sinks (sink.c) --------------------------------------------------------------------------- */

/* A sink takes answers, block by block, and hands them on: to reductions, to the callback of the
 * caller, or into a matrix that is kept. */
typedef struct pci_sink {
    pc_context *context;
    uint64_t modulus;             /* that all words must be below; 0: rows are no residues */
    pci_certificate *certificate; /* of the rows that a source pushes now, owned; NULL: none */
    uint64_t certified_row;       /* the row of the certificate that row 0 is */
    const uint64_t *hashes; /* of the rows that a source pushes next, computed before; NULL: none */
    bool defers_check;      /* who made the sink certifies the rows, when they were used */

    /* Makes the certificate of rows that an engine squares, in place of one by the arcs of the question's graph, which
     * NULL asks for; who made the sink ends it. Another thread may call it, with a context of its own. */
    pc_status (*make_certificate)(void *user, pc_context *context, pci_certificate **certificate);
    pc_reduction *const
        *reductions; /* [n_reductions] that rows are added to; not when they are kept */
    uint32_t n_reductions;
    pc_answer_fn deliver; /* passes rows on, unless it is NULL; not called when they are kept */
    void *user;
    bool keeps; /* rows are kept in result, n_kept x n_kept */
    uint64_t n_kept;
    pc_counts *result; /* made by pci_sink_open */
    int64_t
        *exponents; /* [n_rows] of kept doubles, whose rows have one each; NULL: all share one */
    uint64_t n_complete; /* lengths, from 1 on, of which all rows were passed on */
    bool has_delivered;  /* rows of a further length were passed on */
    uint64_t length;     /* the last length of which rows were passed on, ... */
    uint64_t n_rows;     /* ... and how many: a second try does not pass them on again */
    double seconds;      /* that reductions and deliver took */
    double certify_seconds;
} pci_sink;

/* Makes room for the result, if it is to be kept and there is none. The first rows that come do so
 * themselves, so that the result is not held beside what making them needs; rows that are made in
 * their place need it before. PC_ERR_MEMORY. */
pc_status pci_sink_open(pci_sink *sink, uint32_t n_limbs);

/* Tells whether the rows themselves are wanted, and not only what they are reduced to. */
bool pci_sink_wants_rows(const pci_sink *sink);

/* Adds rows to the reductions, or copies them to their place in the result; then certifies them, so
 * that whatever happened to them before or meanwhile is found; then passes them on. PC_ERR_CERTIFY
 * when they are wrong; else whatever a reduction or deliver returns. */
pc_status pci_sink_take(pci_sink *sink, uint64_t length, const pc_rows *rows);

/* Takes aggregates of all rows in place of the rows, and certifies them then, likewise: the engine
 * took the dot products after the rest. is_wanted[n] is set to 1 for the rows that reductions want
 * to see. */
pc_status pci_sink_take_aggregates(pci_sink *sink, const pci_aggregates *aggregates,
                                   uint8_t *is_wanted);

/* Takes a row that was wanted. PC_ERR_CERTIFY. */
pc_status pci_sink_take_wanted(pci_sink *sink, const pc_rows *row);

/* Ends the certificate, when a source has pushed all of its rows. */
void pci_sink_end_certificate(pci_sink *sink);

/* Adds the times of a sink within a run to those of the run. */
void pci_sink_add_seconds(const pci_sink *sink, pc_plan_info *info);

/* Notes that all rows of a length were passed on. */
void pci_sink_complete(pci_sink *sink, uint64_t length);

/* Drops what was kept or reduced, so that another plan may begin anew. Rows that were passed on
 * stay so: each of them was certified. */
void pci_sink_reset(pci_sink *sink);

/* ---- Gathered numbers ------------------------------------------------------------------------- */

/* Numbers of an answer that are kept until all are there. They are gathered twice where they are
 * certified, and both copies must agree before one of them leaves. */
typedef struct pci_gathered {
    pc_context *context;
    const char *name;      /* in the message of copies that differ */
    uint64_t modulus;      /* of residues, which are below 2^63; 0: integers or doubles */
    uint64_t n_lengths, n; /* numbers of a length */
    uint32_t n_limbs;      /* of a number; 0: doubles */
    int n_copies;
    uint64_t *words;   /* [n_copies][n_lengths][n][n_limbs], or one word for each double */
    int64_t *exponent; /* [n_copies][n_lengths][n] of doubles; else NULL */
} pci_gathered;

/* All numbers are 0. The caller frees what gathered holds, whatever the status. PC_ERR_MEMORY. */
pc_status pci_gathered_create(const pci_question *question, const char *name, uint64_t n_lengths,
                              uint64_t n, uint32_t n_limbs, pci_gathered *gathered);
void pci_gathered_free(pci_gathered *gathered); /* accepts one of zeros */

/* The words of number i of the first length on, in a copy. */
uint64_t *pci_gathered_at(const pci_gathered *gathered, int copy, uint64_t i);

/* Adds entry e of rows to a number in a copy. */
void pci_gathered_add(pci_gathered *gathered, int copy, uint64_t i, const pc_rows *rows,
                      uint64_t e);

/* Adds each entry of rows to the first number, in all copies. */
void pci_gathered_add_rows(pci_gathered *gathered, const pc_rows *rows);

/* Passes the numbers on, as a column for each length from the given one on, in n_limbs words or as
 * many fewer as the widest needs where they are trimmed; then all are 0 again. PC_ERR_CERTIFY when
 * copies differ; else errors of the sink. */
pc_status pci_gathered_deliver(pci_gathered *gathered, uint64_t length, bool is_trimmed,
                               pci_sink *sink);

/* ---- Plans and runs --------------------------------------------------------------------------- */

/* A plan on its way. */
struct pci_execution {
    const pci_question *question;
    const pci_plan *plan;
    pc_plan_info *info; /* a copy of what the plan tells, for measured times */
    pci_sink *sink;
};

extern const pci_method pci_by_vector, pci_by_pass, pci_by_recurrence, pci_by_polynomial,
    pci_by_added_powers, pci_by_quotient, pci_by_cover, pci_by_formulas, pci_by_search, pci_by_sets,
    pci_by_shortest;

/* Checks a question, bounds it and lists its plans by the methods of a table that ends with NULL.
 * The caller frees what plans holds, and plans must not be moved until then; graph and what query
 * points to must outlive it. Fails, for the reason of the plan that came nearest, when none can be
 * taken; plans then holds nothing. */
pc_status pci_plans_make(const pci_method *const *methods, pc_context *context,
                         const pc_graph *graph, const pc_query *query,
                         const pc_count_options *options, pc_plan *plans);
void pci_plans_end(pc_plan *plans);

/* Notes in the plan the relative error of every number of the answer, and of the sums over them in
 * a summary; 0 of integers. PC_ERR_MEMORY. */
pc_status pci_relative_error(const pci_question *question, pci_plan *plan);

/* Answers what was planned: by the first plan; where its device gives up, and nobody asked for the
 * device, by the next plan of the processors, from the first length on that was not passed on. Rows
 * are added up where the kind of question says so. The info of the plans then tells what ran, with
 * measured times. */
pc_status pci_run_plans(pc_plan *plans, pci_sink *sink);

/* Answers by one plan; info becomes what it tells, with measured times. */
pc_status pci_run_plan(const pc_plan *plans, const pci_plan *plan, pci_sink *sink,
                       pc_plan_info *info);

/* Turns plans of a matrix into plans of the answers that are read off it. Errors as
 * pci_vectors_answer_bits. */
pc_status pci_plan_reading(const pci_question *question, uint32_t n_plans, pci_plan **plans);

/* A query that is read off the whole matrix of each length, which the method of the plan makes. */
pc_status pci_read_off(const pci_execution *run);

/* The first n_terms numbers that obey the recurrence of a pci_recurrence_plan, user, modulo a
 * prime, counted by sweeps (a pci_terms_fn). Errors fail the check of the recurrence, so nothing is
 * computed twice. */
pc_status pci_find_terms(void *user, uint64_t prime, size_t n_terms, uint64_t *a);

/* ---- What methods share ---------------------------------------------------------------------- */

/* CUDA costs a program about this long, with one GPU, from its start to the end of the process:
 * less work than that is not worth it. */
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

/* ---- Graphs without cycles (acyclic.c) --------------------------------------------------------- */

/* log2 of a limit of the number of all paths, and so of any part of them. order is that of pci_graph_order; at[n] is
 * scratch. */
double pci_all_paths_bits(const pc_graph *graph, const uint32_t *order, double *at);

/* to[n_words] += times * number[n]; n is no more than n_words, which hold the sum. */
void pci_add_times(size_t n_words, uint64_t *to, size_t n, const uint64_t *number, uint64_t times);

/* ---- Guesses --------------------------------------------------------------------------------- */

/* Threads that the question is worth, as far as can be guessed before its plans are made. */
int pci_guess_threads(const pci_question *question);

/* Adds the work of vectors that answer a query, limits and certificate included. */
void pci_guess_sweep_work(const pci_question *question, pci_work *work);

/* About how long the processors take to square as often as the query wants. */
double pci_guess_matrix_seconds(const pci_question *question);

/* About how long the recurrence of a number takes, and its term; INFINITY when it takes too many
 * operations. */
double pci_guess_recurrence_seconds(const pci_question *question);

/* The same of a whole power as a polynomial of A, with its certificate; INFINITY where it cannot
 * pay. */
double pci_guess_polynomial_seconds(const pci_question *question);

/* Adds the work of adding rows of so many words up, length by length. */
void pci_guess_added_rows(const pci_question *question, double n_limbs, pci_work *work);

/* Tells whether one power of a graph with twice as many vertices adds all lengths up. */
bool pci_may_add_powers(const pci_question *question);

/* Returns the number of matrices that a query takes which is read off matrices; shorter ones take
 * less time. */
double pci_guess_n_matrices(const pci_question *question);

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Tells whether a matrix may be squared: its levels are in question->dense. */
bool pci_may_square(const pci_question *question);

/* Tells whether its counts have more bits than products of residues can make. */
bool pci_is_too_wide(const pci_question *question);

/* Tells whether rows of integers or residues may be made of other rows, those of classes or of a cover, and whether finding
 * these takes a small part of the count at most. */
bool pci_may_make_rows(const pci_question *question);

/* Seconds for finding vertices that are alike, or a cover. */
double pci_find_seconds(const pc_graph *graph);

/* Tells whether it will be squared on a GPU, and on nothing else. */
bool pci_is_for_device(const pci_question *question);

/* Plans the power of another graph, of the question's length or of all lengths up to it, on the processors, without a
 * quotient and with n_rounds of a certificate. Errors as those of pc_plan_create. */
pc_status pci_plan_other_power(const pci_question *question, const pc_graph *graph, bool up_to,
                               pc_method method, int n_rounds, pc_plan **plan);

/* Handles it when that failed. A power of so many bytes may be refused for the memory that it needs;
 * for a small one there is none at all. */
pc_status pci_plan_settle_power(const pci_question *question, pc_status status, double bytes,
                                pci_plan *plan);

/* Sets the engine that sends the vectors, and predicts how long this work takes there. */
pc_status pci_plan_engine(const pci_question *question, const pci_engine *engine,
                          const pci_work *work, pci_plan *plan);

/* Sets what the plans of all queries by vectors have in common. */
pc_status pci_plan_query(const pci_question *question, const pci_engine *engine, pci_plan *plan);

/* Handles a part of a plan that failed: the plan is refused, unless no other plan would help.
 * is_too_large says that the part failed because the plan needs too much memory. */
pc_status pci_plan_settle(const pci_question *question, pc_status status, bool is_too_large,
                          pci_plan *plan);

/* Notes the memory that a query takes, and the graph's. */
void pci_plan_note_bytes(const pci_question *question, double bytes, pci_plan *plan);

/* Notes the memory that rows of a matrix take, the graph's and that of a program, and refuses the plan where there is less. */
void pci_plan_memory_of_rows(const pci_question *question, double bytes, pci_plan *plan);

/* PC_ERR_MEMORY when a query needs more bytes than there are. */
pc_status pci_query_check_memory(pc_context *context, uint64_t available, double needed);

#endif
