/* All paths of a graph without cycles, whatever their lengths, by one pass in topological order:
 * lengths that are added up to the longest path or beyond. With s the vector that a sweep would
 * begin with, y = s A + s A^2 + ... is (s + y) A, and y(v) is known when the arcs into v have been
 * followed: each vertex passes on what it has, and one for itself where paths begin, along its
 * arcs. Exact numbers are certified as one step; passes modulo a number are made twice, and
 * compared. The same pass in logarithms finds the width of the numbers. */
#include <gmp.h>

#include "src/certify/step_check.h"
#include "src/core/number.h"
#include "src/count/methods.h"
#include "src/cpu/modular.h"
#include "src/vectors/long_vector.h"

#include <math.h>
#include <string.h>

enum { ASK_EVERY = 1 << 14 /* vertices */ };

typedef struct pass_plan {
    bool reversed;      /* columns are asked for: arcs are followed backwards */
    uint64_t n_vectors; /* passes, of a matrix one a row */
    uint64_t longest;   /* arcs of the longest path */
    double bits;        /* log2 of a limit of all numbers; 0 of residues */
    uint32_t n_words;
    double bytes; /* beside the graph */
} pass_plan;

/* ---- The plan -------------------------------------------------------------------------------- */

/* log2(2^a + 2^b); -INFINITY stands for 0. */
static double log2_add(double a, double b)
{
    double more = fmax(a, b), less = fmin(a, b);
    return less == -INFINITY ? more : more + log2(1 + exp2(less - more));
}

double pci_all_paths_bits(const pc_graph *graph, const uint32_t *order, double *at)
{
    double sum = -INFINITY;
    for (uint64_t v = 0; v < graph->n; v++)
        at[v] = -INFINITY;
    for (uint64_t i = 0; i < graph->n; i++) {
        uint32_t v = order[i];
        double own = log2_add(0, at[v]);
        sum = log2_add(sum, at[v]);
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            double bits = graph->weight ? log2((double)graph->weight[a]) : 0;
            at[graph->column[a]] = log2_add(at[graph->column[a]], own + bits);
        }
    }
    /* No sum is rounded by more than a few parts in 2^52 of the largest one. */
    double n_roundings = (double)pci_graph_n_arcs(graph) + 2 * (double)graph->n;
    return fmax(0, sum + sum * n_roundings * 0x1p-48) + 0x1p-20;
}

/* Decides; *is_acyclic tells whether the graph has no path that is longer than those asked for. */
static pc_status make_plan(const pci_question *question, pass_plan *plan, bool *is_acyclic)
{
    pc_context *context = question->context;
    const pc_graph *graph = question->graph;
    const pci_question_kind *kind = question->kind;
    const pc_query *query = &question->query;
    double n = (double)graph->n, n_arcs = (double)pci_graph_n_arcs(graph);
    int n_rounds = question->options.n_certify_rounds;
    uint32_t *order;
    *is_acyclic = false;
    pc_status status = pci_graph_order(context, graph, &order, &plan->longest);
    if (status != PC_OK || !order)
        return status;
    double *at = NULL;
    if (plan->longest <= query->length && !(at = pci_alloc(context, (graph->n + 1) * sizeof *at)))
        status = pci_fail_memory(context, "limits of paths", graph->n * sizeof *at);
    if (at) {
        *is_acyclic = true;
        plan->reversed =
            !kind->reversed && (kind->reads == PCI_READS_ROWS || kind->reads == PCI_READS_SUMS);
        plan->n_vectors = pci_question_n_vectors(question);
        if (kind->reads == PCI_READS_ENTRIES) {
            plan->n_vectors = query->n_asked > 0;
            for (uint64_t i = 1; i < query->n_asked; i++) /* those that follow may share a vector */
                plan->n_vectors += query->from[i] != query->from[i - 1];
        }
        plan->bits = question->options.modulus ? 0 : pci_all_paths_bits(graph, order, at);
        plan->n_words = (uint32_t)(plan->bits / 64) + 1;
        plan->bytes = 8.0 * plan->n_words + pci_long_vector_bytes(graph->n, plan->n_words);
        if (n_rounds) /* residues are made twice */
            plan->bytes += question->options.modulus ? pci_long_vector_bytes(graph->n, 1)
                                                     : pci_step_check_bytes(graph->n, n_rounds);
        plan->bytes += plan->reversed ? n_arcs * (graph->weight ? 12 : 4) + 8 * n : 0;
        plan->bytes = 4 * n + fmax(plan->bytes, 12 * n); /* finding the order takes more than it */
    }
    pci_free(context, at);
    pci_free(context, order);
    return status;
}

