/* Checks a question and fills in its defaults. */
#define _GNU_SOURCE /* secure_getenv */
#include "src/plan/request.h"

#include "src/core/checksum.h"
#include "src/core/variables.h"
#include "src/plan/options.h"
#include "src/plan/path_kinds.h"

#include <inttypes.h>
#include <math.h>

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

static pc_status check_query(const pci_request *request)
{
    const pc_query *query = &request->query;
    pc_context *context = request->context;
    pc_query_kind kind = query->kind;
    if ((unsigned)kind > PC_QUERY_MATRIX)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown kind of query %d", (int)kind);
    if (query->each && query->up_to)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a query answers for each length or adds lengths up, not both");
    if (kind == PC_QUERY_MATRIX && query->each)
        return pci_fail(context, PC_ERR_ARGUMENT, "a whole matrix is counted of one length");
    if (query->partition && query->up_to)
        return pci_fail(context, PC_ERR_ARGUMENT, "counts between blocks are of one length");
    if (kind != PC_QUERY_MATRIX && (query->partition || query->keeps))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "only a whole matrix (PC_QUERY_MATRIX) goes between blocks or is kept");
    pc_status status = PC_OK;
    if (kind == PC_QUERY_FROM || kind == PC_QUERY_PAIRS)
        status = check_vertices(context, request->graph, "from", query->n_asked, query->from);
    if (status == PC_OK && (kind == PC_QUERY_TO || kind == PC_QUERY_PAIRS))
        status = check_vertices(context, request->graph, "to", query->n_asked, query->to);
    return status;
}

/* ---- Methods --------------------------------------------------------------------------------- */

/* Whether a matrix of more vertices than can be squared is possible: one that is not kept, or one
 * between blocks, whose size does not depend on the vertices. */
static bool may_be_large(const pci_request *request)
{
    return request->query.partition || !request->query.keeps;
}

static bool is_squared(pc_method method)
{
    return method == PC_METHOD_DENSE || method == PC_METHOD_HYBRID;
}

static pc_status check_size(const pci_request *request)
{
    uint64_t n = request->graph->n;
    if (n <= PCI_MAX_DENSE_VERTICES ||
        (!is_squared(request->options.method) && may_be_large(request)))
        return PC_OK;
    return pci_fail(request->context, PC_ERR_RANGE,
                    "the graph has %" PRIu64 " vertices; whole matrices end at %d%s", n,
                    PCI_MAX_DENSE_VERTICES,
                    may_be_large(request) ? " unless they are swept (--method sweep)" : "");
}

static pc_status check_matrix(const pci_request *request)
{
    pc_context *context = request->context;
    pc_method method = request->options.method;
    if (method == PC_METHOD_HYBRID && request->options.arithmetic != PC_EXACT)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a hybrid counts exactly, not modulo a number or in doubles; count with "
                        "--method dense or sweep");
    if (method == PC_METHOD_HYBRID && request->query.length < 4)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "length %" PRIu64 " is too short for sweeps first and squaring after; "
                        "count with --method dense or sweep",
                        request->query.length);
    return check_size(request);
}

static pc_status check_paths(const pci_request *request)
{
    if (is_squared(request->options.method) && pci_request_is_matrix(request) &&
        request->query.up_to)
        return pci_fail(request->context, PC_ERR_ARGUMENT,
                        "matrices of lengths added up are swept (--method sweep), not squared");
    if (!is_squared(request->options.method) || request->query.paths == PC_PATHS_ALL)
        return PC_OK;
    return pci_fail(request->context, PC_ERR_ARGUMENT,
                    "powers of the whole matrix count all paths; other kinds of path need the "
                    "method that sends vectors (--method sweep)");
}

static pc_status check_partition(const pci_request *request)
{
    if (request->query.partition && request->query.paths != PC_PATHS_ALL)
        return pci_fail(request->context, PC_ERR_ARGUMENT,
                        "counts between blocks are of all paths");
    if (!request->query.partition || request->query.partition->n == request->graph->n)
        return PC_OK;
    return pci_fail(request->context, PC_ERR_ARGUMENT,
                    "the partition has %" PRIu64 " vertices, the graph %" PRIu64,
                    request->query.partition->n, request->graph->n);
}

