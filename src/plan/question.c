/* Checks a question and fills in its defaults. */
#define _GNU_SOURCE /* secure_getenv */
#include "src/plan/question.h"

#include "src/core/checksum.h"
#include "src/core/variables.h"

#include <inttypes.h>
#include <math.h>

/* ---- Options --------------------------------------------------------------------------------- */

enum { DEFAULT_CERTIFY_ROUNDS = 2, MAX_CERTIFY_ROUNDS = 64 };

pc_status pci_options_complete(pc_context *context, const pc_count_options *given,
                               pc_count_options *complete)
{
    pc_count_options options = given ? *given : (pc_count_options){0};
    int n_rounds = options.n_certify_rounds;
    if ((unsigned)options.arithmetic > PC_FLOAT)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown arithmetic %d", (int)options.arithmetic);
    if ((unsigned)options.method > PC_METHOD_SETS)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown method %d", (int)options.method);
    if ((unsigned)options.reduce > PC_REDUCE_ALWAYS)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown reduction %d", (int)options.reduce);
    if (options.arithmetic == PC_MODULAR &&
        (options.modulus < 2 || options.modulus >= UINT64_C(1) << 63))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "modulus %" PRIu64 ": give one from 2 to 2^63 - 1", options.modulus);
    if (options.arithmetic != PC_MODULAR && options.modulus != 0)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "modulus is %" PRIu64 ", and arithmetic is not PC_MODULAR: set both, or "
                        "leave modulus 0",
                        options.modulus);
    if (n_rounds < PC_CERTIFY_NONE || n_rounds > MAX_CERTIFY_ROUNDS)
        return pci_fail(context, PC_ERR_ARGUMENT, "%d rounds of certificate: give 0 to %d",
                        n_rounds, MAX_CERTIFY_ROUNDS);
    options.n_certify_rounds = n_rounds == PC_CERTIFY_NONE ? 0
                               : n_rounds == 0             ? DEFAULT_CERTIFY_ROUNDS
                                                           : n_rounds;
    *complete = options;
    return PC_OK;
}

/* ---- Vertices and lengths -------------------------------------------------------------------- */

static pc_status check_vertices(pc_context *context, const pc_graph *graph, const char *name,
                                uint64_t n_asked, const uint64_t *vertices)
{
    if (n_asked > 0 && !vertices)
        return pci_fail(context, PC_ERR_ARGUMENT, "the query has no array '%s'", name);
    for (uint64_t i = 0; i < n_asked; i++)
        if (vertices[i] >= graph->n)
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "%s[%" PRIu64 "] is vertex %" PRIu64 ", and the graph has %" PRIu64,
                            name, i, vertices[i], graph->n);
    return PC_OK;
}

static pc_status check_query(const pci_question *question)
{
    const pc_query *query = &question->query;
    pc_context *context = question->context;
    const pci_question_kind *kind = question->kind;
    if (!kind)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown kind of query %d", (int)query->kind);
    if (query->each && query->up_to)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a query answers for each length or adds lengths up, not both");
    if (kind->is_matrix && query->each)
        return pci_fail(context, PC_ERR_ARGUMENT, "a whole matrix is counted of one length");
    if (query->partition && query->up_to)
        return pci_fail(context, PC_ERR_ARGUMENT, "counts between blocks are of one length");
    if (!kind->is_matrix && (query->partition || query->keeps))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "only a whole matrix (PC_QUERY_MATRIX) goes between blocks or is kept");
    pc_status status = PC_OK;
    if (kind->has_from)
        status = check_vertices(context, question->graph, "from", query->n_asked, query->from);
    if (status == PC_OK && kind->has_to)
        status = check_vertices(context, question->graph, "to", query->n_asked, query->to);
    return status;
}

/* ---- Methods --------------------------------------------------------------------------------- */

static bool is_squared(pc_method method)
{
    return method == PC_METHOD_DENSE || method == PC_METHOD_HYBRID;
}

/* A matrix of more vertices than can be squared is possible where it is not kept, or goes between
 * blocks, so that its size does not depend on the vertices. */