/* The work of a pass of one thread for an arc and for a word, and of its plan and its check, in
 * arcs of a pass. */
static const double ORDER_ARC = 8, ORDER_ARC_WORD = 1, ORDER_ONCE = 60;

static pc_status plan_pass(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    pass_plan *acyclic = pci_plan_choice(question, sizeof *acyclic, plan);
    pc_plan_info *info = &plan->info;
    pci_work work = {{0}};
    bool is_acyclic = false;
    if (!acyclic)
        return PC_ERR_MEMORY;
    info->memory_available_bytes = pci_question_available(question);
    pc_status status = make_plan(question, acyclic, &is_acyclic);
    double passes = (double)acyclic->n_vectors * (ORDER_ARC + ORDER_ARC_WORD * acyclic->n_words);
    if (status == PC_OK)
        pci_cost_serial_passes(question->context, question->graph, passes + ORDER_ONCE, &work);
    if (status == PC_OK)
        status = pci_plan_engine(question, engine, &work, plan);
    if (status == PC_OK && !is_acyclic)
        pci_plan_refuse(plan, PC_ERR_RANGE, "paths may be longer than the lengths asked for");
    if (status != PC_OK || !is_acyclic)
        return pci_plan_settle(question, status, false, plan);
    info->sweep_length = 0;
    info->n_vectors = acyclic->n_vectors;
    info->n_limbs = acyclic->n_words;
    info->bound_bits = acyclic->bits;
    if (!question->kind->is_matrix) {
        pci_plan_note_bytes(question, acyclic->bytes, plan);
        pci_plan_check_memory(question, plan);
        return PC_OK;
    }
    double n = (double)question->graph->n;
    pci_plan_memory_of_rows(
        question, acyclic->bytes + (question->query.keeps ? 8 * n * n * info->n_limbs : 0), plan);
    return PC_OK;
}

/* ---- The run --------------------------------------------------------------------------------- */

typedef struct pass {
    pc_context *context;
    const pass_plan *plan;
    const pc_graph *graph; /* whose arcs are followed */
    pc_graph *reverse;     /* of those that are followed backwards; else NULL */
    uint32_t *order;       /* [n] */
    uint64_t modulus;      /* 0: exact */
    pci_long_vector sum;   /* of all lengths above 0 */
    pci_long_vector again; /* the same, of residues that are made twice; else no words */
    uint64_t *own;         /* [n_words]: what a vertex passes on */
    pci_gathered total;
    pci_step_check *check; /* NULL: unchecked */
    double certify_seconds;
} pass;

/* Adds one, or takes one off, where paths begin: at a vertex, or at each when start is NULL. */
static void add_starts(pass *p, const uint64_t *start, bool adds)
{
    mp_size_t n_words = (mp_size_t)p->plan->n_words;
    uint64_t first = start ? *start : 0, end = start ? first + 1 : p->graph->n;
    for (uint64_t v = first; v < end; v++) {
        uint64_t *at = p->sum.words + v * p->plan->n_words;
        if (adds)
            mpn_add_1(at, at, n_words, 1);
        else
            mpn_sub_1(at, at, n_words, 1);
    }
}

