/* The first process: graphs in parts as the rest of the library sees them, and their sweeps. */
#include "pathcount_mpi.h"

#include "src/cluster/cluster.h"
#include "graphs/builder.h"
#include "io/labels_file.h"
#include "src/certify/certify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { STARTS_AT_ONCE = 1 << 14 };

/* Calls pci_member_call with the memory and messages of a context. */
static pc_status call(pc_cluster *cluster, pc_context *context, const pci_command *command,
                      const pci_caller *caller)
{
    cluster->member.context = context;
    return pci_member_call(&cluster->member, command, caller);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static const pci_parts parts_of_cluster;

static pc_status create_parts(pc_context *context, pc_cluster *cluster, pci_cluster_graph **parts)
{
    uint32_t number = 0;
    while (number < PCI_MOST_PARTS && cluster->member.part[number])
        number++;
    if (number == PCI_MOST_PARTS)
        return pci_fail(context, PC_ERR_RANGE,
                        "a cluster holds %d graphs at a time, reversed ones included: free one",
                        PCI_MOST_PARTS);
    pci_cluster_graph *made = pci_alloc(context, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a part of the graph", sizeof *made);
    *made = (pci_cluster_graph){parts_of_cluster, context, cluster, number};
    made->base.engine = &cluster->engine;
    made->base.n_processes = cluster->member.all.n;
    *parts = made;
    return PC_OK;
}

/* The graph is in parts now: its facts take the place of its rows. */
static void take_facts(pci_cluster_graph *parts, pc_graph *graph)
{
    const pci_graph_part *part = parts->cluster->member.part[parts->number];
    pci_free(graph->context, graph->row_start);
    graph->row_start = NULL;
    graph->parts = &parts->base;
    graph->largest_row_sum = part->graph->largest_row_sum;
    parts->base.first = part->first;
    parts->base.n_arcs = part->n_arcs;
    parts->base.largest_degree = part->largest_degree;
    parts->base.degree_squares = part->degree_squares;
}

/* Performs a command about a graph. */
static pc_status call_on_graph(pci_parts *base, pc_context *context, pci_command command,
                               const pci_caller *caller)
{
    const pci_cluster_graph *parts = (const pci_cluster_graph *)base;
    command.graph = parts->number;
    return call(parts->cluster, context, &command, caller);
}

static void free_graph(pci_parts *base)
{
    pci_cluster_graph *parts = (pci_cluster_graph *)base;
    call_on_graph(base, parts->context, (pci_command){.operation = PCI_FREE_GRAPH},
                  &(pci_caller){0});
    pci_free(parts->context, parts);
}

static void multiply(pci_parts *base, pci_parts_product product, const uint64_t *moduli,
                     const void *x, void *y)
{
    pci_command command = {.operation = PCI_MULTIPLY, .product = (uint32_t)product};
    if (moduli)
        memcpy(command.moduli, moduli,
               (product == PCI_PARTS_MODULAR_PAIR ? 2 : 1) * sizeof *moduli);
    call_on_graph(base, ((pci_cluster_graph *)base)->context, command,
                  &(pci_caller){.in = x, .out = y});
}

static pc_status multiply_integers(pci_parts *base, pc_context *context, uint32_t n_x_words,
                                   uint32_t n_y_words, const uint64_t *x, uint64_t *y,
                                   uint64_t *bits)
{
    pci_command command = {
        .operation = PCI_MULTIPLY_INTEGERS, .n_x_words = n_x_words, .n_y_words = n_y_words};
    return call_on_graph(base, context, command, &(pci_caller){.in = x, .out = y, .bits = bits});
}

static pc_status prepare_pairs(pci_parts *base, pc_context *context)
{
    return call_on_graph(base, context, (pci_command){.operation = PCI_PREPARE_PAIRS},
                         &(pci_caller){0});
}

static pc_status slices(pci_parts *base, pc_context *context, pci_slices_call *work)
{
    const pci_cluster_graph *parts = (const pci_cluster_graph *)base;
    const pci_cluster_graph *along = work->along ? (const pci_cluster_graph *)work->along : parts;
    pc_status status = pci_slices_choose(&parts->cluster->member.slices, context, work);
    if (status != PC_OK)
        return status;
    pci_command command = {.operation = PCI_SLICES, .made = along->number, .slices = *work};
    return call_on_graph(base, context, command, &(pci_caller){.in = work});
}

static pc_status check(pci_parts *base, pc_context *context)
{
    return call_on_graph(base, context, (pci_command){.operation = PCI_CHECK}, &(pci_caller){0});
}

static pc_status reverse(pci_parts *base, pc_context *context, const pc_graph *graph,
                         pc_graph **reverse)
{
    pci_cluster_graph *parts = (pci_cluster_graph *)base, *turned = NULL;
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    pc_status status = made ? create_parts(context, parts->cluster, &turned)
                            : pci_fail_memory(context, "the reversed graph", sizeof *made);
    if (status == PC_OK)
        status = call_on_graph(base, context,
                               (pci_command){.operation = PCI_REVERSE, .made = turned->number},
                               &(pci_caller){0});
    if (status != PC_OK) {
        pci_free(context, made);
        pci_free(context, turned);
        return status;
    }
    *made = (pc_graph){.context = context,
                       .n = graph->n,
                       .labels = pci_labels_range(0, graph->n),
                       .info = graph->info};
    take_facts(turned, made);
    *reverse = made;
    return PC_OK;
}

static bool saves(const pci_parts *base)
{
    return ((const pci_cluster_graph *)base)->cluster->checkpoint != NULL;
}

pc_status pci_cluster_digest(pc_context *context, const pc_graph *graph, uint64_t digest[2])
{
    return call_on_graph(graph->parts, context, (pci_command){.operation = PCI_DIGEST},
                         &(pci_caller){.out = digest});
}

static const pci_parts parts_of_cluster = {.saves = saves,
                                           .multiply = multiply,
                                           .prepare_pairs = prepare_pairs,
                                           .slices = slices,
                                           .multiply_integers = multiply_integers,
                                           .reverse = reverse,
                                           .check = check,
                                           .free = free_graph};

/* The graph gets the parts that a command has made of it, or loses them. */
static pc_status finish(pc_context *context, pc_status status, pci_cluster_graph *parts,
                        pc_graph *graph)
{
    if (status != PC_OK) {
        pci_free(context, parts);
        return status;
    }
    take_facts(parts, graph);
    pci_graph_seal(context, graph);
    return PC_OK;
}

/* The ranges of a whole graph, or of one that has its row_start only, to be freed. NULL: no memory, with a message. */
static uint64_t *ranges_of(pc_context *context, const pc_cluster *cluster, const pc_graph *graph)
{
    size_t n = (size_t)cluster->member.all.n + 1;
    uint64_t *first = pci_alloc_zero(context, n, sizeof *first);
    if (first)
        pci_part_ranges(graph->n, graph->row_start, cluster->member.all.n, first);
    else
        pci_fail_memory(context, "a part of the graph", n * sizeof *first);
    return first;
}

pc_status pc_graph_distribute(pc_context *context, pc_cluster *cluster, pc_graph *graph)
{
    pci_cluster_graph *parts = NULL;
    if (!context || !cluster || !graph)
        return pci_fail_null(context, "cluster or graph");
    if (graph->parts)
        return pci_fail(context, PC_ERR_ARGUMENT, "the graph is distributed already");
    uint64_t *first = ranges_of(context, cluster, graph);
    pc_status status = first ? create_parts(context, cluster, &parts) : PC_ERR_MEMORY;
    if (status == PC_OK) {
        pci_command command = {.operation = PCI_DISTRIBUTE, .is_weighted = graph->weight != NULL};
        status = call_on_graph(&parts->base, context, command,
                               &(pci_caller){.in = graph, .first = first});
    }
    pci_free(context, first);
    if (status == PC_OK) {
        pci_free(graph->context, graph->column);
        pci_free(graph->context, graph->weight);
        graph->column = NULL;
        graph->weight = NULL;
    }
    return finish(context, status, parts, graph);
}

/* ---- Serialized graphs ----------------------------------------------------------------------- */

/* A serialized graph is read in parts with vertices and direction as it states them. */
static bool can_be_parted(const char *path, pc_format format, const pc_graph_options *options)
{
    const pc_file_format *named = pc_file_format_of(path, NULL);
    bool is_serialized = named && named->format == PC_FORMAT_SERIALIZED;
    return is_serialized && (format == PC_FORMAT_AUTO || format == PC_FORMAT_SERIALIZED) &&
           (!options || (!options->n_vertices && options->direction == PC_DIRECTION_OF_FORMAT &&
                         options->loops == PC_LOOPS_ONCE));
}

/* The graph without arcs: its vertices, their labels and degrees. */
static pc_status read_vertices(pc_context *context, const char *path, const pci_input *input,
                               pci_serialized *head, pc_graph **graph)
{
    pc_status status = pci_serialized_read_head(input, head);
    if (status != PC_OK)
        return status;
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "the graph", sizeof *made);
    *made = (pc_graph){.context = context, .n = head->n};
    made->row_start = pci_alloc(context, (head->n + 1) * sizeof *made->row_start);
    status = made->row_start ? pci_serialized_read_starts(input, head, PCI_OUTGOING, 0, head->n,
                                                          made->row_start)
                             : pci_fail_memory(context, "the graph", (head->n + 1) * 8);
    made->labels = pci_labels_range(0, head->n);
    if (status == PC_OK)
        status = pci_labels_file_read(context, path, head->n, &made->labels);
    if (status == PC_OK)
        *graph = made;
    else
        pc_graph_free(made);
    return status;
}

/* The facts of the graph, whose arrays and labels it keeps. */
static void describe_graph(const pci_serialized *head, const pci_part_facts *facts,
                           bool takes_weights, pc_graph *graph)
{
    pci_given_rows rows = {.n = head->n,
                           .n_arcs = head->n_arcs,
                           .n_loops = facts->n_loops,
                           .max_weight = facts->max_weight};
    graph->info = pci_given_rows_describe(graph->context, &rows, "GAP").info;
    graph->info.weights_ignored = head->is_weighted && !takes_weights;
    if (!head->is_directed)
        pci_graph_set_undirected(graph, true);
}

/* *graph stays NULL, with PC_OK, when the rows are not in the form that parts are made of. */
static pc_status read_parts(pc_context *context, pc_cluster *cluster, const pci_input *input,
                            const char *path, bool takes_weights, pc_graph **graph)
{
    pc_graph *made = NULL;
    pci_cluster_graph *parts = NULL;
    pci_part_facts facts = {0};
    pci_command command = {.operation = PCI_READ, .takes_weights = takes_weights};
    pc_status status = read_vertices(context, path, input, &command.head, &made);
    uint64_t *first = status == PC_OK ? ranges_of(context, cluster, made) : NULL;
    if (status == PC_OK)
        status = first ? pci_random_words(context, 1, UINT64_MAX, &command.seed) : PC_ERR_MEMORY;
    if (status == PC_OK)
        status = create_parts(context, cluster, &parts);
    if (status == PC_OK)
        status = call_on_graph(&parts->base, context, command,
                               &(pci_caller){.path = path, .first = first, .out = &facts});
    pci_free(context, first);
    if (status != PC_OK || !facts.is_canonical) {
        pci_free(context, parts);
        pc_graph_free(made);
        return status;
    }
    describe_graph(&command.head, &facts, takes_weights, made);
    *graph = made;
    return finish(context, status, parts, made);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* A pipe can be opened once. */
static bool is_plain_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* One process must read streams, packed files, decimals, columns that are chosen, and other formats. */
static bool may_be_shared(const pc_cluster *cluster, const pci_input *input, pc_format format,
                          const pc_graph_options *options)
{
    bool is_text = format == PC_FORMAT_AUTO || format == PC_FORMAT_EDGE_LIST ||
                   format == PC_FORMAT_MATRIX_MARKET;
    return cluster->member.all.n > 1 && is_text && !input->unpacker && input->path &&
           !(options && (options->real_weights || options->columns || options->separator));
}

/* *graph stays NULL, with PC_OK, when one process must read the text. */
static pc_status read_shared(pc_context *context, pc_cluster *cluster, const char *path,
                             pc_format format, const pc_graph_options *options, pc_graph **graph)
{
    bool is_declined = false;
    pci_cluster_graph *parts = NULL;
    pci_command command = {.operation = PCI_READ_TEXT, .format = (uint32_t)format};
    if (options)
        command.options = *options;
    pc_status status = pci_random_words(context, 1, UINT64_MAX, &command.seed);
    if (status == PC_OK)
        status = create_parts(context, cluster, &parts);
    if (status == PC_OK)
        status =
            call_on_graph(&parts->base, context, command,
                          &(pci_caller){.path = path, .is_declined = &is_declined, .out = graph});
    status = finish(context, status, parts, *graph);
    return is_declined ? PC_OK : status;
}

pc_status pc_cluster_read(pc_context *context, pc_cluster *cluster, const char *path,
                          pc_format format, const pc_graph_options *options, pc_graph **graph)
{
    pci_input input;
    if (!context || !cluster || !path || !graph)
        return pci_fail_null(context, "cluster, path or graph");
    *graph = NULL;
    if (can_be_parted(path, format, options)) {
        pc_status status = pci_input_open(context, path, &input);
        if (status != PC_OK)
            return status;
        bool is_plain = input.unpacker == NULL;
        if (is_plain)
            status = read_parts(context, cluster, &input, path, options && options->weights, graph);
        pci_input_close(&input);
        if (status != PC_OK || *graph)
            return status;
    } else if (is_plain_file(path) && pci_input_open(context, path, &input) == PC_OK) {
        bool is_shared = may_be_shared(cluster, &input, format, options);
        pci_input_close(&input);
        pc_status status =
            is_shared ? read_shared(context, cluster, path, format, options, graph) : PC_OK;
        if (status != PC_OK || *graph)
            return status;
    }
    pc_status status = pc_graph_read(context, path, format, options, graph);
    if (status == PC_OK)
        status = pc_graph_distribute(context, cluster, *graph);
    if (status != PC_OK) {
        pc_graph_free(*graph);
        *graph = NULL;
    }
    return status;
}

/* ---- Sweeps ---------------------------------------------------------------------------------- */

/* A sweep of all processes. src/cpu/sweep.c and gpu/sweep define the same type for theirs. */
struct pci_sweep {
    pc_context *context;
    pc_cluster *cluster;
    uint32_t number;
    bool shares_vectors; /* the processes do: then steps are taken when rows are asked for */
    uint64_t n_steps;    /* not yet taken */
    pc_status status;    /* of starts that were sent */
    uint64_t n_starts;   /* not yet sent */
    pci_start starts[STARTS_AT_ONCE];
};

static pc_status create_sweep(pc_context *context, const pc_graph *graph,
                              const pci_sweep_options *options, pci_sweep **sweep)
{
    const pci_cluster_graph *parts = (const pci_cluster_graph *)graph->parts;
    pc_cluster *cluster = parts->cluster;
    uint32_t number = 0;
    while (number < PCI_MOST_PART_SWEEPS && cluster->member.sweep[number].sweep)
        number++;
    if (number == PCI_MOST_PART_SWEEPS)
        return pci_fail(context, PC_ERR_RANGE, "a cluster sweeps %d blocks of vectors at a time",
                        PCI_MOST_PART_SWEEPS);
    pci_sweep *made = pci_alloc(context, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "vectors", sizeof *made);
    made->context = context;
    made->cluster = cluster;
    made->number = number;
    made->shares_vectors = options->n_shares > 0;
    made->n_steps = made->n_starts = 0;
    made->status = PC_OK;
    pci_command command = {.operation = PCI_SWEEP_CREATE,
                           .graph = parts->number,
                           .sweep = number,
                           .n_vectors = options->n_vectors,
                           .n_shares = options->n_shares,
                           .is_symmetric = graph->symmetric,
                           .length = options->length,
                           .moduli = {options->modulus}};
    pc_status status = call(cluster, context, &command, &(pci_caller){.in = options->bits});
    if (status == PC_OK)
        *sweep = made;
    else
        pci_free(context, made);
    return status;
}

/* Performs a command about a sweep. */
static pc_status call_on_sweep(pci_sweep *sweep, pci_command command, const pci_caller *caller)
{
    command.sweep = sweep->number;
    return call(sweep->cluster, sweep->context, &command, caller);
}

static void free_sweep(pci_sweep *sweep)
{
    if (!sweep)
        return;
    call_on_sweep(sweep, (pci_command){.operation = PCI_SWEEP_FREE}, &(pci_caller){0});
    pci_free(sweep->context, sweep);
}

static void clear_sweep(pci_sweep *sweep)
{
    sweep->status = PC_OK;
    sweep->n_steps = sweep->n_starts = 0;
    call_on_sweep(sweep, (pci_command){.operation = PCI_SWEEP_CLEAR}, &(pci_caller){0});
}

/* The first failure stays: add_start cannot tell of it. */
static pc_status send_starts(pci_sweep *sweep)
{
    if (sweep->n_starts && sweep->status == PC_OK)
        sweep->status =
            call_on_sweep(sweep, (pci_command){.operation = PCI_SWEEP_ADD, .n = sweep->n_starts},
                          &(pci_caller){.in = sweep->starts});
    sweep->n_starts = 0;
    return sweep->status;
}

static void add_start(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value)
{
    if (sweep->n_starts == STARTS_AT_ONCE)
        send_starts(sweep);
    sweep->starts[sweep->n_starts++] = (pci_start){vertex, value, vector};
}

/* Is called after the starts. */
static pc_status take_steps(pci_sweep *sweep)
{
    pci_command command = {.operation = PCI_SWEEP_STEP, .n = sweep->n_steps};
    pc_status status = send_starts(sweep);
    if (status == PC_OK && sweep->n_steps)
        status = call_on_sweep(sweep, command, &(pci_caller){0});
    sweep->n_steps = 0;
    return status;
}

static pc_status step_sweep(pci_sweep *sweep)
{
    sweep->n_steps++;
    return sweep->shares_vectors ? PC_OK : take_steps(sweep);
}

static pc_status collect_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors,
                              uint32_t n_limbs, bool adds, uint64_t *limbs)
{
    pci_command command = {.operation = PCI_SWEEP_ROWS,
                           .first = first,
                           .n_vectors = n_vectors,
                           .n_limbs = n_limbs,
                           .adds = adds};
    pc_status status = take_steps(sweep);
    return status == PC_OK ? call_on_sweep(sweep, command, &(pci_caller){.out = limbs}) : status;
}

static pc_status keep_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                           uint32_t number)
{
    pci_command command = {.operation = PCI_SWEEP_KEEP,
                           .first = first,
                           .n_vectors = n_vectors,
                           .n_limbs = n_limbs,
                           .made = number};
    pc_status status = take_steps(sweep);
    return status == PC_OK ? call_on_sweep(sweep, command, &(pci_caller){0}) : status;
}