static pc_status check_matrix(const pci_question *question)
{
    pc_context *context = question->context;
    pc_method method = question->options.method;
    uint64_t n = question->graph->n;
    bool may_be_large = question->query.partition || !question->query.keeps;
    if (method == PC_METHOD_HYBRID && question->options.arithmetic != PC_EXACT)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a hybrid counts exactly, not modulo a number or in doubles; count with "
                        "--method dense or sweep");
    if (method == PC_METHOD_HYBRID && question->query.length < 4)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "length %" PRIu64 " is too short for sweeps first and squaring after; "
                        "count with --method dense or sweep",
                        question->query.length);
    if (n <= PCI_MAX_DENSE_VERTICES || (!is_squared(method) && may_be_large))
        return PC_OK;
    return pci_fail(
        context, PC_ERR_RANGE, "the graph has %" PRIu64 " vertices; whole matrices end at %d%s", n,
        PCI_MAX_DENSE_VERTICES, may_be_large ? " unless they are swept (--method sweep)" : "");
}

/* Refuses questions about paths without repeated vertices, or cycles, that make no sense or are not answered. */
static pc_status check_simple_paths(const pci_question *question)
{
    pc_context *context = question->context;
    const pci_question_kind *kind = question->kind;
    pc_method method = question->options.method;
    bool is_cycles = question->query.paths == PC_PATHS_CYCLES;
    if (question->options.arithmetic == PC_FLOAT)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "paths that visit no vertex twice are counted exactly or modulo a number, "
                        "not in doubles: their formulas subtract");
    if (method != PC_METHOD_AUTO && method <= PC_METHOD_RECURRENCE)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "powers of the matrix count walks; paths that visit no vertex twice need "
                        "formulas, a search or sets: leave the method out");
    if (kind->reads == PCI_READS_DIAGONAL && !is_cycles)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a path that visits no vertex twice does not end where it begins; count "
                        "cycles (--cycles)");
    if (is_cycles &&
        (kind->is_summed || kind->reads == PCI_READS_SUMS || question->query.partition))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "cycles are counted in all (--total), through each vertex (--closed) or "
                        "through each edge (a matrix, rows, pairs)");
    if (question->graph->parts)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "paths that visit no vertex twice are counted where the whole graph is in "
                        "one process (pathcount)");
    return PC_OK;
}

/* The same of shortest paths. */
static pc_status check_shortest_paths(const pci_question *question)
{
    pc_context *context = question->context;
    const pc_query *query = &question->query;
    pc_method method = question->options.method;
    pci_reads reads = question->kind->reads;
    if (query->length || query->each || query->up_to)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "shortest paths have the length that they have: give the length 0, not "
                        "with each or up_to");
    if ((reads != PCI_READS_ROWS && reads != PCI_READS_ENTRIES) || query->partition)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "shortest paths are counted from or to vertices, between pairs, or as a "
                        "matrix between vertices; they are not added up");
    if (question->options.arithmetic != PC_EXACT || question->graph->parts ||
        (method != PC_METHOD_AUTO && method != PC_METHOD_SEARCH))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "shortest paths are counted exactly, by a search, in one process: leave "
                        "residues, doubles and the method out, and count with pathcount");
    return PC_OK;
}