void pci_add_times(size_t n_words, uint64_t *to, size_t n, const uint64_t *number, uint64_t times)
{
    if (n == 0)
        return;
    uint64_t carry = times == 1 ? mpn_add_n(to, to, number, (mp_size_t)n)
                                : mpn_addmul_1(to, number, (mp_size_t)n, times);
    if (n < n_words)
        mpn_add_1(to + n, to + n, (mp_size_t)(n_words - n), carry);
}

/* The sum of all paths from a vertex, or from all, to each: what a vertex has, and one where paths
 * begin, is passed on to those behind its arcs. */
static pc_status fill(pass *p, const uint64_t *start, uint64_t *sum)
{
    const pc_graph *graph = p->graph;
    uint64_t n = graph->n, modulus = p->modulus;
    size_t n_words = p->plan->n_words;
    pc_status status = PC_OK;
    memset(sum, 0, n * n_words * sizeof *sum);
    for (uint64_t i = 0; i < n && status == PC_OK; i++) {
        uint64_t v = p->order[p->plan->reversed ? n - 1 - i : i], *own = p->own;
        bool begins = !start || *start == v;
        if (i % ASK_EVERY == 0)
            status = pci_progress(p->context, "sweep", (double)i / (double)n);
        if (modulus)
            *own = (sum[v] + begins) % modulus;
        else
            mpn_add_1(own, sum + v * n_words, (mp_size_t)n_words, begins);
        size_t n_own = pci_number_trim(own, n_words);
        uint64_t first = graph->row_start[v], end = n_own ? graph->row_start[v + 1] : first;
        for (uint64_t a = first; modulus && a < end; a++) {
            uint64_t *to = sum + graph->column[a];
            uint64_t more =
                graph->weight ? pci_multiply_mod(*own, graph->weight[a], modulus) : *own;
            *to = *to >= modulus - more ? *to - (modulus - more) : *to + more;
        }
        for (uint64_t a = first; !modulus && a < end; a++)
            pci_add_times(n_words, sum + graph->column[a] * n_words, n_own, own,
                          pci_graph_weight(graph, a));
    }
    return status;
}

/* The sum into p->sum, checked. With x what is passed on, an exact sum must be what one step makes
 * of it. */
static pc_status run_pass(pass *p, const uint64_t *start)
{
    pc_status status = fill(p, start, p->sum.words);
    double now = pci_now_seconds();
    if (status == PC_OK && p->check) {
        add_starts(p, start, true);
        pci_step_check_start(p->check, &p->sum);
        add_starts(p, start, false);
        status = pci_step_check_step(p->check, &p->sum);
    }
    if (status == PC_OK && p->again.words) {
        status = fill(p, start, p->again.words);
        if (status == PC_OK &&
            memcmp(p->sum.words, p->again.words, p->graph->n * sizeof *p->sum.words))
            status = pci_fail_check(p->context, "a pass in topological order");
    }
    p->certify_seconds += pci_now_seconds() - now;
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Answers by a pass for each row, or for each vertex or pair; by one pass for sums. The second of
 * two pairs that begin at the same vertex needs no pass. */
static pc_status answer(pass *p, const pci_execution *run)
{
    const pci_question_kind *kind = run->question->kind;
    const pc_query *query = &run->question->query;
    const uint64_t *starts = kind->has_from ? query->from : query->to;
    bool is_of_all = pci_kind_is_of_all(kind), is_pair = kind->reads == PCI_READS_ENTRIES;
    uint64_t n = p->graph->n, n_passes = is_of_all ? 1 : kind->is_matrix ? n : query->n_asked;
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < n_passes && status == PC_OK; i++) {
        const uint64_t *start = is_of_all ? NULL : kind->is_matrix ? &i : &starts[i];
        if (!is_pair || i == 0 || starts[i] != starts[i - 1])
            status = run_pass(p, start);
        pc_rows rows = {.first_row = i,
                        .n_rows = is_of_all ? n : 1,
                        .n_columns = is_of_all || is_pair ? 1 : n,
                        .n_limbs = p->plan->n_words,
                        .limbs = p->sum.words};
        if (is_pair)
            rows.limbs += query->to[i] * p->plan->n_words;
        if (status == PC_OK && kind->reads == PCI_READS_TOTAL) {
            pci_gathered_add_rows(&p->total, &rows);
            status = pci_gathered_deliver(&p->total, query->length, true, run->sink);
        } else if (status == PC_OK && rows.n_rows) {
            status = pci_sink_take(run->sink, query->length, &rows);
        }
    }
    return status;
}