/* Rounds of a certificate, of which two are not enough for counts of this length if they are very wide. A wrong
 * count of B bits has at most B / 60 prime factors of 61 bits, of some 2^54. All rounds have them as their primes
 * with probability (B / 60 / 2^54)^rounds, which must be below 2^-81 (src/certify/certify.h). */
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

/* What a graph in parts can be asked. */
static pc_status check_parts(const pci_request *request)
{
    pc_method method = request->options.method;
    if (!request->graph->parts)
        return PC_OK;
    if (request->context->devices.kind == PCI_DEVICE_CUDA)
        return pci_fail(request->context, PC_ERR_ENGINE,
                        "no GPU counts paths of a graph in parts; name the CPU (--device cpu), or "
                        "count in one process (pathcount)");
    if (request->query.paths == PC_PATHS_NON_BACKTRACKING && !request->graph->symmetric)
        return pci_fail(request->context, PC_ERR_ARGUMENT,
                        "non-backtracking paths of a graph in parts are counted where it is "
                        "undirected; count them in one process (pathcount)");
    if (request->query.paths == PC_PATHS_ALL && request->options.arithmetic == PC_FLOAT)
        return pci_fail(request->context, PC_ERR_ARGUMENT,
                        "paths of a graph in parts are counted exactly or modulo a number, not in "
                        "doubles; count those in one process (pathcount)");
    if (pci_request_is_saved(request) && method != PC_METHOD_AUTO && method != PC_METHOD_SWEEP)
        return pci_fail(
            request->context, PC_ERR_ARGUMENT,
            "only sweeps are saved and predicted; count with --method sweep, or without "
            "--checkpoint and --plan-for");
    if (method == PC_METHOD_RECURRENCE)
        return pci_fail(request->context, PC_ERR_ARGUMENT,
                        "a graph in parts is swept or squared; count with another --method, or in "
                        "one process (pathcount)");
    return PC_OK;
}

pc_status pci_request_make(pc_context *context, const pc_graph *graph, const pc_query *query,
                           const pc_count_options *options, pci_request *request)
{
    *request = (pci_request){.context = context,
                             .graph = graph,
                             .query = *query,
                             .available_bytes = pci_memory_available(context)};
    pc_status status = pci_variables_check(context);
    if (status == PC_OK)
        status = pci_options_complete(context, options, &request->options);
    if (status == PC_OK)
        status = check_query(request);
    if (status == PC_OK && request->options.arithmetic == PC_EXACT)
        request->options.n_certify_rounds =
            rounds_for(graph, query->length, request->options.n_certify_rounds);
    request->is_trace = query->kind == PC_QUERY_TRACE;
    if (request->is_trace)
        request->query.kind = PC_QUERY_CLOSED;
    if (status == PC_OK && request->options.method == PC_METHOD_RECURRENCE &&
        !pci_request_is_number(request) && !pci_request_is_of_power(request))
        status =
            pci_fail(context, PC_ERR_ARGUMENT,
                     "a recurrence is for one length, and for exact counts of all paths or one "
                     "number (a total, a trace, one pair); count with another method");
    request->only_diagonal = request->query.kind == PC_QUERY_CLOSED;
    if (status == PC_OK)
        status = pci_query_check_paths(context, graph, query, &request->options);
    if (status == PC_OK)
        status = check_paths(request);
    bool makes_matrix = pci_request_is_matrix(request) || is_squared(request->options.method);
    if (status == PC_OK && makes_matrix && query->paths == PC_PATHS_ALL)
        status = check_matrix(request);
    if (status == PC_OK)
        status = check_partition(request);
    return status == PC_OK ? check_parts(request) : status;
}

uint64_t pci_request_checksum(const pci_request *request)
{
    const pc_query *query = &request->query;
    uint64_t sum = pci_checksum(query, sizeof *query, request->is_trace);
    bool has_from = query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_PAIRS;
    bool has_to = query->kind == PC_QUERY_TO || query->kind == PC_QUERY_PAIRS;
    if (has_from)
        sum = pci_checksum(query->from, query->n_asked * sizeof *query->from, sum);
    if (has_to)
        sum = pci_checksum(query->to, query->n_asked * sizeof *query->to, sum);
    return pci_checksum(&request->options, sizeof request->options, sum);
}