/* Refuses paths that cannot be counted on this graph or with these options. */
static pc_status check_paths(const pci_question *question)
{
    pc_context *context = question->context;
    const pc_graph *graph = question->graph;
    const pc_query *query = &question->query;
    pc_arithmetic arithmetic = question->options.arithmetic;
    bool turns = query->paths != PC_PATHS_NON_BACKTRACKING;
    bool squares = is_squared(question->options.method);
    if ((unsigned)query->paths > PC_PATHS_DISTANCE)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown kind of path %d", (int)query->paths);
    if (!turns && arithmetic == PC_FLOAT)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "non-backtracking paths are counted exactly or modulo a number, not in "
                        "doubles: their recurrence subtracts");
    if (!turns && graph->info.loops == PC_LOOPS_TWICE && graph->info.n_loops > 0)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "non-backtracking paths are counted on graphs whose loops count once: a "
                        "loop that counts twice is two arcs, and each leads back along the other; "
                        "leave --loops out");
    if (!turns && (graph->weight || (graph->parts && graph->info.max_weight > 1)))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "non-backtracking paths are counted on graphs whose edges count once, and "
                        "this one has weights or multiplicities above 1; leave them out");
    if (query->paths == PC_PATHS_MARKOV && arithmetic != PC_FLOAT)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "probabilities of a Markov chain are doubles: ask for PC_FLOAT");
    if (query->paths >= PC_PATHS_SHORTEST)
        return check_shortest_paths(question);
    if (!pci_question_is_of_walks(question))
        return check_simple_paths(question);
    if (question->options.method > PC_METHOD_RECURRENCE)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "formulas, a search and sets count paths that visit no vertex twice, and "
                        "cycles; count walks with another method");
    if (squares && question->kind->is_matrix && query->up_to)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "matrices of lengths added up are swept (--method sweep), not squared");
    if (squares && query->paths != PC_PATHS_ALL)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "powers of the whole matrix count all paths; other kinds of path need the "
                        "method that sends vectors (--method sweep)");
    return PC_OK;
}

/* Rounds of a certificate, of which two are not enough for counts of this length if they are very
 * wide. A wrong count of B bits has at most B / 60 prime factors of 61 bits, of some 2^54. All
 * rounds have them as their primes with probability (B / 60 / 2^54)^rounds, which must be below
 * 2^-81 (src/certify/certify.h). */
static int rounds_for(const pc_graph *graph, uint64_t length, int n_rounds)
{
    const double narrow = 600000, most_row_bits = 128;
    if (n_rounds < 2 || (double)length * most_row_bits <= narrow)
        return n_rounds;
    uint64_t row_sum = pci_graph_largest_row_sum(graph);
    double row_bits = row_sum < UINT64_MAX ? log2(fmax(1, (double)row_sum)) + 1e-9 : most_row_bits;
    double bits = (double)length * row_bits + most_row_bits;
    double bits_a_round = 54 - log2(bits / 60), most_rounds = 64;
    double enough = bits_a_round * most_rounds > 81 ? ceil(81 / bits_a_round) : most_rounds;
    return bits > narrow && enough > n_rounds ? (int)enough : n_rounds;
}

pc_status pci_question_check_parts(const pci_question *question)
{
    pc_method method = question->options.method;
    if (question->context->devices.kind == PCI_DEVICE_CUDA)
        return pci_fail(question->context, PC_ERR_ENGINE,
                        "no GPU counts paths of a graph in parts; name the CPU (--device cpu), or "
                        "count in one process (pathcount)");
    if (question->query.paths == PC_PATHS_NON_BACKTRACKING && !question->graph->symmetric)
        return pci_fail(question->context, PC_ERR_ARGUMENT,
                        "non-backtracking paths of a graph in parts are counted where it is "
                        "undirected; count them in one process (pathcount)");
    if (question->query.paths == PC_PATHS_ALL && question->options.arithmetic == PC_FLOAT)
        return pci_fail(question->context, PC_ERR_ARGUMENT,
                        "paths of a graph in parts are counted exactly or modulo a number, not in "
                        "doubles; count those in one process (pathcount)");
    if (pci_question_is_saved(question) && method != PC_METHOD_AUTO && method != PC_METHOD_SWEEP)
        return pci_fail(
            question->context, PC_ERR_ARGUMENT,
            "only sweeps are saved and predicted; count with --method sweep, or without "
            "--checkpoint and --plan-for");
    if (method == PC_METHOD_RECURRENCE)
        return pci_fail(question->context, PC_ERR_ARGUMENT,
                        "a graph in parts is swept or squared; count with another --method, or in "
                        "one process (pathcount)");
    return PC_OK;
}

