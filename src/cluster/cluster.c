/* The first process: graphs in parts as the rest of the library sees them. */
#include "pathcount_mpi.h"

#include "src/cluster/cluster.h"
#include "src/cluster/power_engine.h"
#include "graphs/given_rows.h"
#include "io/labels_file.h"
#include "src/certify/certify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* What the first process knows of a graph that is in parts now, in place of its rows. */
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

static void free_graph(pci_parts *base)
{
    pci_cluster_graph *parts = (pci_cluster_graph *)base;
    pci_command command = {.operation = PCI_FREE_GRAPH, .graph = parts->number};
    pci_cluster_call(parts->cluster, parts->context, &command, &(pci_caller){0});
    pci_free(parts->context, parts);
}

static void multiply(pci_parts *base, pci_parts_product product, const uint64_t *moduli,
                     const void *x, void *y)
{
    pci_cluster_graph *parts = (pci_cluster_graph *)base;
    pci_command command = {
        .operation = PCI_MULTIPLY, .graph = parts->number, .product = (uint32_t)product};
    if (moduli)
        memcpy(command.moduli, moduli,
               (product == PCI_PARTS_MODULAR_PAIR ? 2 : 1) * sizeof *moduli);
    pci_cluster_call(parts->cluster, parts->context, &command, &(pci_caller){.x = x, .y = y});
}

static pc_status multiply_integers(pci_parts *base, pc_context *context, uint32_t n_x_words,
                                   uint32_t n_y_words, const uint64_t *x, uint64_t *y,
                                   uint64_t *bits)
{
    pci_cluster_graph *parts = (pci_cluster_graph *)base;
    pci_command command = {.operation = PCI_MULTIPLY_INTEGERS,
                           .graph = parts->number,
                           .n_x_words = n_x_words,
                           .n_y_words = n_y_words};
    return pci_cluster_call(parts->cluster, context, &command,
                            &(pci_caller){.x = x, .y = y, .y_bits = bits});
}

static pc_status prepare_pairs(pci_parts *base, pc_context *context)
{
    pci_cluster_graph *parts = (pci_cluster_graph *)base;
    pci_command command = {.operation = PCI_PREPARE_PAIRS, .graph = parts->number};
    return pci_cluster_call(parts->cluster, context, &command, &(pci_caller){0});
}

static pc_status slices(pci_parts *base, pc_context *context, pci_slices_call *work)
{
    pci_cluster_graph *parts = (pci_cluster_graph *)base;
    const pci_cluster_graph *along = (const pci_cluster_graph *)work->along;
    pc_status status = pci_slices_choose(&parts->cluster->member.slices, context, work);
    if (status != PC_OK)
        return status;
    pci_command command = {.operation = PCI_SLICES,
                           .graph = parts->number,
                           .made = along ? along->number : parts->number,
                           .slices = *work};
    return pci_cluster_call(parts->cluster, context, &command, &(pci_caller){.slices = work});
}

static pc_status check(pci_parts *base, pc_context *context)
{
    pci_cluster_graph *parts = (pci_cluster_graph *)base;
    pci_command command = {.operation = PCI_CHECK, .graph = parts->number};
    return pci_cluster_call(parts->cluster, context, &command, &(pci_caller){0});
}

static pc_status reverse(pci_parts *base, pc_context *context, const pc_graph *graph,
                         pc_graph **reverse)
{
    pci_cluster_graph *parts = (pci_cluster_graph *)base, *turned = NULL;
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    pc_status status = made ? create_parts(context, parts->cluster, &turned)
                            : pci_fail_memory(context, "the reversed graph", sizeof *made);
    if (status == PC_OK) {
        pci_command command = {
            .operation = PCI_REVERSE, .graph = parts->number, .made = turned->number};
        status = pci_cluster_call(parts->cluster, context, &command, &(pci_caller){0});
    }
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
    const pci_cluster_graph *parts = pci_cluster_graph_of(graph);
    pci_command command = {.operation = PCI_DIGEST, .graph = parts->number};
    return pci_cluster_call(parts->cluster, context, &command, &(pci_caller){.digest = digest});
}