static uint64_t sweep_bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    const pci_cluster_graph *parts = pci_cluster_graph_of(graph);
    const pci_graph_part *part = parts->cluster->member.part[parts->number];
    pci_sweep_options of_part = *options;
    if (options->n_shares) {
        of_part.n_vectors /= options->n_shares;
        uint64_t bytes = pci_sweep_bytes(graph, &of_part);
        return bytes == UINT64_MAX ? bytes : bytes + pci_gathered_bytes(graph);
    }
    of_part.n_outer = part->n_outer;
    return pci_sweep_bytes(part->graph, &of_part);
}

const pci_sweep_ops pci_cluster_sweeps = {.create = create_sweep,
                                          .free = free_sweep,
                                          .clear = clear_sweep,
                                          .add = add_start,
                                          .step = step_sweep,
                                          .rows = collect_rows,
                                          .keep = keep_rows,
                                          .bytes = sweep_bytes};

pc_status pci_cluster_save_lines(pci_sweep *sweep, const char *path, pci_lines *lines)
{
    lines->line_bytes = pci_sweep_line_bytes(sweep->cluster->member.sweep[sweep->number].sweep);
    pci_command command = {.operation = PCI_SWEEP_SAVE, .syncs = !sweep->context->no_sync};
    return call_on_sweep(sweep, command, &(pci_caller){.path = path, .out = &lines->sum});
}