static pc_status run_pass_plan(const pci_execution *run)
{
    const pci_question *question = run->question;
    const pass_plan *plan = run->plan->choice;
    pc_context *context = question->context;
    uint64_t longest, n = question->graph->n;
    int n_rounds = question->options.n_certify_rounds;
    pass p = {.context = context,
              .plan = plan,
              .graph = question->graph,
              .modulus = question->options.modulus,
              .sum = {.context = context},
              .again = {.context = context}};
    pc_status status = pci_graph_order(context, p.graph, &p.order, &longest);
    if (status == PC_OK && !p.order)
        status = pci_fail_check(context, "the graph, which has a cycle now,");
    if (status == PC_OK && plan->reversed) {
        status = pci_graph_reverse(context, p.graph, &p.reverse);
        p.graph = p.reverse;
    }
    if (status == PC_OK)
        status = pci_long_vector_create(context, NULL, n, plan->n_words, &p.sum);
    p.sum.n_words = plan->n_words;
    if (status == PC_OK && !(p.own = pci_alloc(context, plan->n_words * sizeof *p.own)))
        status = pci_fail_memory(context, "sums of paths", plan->n_words * sizeof *p.own);
    if (status == PC_OK)
        status = pci_gathered_create(question, "the total", 1, 1, plan->n_words, &p.total);
    double now = pci_now_seconds();
    if (status == PC_OK && n_rounds && p.modulus)
        status = pci_long_vector_create(context, NULL, n, 1, &p.again);
    if (status == PC_OK && n_rounds && !p.modulus)
        status = pci_step_check_create(context, NULL, p.graph, 1, n_rounds, &p.check);
    p.certify_seconds = pci_now_seconds() - now;
    if (status == PC_OK)
        status = answer(&p, run);
    run->info->seconds.certify = p.certify_seconds;
    pci_step_check_free(p.check);
    pci_long_vector_free(&p.sum);
    pci_long_vector_free(&p.again);
    pci_gathered_free(&p.total);
    pc_graph_free(p.reverse);
    pci_free(context, p.own);
    pci_free(context, p.order);
    return status;
}

/* ---- The method ------------------------------------------------------------------------------ */

/* Sums of lengths of all paths, exact or modulo a number, of a directed graph. The pass follows
 * each arc once, a sweep once a length. */
static int rank(const pci_question *question)
{
    pc_method method = question->options.method;
    bool adds_lengths = question->query.up_to && question->options.arithmetic != PC_FLOAT &&
                        question->query.paths == PC_PATHS_ALL && !question->graph->symmetric &&
                        question->kind->reads != PCI_READS_DIAGONAL && !question->query.partition;
    if (question->graph->parts || !adds_lengths || question->query.length <= 1 ||
        (method != PC_METHOD_AUTO && method != PC_METHOD_SWEEP) ||
        question->context->devices.kind == PCI_DEVICE_CUDA)
        return PCI_CANNOT;
    return question->kind->is_matrix ? PCI_RANK_BEFORE : PCI_RANK_BEST;
}

const pci_method pci_by_pass = {
    .name = "a pass in topological order",
    .told = PC_METHOD_SWEEP,
    .cpu_because = "no path is longer: one pass in topological order adds all lengths up",
    .is_shortcut = true,
    .is_dropped = true, /* there is a cycle */
    .only_sweeps = true,
    .rank = rank,
    .plan = plan_pass,
    .run = run_pass_plan};