static const pci_parts parts_of_cluster = {.saves = saves,
                                           .multiply = multiply,
                                           .prepare_pairs = prepare_pairs,
                                           .slices = slices,
                                           .multiply_integers = multiply_integers,
                                           .reverse = reverse,
                                           .check = check,
                                           .free = free_graph};

pc_status pc_graph_distribute(pc_context *context, pc_cluster *cluster, pc_graph *graph)
{
    pci_cluster_graph *parts;
    if (!context || !cluster || !graph)
        return pci_fail_null(context, "cluster or graph");
    if (graph->parts)
        return pci_fail(context, PC_ERR_ARGUMENT, "the graph is distributed already");
    pc_status status = create_parts(context, cluster, &parts);
    if (status != PC_OK)
        return status;
    pci_command command = {.operation = PCI_DISTRIBUTE,
                           .graph = parts->number,
                           .n = graph->n,
                           .is_weighted = graph->weight != NULL};
    status = pci_cluster_call(cluster, context, &command, &(pci_caller){.graph = graph});
    if (status != PC_OK) {
        pci_free(context, parts);
        return status;
    }
    pci_free(graph->context, graph->column);
    pci_free(graph->context, graph->weight);
    graph->column = NULL;
    graph->weight = NULL;
    take_facts(parts, graph);
    pci_graph_seal(context, graph);
    return PC_OK;
}

/* ---- Serialized graphs ----------------------------------------------------------------------- */

/* What is read in parts: a file that every process can open, with vertices and direction as it states them. */
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
    pci_command command = {
        .operation = PCI_READ, .n_path = strlen(path) + 1, .takes_weights = takes_weights};
    uint64_t *first = pci_alloc_zero(context, (size_t)cluster->member.all.n + 1, sizeof *first);
    pc_status status = first ? read_vertices(context, path, input, &command.head, &made)
                             : pci_fail_memory(context, "a part of the graph", sizeof *first);
    if (status == PC_OK)
        status = pci_random_words(context, 1, UINT64_MAX, &command.seed);
    if (status == PC_OK)
        status = create_parts(context, cluster, &parts);
    if (status == PC_OK) {
        pci_part_file file = {.path = path, .first = first};
        command.graph = parts->number;
        pci_part_ranges(made->n, made->row_start, cluster->member.all.n, first);
        status = pci_cluster_call(cluster, context, &command,
                                  &(pci_caller){.file = &file, .facts = &facts});
    }
    pci_free(context, first);
    if (status != PC_OK || !facts.is_canonical) {
        pci_free(context, parts);
        pc_graph_free(made);
        return status;
    }
    describe_graph(&command.head, &facts, takes_weights, made);
    take_facts(parts, made);
    pci_graph_seal(context, made);
    *graph = made;
    return PC_OK;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* A pipe can be opened once. */
static bool is_plain_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* What one process must read: streams, packed files, decimals, columns that are chosen, other formats. */
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
    pc_graph *made = NULL;
    pci_cluster_graph *parts;
    pci_command command = {.operation = PCI_READ_TEXT,
                           .n_path = strlen(path) + 1,
                           .format = (uint32_t)format,
                           .options = options ? *options : (pc_graph_options){0}};
    pc_status status = pci_random_words(context, 1, UINT64_MAX, &command.seed);
    if (status == PC_OK)
        status = create_parts(context, cluster, &parts);
    if (status != PC_OK)
        return status;
    command.graph = parts->number;
    status =
        pci_cluster_call(cluster, context, &command,
                         &(pci_caller){.path = path, .is_declined = &is_declined, .made = &made});
    if (status != PC_OK) {
        pci_free(context, parts);
        return is_declined ? PC_OK : status;
    }
    take_facts(parts, made);
    pci_graph_seal(context, made);
    *graph = made;
    return PC_OK;
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
    made->engine = (pci_engine){.name = made->name, .sweeps = &pci_cluster_sweeps};
    pci_power_engine_fill(&made->engine);
    *cluster = made;
    return PC_OK;
}

void pc_cluster_end(pc_cluster *cluster)
{
    if (!cluster)
        return;
    pci_member_call(&cluster->member, &(pci_command){.operation = PCI_END}, NULL);
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
    pci_member_call(&cluster->member, &command, &(pci_caller){.counts = counts});
}