/* Starts that were not sent yet are those of step 0. */
pc_status pci_cluster_load_lines(pci_sweep *sweep, const char *path, const pci_lines *lines)
{
    sweep->n_starts = 0;
    return call_on_sweep(sweep, (pci_command){.operation = PCI_SWEEP_LOAD, .lines = *lines},
                         &(pci_caller){.path = path});
}

/* ---- The cluster ----------------------------------------------------------------------------- */

static pc_status serve(pci_member *member)
{
    pc_status status = pc_context_create(&member->context);
    int failed = status != PC_OK, any;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, member->all.comm);
    if (any)
        status = PC_ERR_MEMORY;
    else
        pci_member_serve(member);
    pc_context_free(member->context);
    return status;
}

pc_status pc_cluster_begin(MPI_Comm comm, pc_cluster **cluster)
{
    pci_member member;
    *cluster = NULL;
    pci_member_begin(comm, &member);
    if (member.all.rank > 0)
        return serve(&member);
    pc_cluster *made = calloc(1, sizeof *made);
    int failed = !made, any;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm);
    if (any) {
        free(made);
        return PC_ERR_MEMORY;
    }
    pci_member_begin(comm, &made->member);
    snprintf(made->name, sizeof made->name, "%d process%s", member.all.n,
             member.all.n == 1 ? "" : "es");
    made->engine = pci_cluster_engine;
    made->engine.sweeps = &pci_cluster_sweeps;
    made->engine.name = made->name;
    *cluster = made;
    return PC_OK;
}

void pc_cluster_end(pc_cluster *cluster)
{
    if (!cluster)
        return;
    pci_member_call(&cluster->member, &(pci_command){.operation = PCI_END}, &(pci_caller){0});
    if (cluster->checkpoint)
        cluster->free_checkpoint(cluster->checkpoint);
    free(cluster);
}

int pc_cluster_n_processes(const pc_cluster *cluster)
{
    return cluster->member.all.n;
}

void pc_cluster_count(pc_cluster *cluster, pc_process_count *counts)
{
    pci_command command = {.operation = PCI_COUNT};
    pci_member_call(&cluster->member, &command, &(pci_caller){.out = counts});
}