pc_status pci_question_make(pc_context *context, const pc_graph *graph, const pc_query *query,
                            const pc_count_options *options, pci_question *question)
{
    /* Rows of all vertices, of all lengths where each is asked for; a word more for each count. */
    double n = (double)graph->n, row_bits = log2(n * (double)graph->info.max_weight + 1);
    double bytes = n * n * ((double)query->length * row_bits / 8 + 16);
    *question = (pci_question){.context = context,
                               .graph = graph,
                               .query = *query,
                               .kind = pci_kind_row(query->kind),
                               .available_bytes = pci_memory_for(
                                   context, query->each ? (double)query->length * bytes : bytes)};
    pc_status status = pci_variables_check(context);
    if (status == PC_OK)
        status = pci_options_complete(context, options, &question->options);
    if (status == PC_OK)
        status = check_query(question);
    if (status == PC_OK && question->options.arithmetic == PC_EXACT)
        question->options.n_certify_rounds =
            rounds_for(graph, query->length, question->options.n_certify_rounds);
    if (status == PC_OK && question->options.method == PC_METHOD_RECURRENCE &&
        pci_question_is_of_walks(question) && !pci_question_is_number(question) &&
        !pci_question_is_of_power(question))
        status =
            pci_fail(context, PC_ERR_ARGUMENT,
                     "a recurrence is for one length, and for exact counts of all paths or one "
                     "number (a total, a trace, one pair), which may add lengths up; count with "
                     "another method");
    if (status == PC_OK)
        status = check_paths(question);
    if (status != PC_OK)
        return status;
    question->only_diagonal = question->kind->reads == PCI_READS_DIAGONAL;
    bool makes_matrix = question->kind->is_matrix || is_squared(question->options.method);
    if (status == PC_OK && makes_matrix && query->paths == PC_PATHS_ALL)
        status = check_matrix(question);
    if (status == PC_OK && query->partition && query->paths != PC_PATHS_ALL &&
        query->paths != PC_PATHS_SIMPLE)
        status = pci_fail(context, PC_ERR_ARGUMENT,
                          "counts between blocks are of all paths, or of simple ones");
    if (status == PC_OK && query->partition && query->partition->n != graph->n)
        status = pci_fail(context, PC_ERR_ARGUMENT,
                          "the partition has %" PRIu64 " vertices, the graph %" PRIu64,
                          query->partition->n, graph->n);
    return status == PC_OK && graph->parts ? pci_question_check_parts(question) : status;
}

uint64_t pci_question_checksum(const pci_question *question)
{
    const pc_query *query = &question->query;
    uint64_t sum = pci_checksum(query, sizeof *query, (uintptr_t)question->kind);
    if (question->kind->has_from)
        sum = pci_checksum(query->from, query->n_asked * sizeof *query->from, sum);
    if (question->kind->has_to)
        sum = pci_checksum(query->to, query->n_asked * sizeof *query->to, sum);
    return pci_checksum(&question->options, sizeof question->options, sum);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

pci_shape pci_question_shape(const pci_question *question)
{
    const pc_query *query = &question->query;
    const pci_question_kind *kind = question->kind;
    uint64_t n = query->partition ? query->partition->n_blocks : question->graph->n;
    return (pci_shape){.n_rows = kind->reads == PCI_READS_TOTAL   ? 1
                                 : kind->has_from || kind->has_to ? query->n_asked
                                                                  : n,
                       .n_columns = kind->reads == PCI_READS_ROWS ? n : 1};
}

uint64_t pci_question_n_vectors(const pci_question *question)
{
    const pc_query *query = &question->query;
    if (pci_kind_is_of_all(question->kind))
        return 1;
    if (!question->kind->has_from || !question->kind->has_to || query->n_asked == 0)
        return pci_question_shape(question).n_rows;
    uint64_t n_from = 1, n_to = 1; /* pairs that follow each other may share an end */
    for (uint64_t i = 1; i < query->n_asked; i++) {
        n_from += query->from[i] != query->from[i - 1];
        n_to += query->to[i] != query->to[i - 1];
    }
    return n_from < n_to ? n_from : n_to;
}
