/* Reads a graph in parts, each process its own share of a file. All processes perform the functions here, with the status
 * of one of them, but for the last ones. */
#include "src/cluster/operations.h"

#include "graphs/builder.h"
#include "io/output.h"
#include "io/readers.h"
#include "src/certify/certify.h"
#include "src/cluster/arcs.h"
#include "src/core/checksum.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

/* ---- One file for all ------------------------------------------------------------------------
 *
 * Machines may have copies of a file, one of which is old. Files of a shared file system have the same number and the same
 * times wherever they are looked at, to the nanosecond; a copy has not, because nobody can set the time of its last
 * change. So a file that all processes share is not read again. Copies are compared by checksums of all their bytes. */

enum { PIECE_BYTES = 1 << 22, VIEW_WORDS = 4 };

/* A process knows this of its file: the length, a checksum of the begin that opening has read, one of what the same file
 * has and no copy, and one of all bytes, where they were read. */
typedef struct view {
    uint64_t n_all, begin, identity, sum;
} view;

static uint64_t identity_of(const pci_input *input, uint64_t seed)
{
    struct stat about;
    if (input->file < 0 || fstat(input->file, &about) != 0)
        return 0;
    uint64_t facts[] = {(uint64_t)about.st_ino, (uint64_t)about.st_mtim.tv_sec,
                        (uint64_t)about.st_mtim.tv_nsec, (uint64_t)about.st_ctim.tv_sec,
                        (uint64_t)about.st_ctim.tv_nsec};
    return pci_checksum(facts, sizeof facts, seed);
}

static pc_status sum_file(const pci_input *input, uint64_t seed, uint64_t *sum)
{
    pc_context *context = input->context;
    char *piece = pci_alloc(context, PIECE_BYTES);
    pc_status status = piece ? PC_OK : pci_fail_memory(context, "a piece of a file", PIECE_BYTES);
    for (uint64_t at = 0; at < input->n_all && status == PC_OK; at += PIECE_BYTES) {
        uint64_t n_left = input->n_all - at;
        size_t n_bytes = n_left < PIECE_BYTES ? n_left : PIECE_BYTES;
        status = pci_input_read(input, at, piece, n_bytes);
        if (status != PC_OK)
            status = pci_input_fail_read(input, status, errno);
        else
            *sum += pci_checksum(piece, n_bytes, pci_scramble(seed + at));
    }
    pci_free(context, piece);
    return status == PC_OK ? pci_progress(context, "read", 0) : status;
}

/* All processes get the views of all; those of the first one and of this one must be alike. */
static pc_status share_views(const pci_processes *all, const pci_input *input, view *views)
{
    const view *own = &views[all->rank];
    pc_status status = PC_OK;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, views, VIEW_WORDS, MPI_UINT64_T, all->comm);
    if (own->n_all != views->n_all || own->begin != views->begin || own->sum != views->sum)
        status = pci_fail(input->context, PC_ERR_DATA,
                          "%s: process %d of %d finds another file of this name than process 0: "
                          "give all machines the same one",
                          input->name, all->rank, all->n);
    return pci_processes_agree_on_input(all, input->context, status);
}

/* Compares the files that processes have opened under one name: PC_ERR_DATA in all of them when one has another file than
 * the first process has. seed is random, and the same in all. */
static pc_status compare_files(const pci_processes *all, const pci_input *input, uint64_t seed)
{
    size_t n_bytes = (size_t)all->n * sizeof(view);
    view *views = pci_alloc_zero(input->context, (size_t)all->n, sizeof *views);
    pc_status status = pci_processes_agree_on_memory(all, input->context, views != NULL,
                                                     "views of a file", n_bytes);
    bool are_copies = false;
    if (status == PC_OK) {
        views[all->rank] = (view){.n_all = input->n_all,
                                  .begin = pci_checksum(input->text, input->n_bytes, seed),
                                  .identity = identity_of(input, seed)};
        status = share_views(all, input, views);
    }
    for (int r = 0; r < all->n && status == PC_OK; r++)
        are_copies = are_copies || views[r].identity != views[0].identity;
    if (are_copies && !input->is_whole && !input->unpacker) {
        status = pci_processes_agree_on_input(all, input->context,
                                              sum_file(input, seed, &views[all->rank].sum));
        if (status == PC_OK)
            status = share_views(all, input, views);
    }
    pci_free(input->context, views);
    return status;
}

/* Opens a file that all processes read; it is open when all have the same. */
static pc_status open_shared(const pci_processes *all, pc_context *context, const char *path,
                             uint64_t seed, pci_input *input)
{
    pc_status opened = pci_input_open(context, path, input);
    pc_status status = pci_processes_agree(all, context, opened);
    if (status == PC_OK)
        status = compare_files(all, input, seed);
    if (status != PC_OK && opened == PC_OK)
        pci_input_close(input);
    return status;
}

/* ---- Serialized graphs -----------------------------------------------------------------------
 *
 * Each process reads the rows of its vertices. Sums of hashes over all processes find whether the two arcs of an
 * undirected edge, or the incoming and outgoing arcs of a directed graph, are the same. The hashes have a random seed, so
 * a file cannot be made to pass: a wrong one does with a probability of about 2^-64. */

/* The facts that the processes found in a serialized graph. */
typedef struct part_facts {
    bool is_canonical; /* columns ascend within rows, no weight is 0; else no part is made */
    uint64_t n_loops, max_weight;
} part_facts;

typedef struct reading {
    const pci_processes *all;
    pc_context *context;
    const pci_command *command;
    const char *path;
    pci_input input;
    uint64_t begin, end; /* own rows */
    pci_part_rows rows;
} reading;

static uint64_t n_own(const reading *r)
{
    return r->end - r->begin;
}

/* The rows of one side of own vertices. */
static pc_status read_side(const reading *r, pci_arc_side side, pci_part_rows *rows)
{
    const pci_serialized *head = &r->command->head;
    rows->row_start = pci_alloc(r->context, (n_own(r) + 1) * sizeof *rows->row_start);
    if (!rows->row_start)
        return pci_fail_memory(r->context, "a part of the graph", (n_own(r) + 1) * 8);
    pc_status status =
        pci_serialized_read_starts(&r->input, head, side, r->begin, r->end, rows->row_start);
    uint64_t begin = rows->row_start[0];
    if (status == PC_OK)
        status = pci_part_rows_create(r->context, n_own(r), rows->row_start[n_own(r)] - begin,
                                      head->is_weighted, rows);
    if (status != PC_OK)
        return status;
    status = pci_serialized_read_arcs(&r->input, head, side, r->begin, r->end, rows->row_start,
                                      r->command->takes_weights, rows->column, rows->weight);
    for (uint64_t v = 0; v <= n_own(r); v++)
        rows->row_start[v] -= begin;
    return status;
}

static uint64_t sum_of(const reading *r, pci_arc_side side, const pci_part_rows *rows)
{
    return pci_serialized_sum(r->context, r->command->seed, side, r->begin, r->end, rows->row_start,
                              rows->column, rows->weight);
}

/* Outgoing rows stay. *difference is that of the sums of hashes of both directions, to be added up over all processes. The
 * incoming rows of an undirected graph are the outgoing ones. */
static pc_status read_rows(reading *r, uint64_t *difference)
{
    pci_serialized head;
    pci_part_rows incoming = {0};
    pc_status status = pci_serialized_read_head(&r->input, &head);
    const pci_serialized *first = &r->command->head;
    if (status == PC_OK &&
        (head.n != first->n || head.n_arcs != first->n_arcs ||
         head.is_directed != first->is_directed || head.is_weighted != first->is_weighted))
        status = pci_fail(r->context, PC_ERR_DATA,
                          "%s: this process finds another file than the first one does", r->path);
    if (status == PC_OK)
        status = read_side(r, PCI_OUTGOING, &r->rows);
    if (status == PC_OK && head.is_directed)
        status = read_side(r, PCI_INCOMING, &incoming);
    if (status == PC_OK)
        *difference = sum_of(r, PCI_OUTGOING, &r->rows) -
                      sum_of(r, PCI_INCOMING, head.is_directed ? &incoming : &r->rows);
    pci_part_rows_free(r->context, &incoming);
    return status == PC_OK ? pci_input_check(&r->input) : status;
}

/* Finds the facts of the rows of all processes, and whether the directions agree. */
static pc_status find_facts(const reading *r, uint64_t difference, part_facts *facts)
{
    uint64_t bad_row;
    pci_given_rows own = {.first = r->begin,
                          .n = n_own(r),
                          .n_arcs = r->rows.row_start[n_own(r)],
                          .arcs = {r->rows.row_start, r->rows.column, r->rows.weight}};
    pci_given_rows_look(r->context, &own, &bad_row);
    uint64_t sums[] = {difference, own.n_loops, !own.is_canonical};
    pci_processes_join(r->all, MPI_SUM, sums, 3);
    pci_processes_join(r->all, MPI_MAX, &own.max_weight, 1);
    *facts = (part_facts){sums[2] == 0, sums[1], own.max_weight};
    if (!sums[0])
        return PC_OK;
    if (r->command->head.is_directed)
        return pci_serialized_fail_incoming(&r->input);
    return pci_fail(r->context, PC_ERR_DATA,
                    "%s: the head says undirected, and an arc has no opposite one of the same "
                    "weight; pathcount names it",
                    r->path);
}

static pc_status read_part(reading *r, const uint64_t *first, part_facts *facts,
                           pci_graph_part **part)
{
    uint64_t difference = 0;
    pc_status status = open_shared(r->all, r->context, r->path, r->command->seed, &r->input);
    if (status != PC_OK)
        return status;
    status = pci_processes_agree(r->all, r->context, read_rows(r, &difference));
    if (status == PC_OK)
        status = find_facts(r, difference, facts);
    pci_input_close(&r->input);
    if (status != PC_OK || !facts->is_canonical)
        return status;
    if (facts->max_weight <= 1) {
        pci_free(r->context, r->rows.weight);
        r->rows.weight = NULL;
    }
    return pci_part_create(r->all, r->context, first, &r->rows, part);
}

pc_status pci_op_read_serialized(pc_cluster *cluster, const pci_command *command)
{
    const pci_processes *all = &cluster->all;
    pc_context *context = cluster->context;
    pc_status status;
    part_facts facts = {0};
    size_t n_bytes = ((size_t)all->n + 1) * sizeof(uint64_t);
    char *path =
        pci_processes_copy(all, context, command->path, command->n_path, "a path", &status);
    uint64_t *first = status == PC_OK ? pci_processes_copy(all, context, command->ranges, n_bytes,
                                                           "a part of the graph", &status)
                                      : NULL;
    if (status == PC_OK) {
        reading r = {.all = all,
                     .context = context,
                     .command = command,
                     .path = path,
                     .begin = first[all->rank],
                     .end = first[all->rank + 1]};
        status = read_part(&r, first, &facts, &cluster->part[command->graph]);
        pci_part_rows_free(context, &r.rows);
    }
    if (pci_is_first(cluster))
        *(part_facts *)command->out = facts;
    pci_free(context, path);
    pci_free(context, first);
    return status;
}

/* ---- Texts -----------------------------------------------------------------------------------
 *
 * Each process parses a range of the lines (io/readers.h). Its edges are arcs then, which go to processes by their rows,
 * so that about as many arcs are in each; these join edges that are given again (graphs/builder.h). Then the degrees are known,
 * and rows go to the processes that own them: the ranges are those that any other way of reading has. */

typedef struct text_reading {
    const pci_processes *all;
    pc_context *context;
    const pci_command *command;
    const char *path;
    bool is_matrix, may_be_mutual;
    pci_travel travel; /* of arcs, to their rows, and then of whole rows, to their owners */
} text_reading;

static pc_status agree_on_text(void *user, pc_status status)
{
    const text_reading *r = user;
    return pci_processes_agree_on_input(r->all, r->context, status);
}

static void join(void *user, pci_joining how, uint64_t *words, uint64_t n_words)
{
    const text_reading *r = user;
    MPI_Op op = how == PCI_JOIN_LEAST ? MPI_MIN : how == PCI_JOIN_SUM ? MPI_SUM : MPI_BOR;
    pci_processes_join(r->all, op, words, n_words);
}

static pc_status read_lines(text_reading *r, bool *is_declined, pci_graph_draft *draft)
{
    pci_input input;
    pci_text_share share = {.number = (uint64_t)r->all->rank,
                            .n = (uint64_t)r->all->n,
                            .agree = agree_on_text,
                            .join = join,
                            .user = r};
    pc_status status = open_shared(r->all, r->context, r->path, r->command->seed, &input);
    if (status != PC_OK)
        return status;
    input.share = &share;
    status =
        pci_graph_read_share(&input, (pc_format)r->command->format, &r->command->options, draft);
    pci_input_close(&input);
    *is_declined = share.is_declined;
    return status;
}

/* An undirected edge is an arc in both directions. */
static void for_edges(const void *source, pci_travel *travel)
{
    const pci_graph_draft *draft = source;
    for (size_t p = 0; p < draft->edges.n_parts; p++) {
        const pci_edge_part *part = &draft->edges.parts[p];
        for (uint64_t e = 0; e < part->n_edges; e++) {
            pci_edge edge = part->edge[e];
            uint64_t weight = part->weight ? part->weight[e] : 1;
            pci_travel_take(travel, edge.from, edge.to, weight);
            if (!draft->info.directed && edge.from != edge.to)
                pci_travel_take(travel, edge.to, edge.from, weight);
        }
    }
}

/* The draft gets the arcs of neighbouring rows in place of the edges of a range of lines. Rows whose arcs are all here are
 * joined by the builder of whole graphs; the other rows are empty. */
static pc_status build(text_reading *r, pci_graph_draft *draft, pc_graph **graph)
{
    pci_travel *travel = &r->travel;
    uint64_t has_weights = draft->edges.weight != NULL;
    r->is_matrix = draft->is_matrix;
    r->may_be_mutual = draft->may_be_mutual;
    draft->may_be_mutual = false;
    pc_status status = pci_travel_create(r->all, r->context, draft->labels.n, travel);
    if (status == PC_OK) {
        pci_processes_join(r->all, MPI_BOR, &has_weights, 1);
        status = pci_travel_begin(travel, for_edges, draft, has_weights);
    }
    if (status != PC_OK) {
        pci_draft_free(r->context, draft);
        return status;
    }
    pci_edges_free(r->context, &draft->edges);
    pci_travel_end(travel);
    draft->edges = travel->taken;
    draft->has_mirrors = true;
    travel->taken = (pci_edges){0};
    return agree_on_text(r, pci_graph_build_of_file(r->context, r->path, draft, graph));
}

static void for_rows(const void *source, pci_travel *travel)
{
    const pc_graph *graph = source;
    for (uint64_t v = 0; v < graph->n; v++)
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++)
            pci_travel_take(travel, (uint32_t)v, graph->column[a], pci_graph_weight(graph, a));
}

/* Each arc of a directed graph has its opposite, of the same weight, when sums of hashes over all processes agree. They do
 * for another graph with a probability of about 2^-64. */
static bool is_mutual(text_reading *r, const pci_part_rows *rows)
{
    uint64_t begin = r->travel.first[r->all->rank], end = r->travel.first[r->all->rank + 1];
    uint64_t difference = pci_serialized_sum(r->context, r->command->seed, PCI_OUTGOING, begin, end,
                                             rows->row_start, rows->column, rows->weight) -
                          pci_serialized_sum(r->context, r->command->seed, PCI_INCOMING, begin, end,
                                             rows->row_start, rows->column, rows->weight);
    join(r, PCI_JOIN_SUM, &difference, 1);
    return difference == 0;
}

/* graph has the rows that this process joined; they go to their owners. The facts of all processes become its facts. Every
 * process has found the vertices and their labels by itself, from what all have joined, so these are compared. */
static pc_status make_part(text_reading *r, pc_graph *graph, pci_graph_part **part)
{
    pc_graph_info *info = &graph->info;
    pci_part_rows rows = {0};
    pci_travel *travel = &r->travel;
    uint64_t hash = graph->n + pci_labels_checksum(&graph->labels);
    uint64_t sums[] = {info->n_arcs, info->n_edges, info->n_loops, info->n_duplicates};
    uint64_t least[] = {~info->max_weight, hash, ~hash};
    join(r, PCI_JOIN_SUM, sums, 4);
    join(r, PCI_JOIN_LEAST, least, 3);
    info->n_arcs = sums[0];
    info->n_edges = sums[1];
    info->n_loops = sums[2];
    info->n_duplicates = sums[3];
    info->max_weight = ~least[0];
    bool is_weighted = info->max_weight > 1;
    pc_status status = PC_OK;
    if (least[1] != ~least[2])
        status = pci_fail(r->context, PC_ERR_INTERNAL,
                          "%s: the processes have found different vertices", r->path);
    if (status == PC_OK)
        status = pci_travel_begin(travel, for_rows, graph, is_weighted);
    if (status != PC_OK)
        return status;
    pci_free(r->context, graph->column);
    pci_free(r->context, graph->weight);
    graph->column = NULL;
    graph->weight = NULL;
    pci_travel_end(travel);
    status = pci_travel_rows(travel, &rows);
    if (status == PC_OK && r->may_be_mutual && is_mutual(r, &rows))
        pci_graph_set_undirected(graph, r->is_matrix);
    if (status == PC_OK)
        status = pci_part_create(r->all, r->context, travel->first, &rows, part);
    pci_part_rows_free(r->context, &rows);
    return status;
}

/* The first process gets the graph without its arcs: vertices, labels and facts. */
typedef struct text_result {
    pc_graph *graph;
    bool is_declined; /* with PC_ERR_DATA: one process must read it */
} text_result;

/* An edge list or a Matrix Market file of integers, of which each process reads a range of the lines. */
pc_status pci_op_read_text(pc_cluster *cluster, const pci_command *command)
{
    pc_status status;
    pc_context *context = cluster->context;
    pci_graph_draft draft = {0};
    pc_graph *made = NULL;
    bool is_declined = false;
    char *path = pci_processes_copy(&cluster->all, context, command->path, command->n_path,
                                    "a path", &status);
    text_reading r = {.all = &cluster->all,
                      .context = context,
                      .command = command,
                      .path = path,
                      .travel = {.context = context}};
    if (status == PC_OK)
        status = read_lines(&r, &is_declined, &draft);
    if (status == PC_OK)
        status = build(&r, &draft, &made);
    if (status == PC_OK)
        status = make_part(&r, made, &cluster->part[command->graph]);
    pci_travel_free(&r.travel);
    pci_free(context, path);
    if (pci_is_first(cluster))
        *(text_result *)command->out = (text_result){status == PC_OK ? made : NULL, is_declined};
    if (!pci_is_first(cluster) || status != PC_OK)
        pc_graph_free(made);
    return status;
}

/* ---- In the first process -------------------------------------------------------------------- */

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
    *made = (pc_graph){.context = context, .n = head->n, .labels = pci_labels_range(0, head->n)};
    made->row_start = pci_alloc(context, (head->n + 1) * sizeof *made->row_start);
    status = made->row_start ? pci_serialized_read_starts(input, head, PCI_OUTGOING, 0, head->n,
                                                          made->row_start)
                             : pci_fail_memory(context, "the graph", (head->n + 1) * 8);
    if (status == PC_OK)
        status = pci_labels_file_read(context, path, head->n, &made->labels);
    if (status == PC_OK)
        *graph = made;
    else
        pc_graph_free(made);
    return status;
}

/* A serialized graph is read in parts with vertices and direction as it states them. *graph stays NULL, with PC_OK, when
 * the rows are not in the form that parts are made of. */
static pc_status read_parts(pc_context *context, pc_cluster *cluster, const pci_input *input,
                            const char *path, bool takes_weights, pc_graph **graph)
{
    pc_graph *made = NULL;
    part_facts facts = {0};
    pci_command command = {.takes_weights = takes_weights, .path = path, .out = &facts};
    const pci_serialized *head = &command.head;
    pc_status status = read_vertices(context, path, input, &command.head, &made);
    uint64_t *first = status == PC_OK ? pci_cluster_ranges(context, cluster, made) : NULL;
    command.ranges = first;
    if (status == PC_OK)
        status = first ? pci_random_words(context, 1, UINT64_MAX, &command.seed) : PC_ERR_MEMORY;
    if (status == PC_OK)
        status = pci_cluster_make(context, cluster, pci_op_read_serialized, command, &made);
    pci_free(context, first);
    if (status != PC_OK || !facts.is_canonical) {
        pc_graph_free(made);
        return status;
    }
    pci_given_rows rows = {.n = head->n,
                           .n_arcs = head->n_arcs,
                           .n_loops = facts.n_loops,
                           .max_weight = facts.max_weight};
    made->info = pci_given_rows_info(&rows, "GAP");
    made->info.weights_ignored = head->is_weighted && !takes_weights;
    if (!head->is_directed)
        pci_graph_set_undirected(made, true);
    pci_graph_seal(context, made);
    *graph = made;
    return PC_OK;
}

/* *graph stays NULL, with PC_OK, when one process must read the file: streams, which are opened once, packed files,
 * decimals, columns that are chosen, and other formats. */
static pc_status read_shared(pc_context *context, pc_cluster *cluster, const char *path,
                             pc_format format, const pc_graph_options *options, pc_graph **graph)
{
    static const pc_graph_options none;
    const pc_graph_options *o = options ? options : &none;
    const pc_file_format *named = pc_file_format_of(path, NULL);
    struct stat about;
    pci_input input;
    bool is_serialized = named && named->format == PC_FORMAT_SERIALIZED &&
                         (format == PC_FORMAT_AUTO || format == PC_FORMAT_SERIALIZED) &&
                         !o->n_vertices && o->direction == PC_DIRECTION_OF_FORMAT &&
                         o->loops == PC_LOOPS_ONCE;
    bool is_text = cluster->all.n > 1 &&
                   (format == PC_FORMAT_AUTO || format == PC_FORMAT_EDGE_LIST ||
                    format == PC_FORMAT_MATRIX_MARKET) &&
                   !o->real_weights && !o->columns && !o->separator && stat(path, &about) == 0 &&
                   S_ISREG(about.st_mode);
    pc_status status =
        is_serialized || is_text ? pci_input_open(context, path, &input) : PC_ERR_DATA;
    if (status != PC_OK)
        return is_serialized ? status : PC_OK; /* the reader of one process says why */
    bool is_plain = !input.unpacker && (is_serialized || input.path);
    if (is_plain && is_serialized)
        status = read_parts(context, cluster, &input, path, o->weights, graph);
    pci_input_close(&input);
    if (!is_plain || is_serialized)
        return status;
    text_result result = {0};
    pci_command command = {.format = (uint32_t)format, .options = *o, .path = path, .out = &result};
    status = pci_random_words(context, 1, UINT64_MAX, &command.seed);
    if (status == PC_OK)
        status = pci_cluster_make(context, cluster, pci_op_read_text, command, &result.graph);
    *graph = result.graph;
    return result.is_declined ? PC_OK : status;
}

pc_status pc_cluster_read(pc_context *context, pc_cluster *cluster, const char *path,
                          pc_format format, const pc_graph_options *options, pc_graph **graph)
{
    if (!context || !cluster || !path || !graph)
        return pci_fail_null(context, "cluster, path or graph");
    *graph = NULL;
    pc_status status = read_shared(context, cluster, path, format, options, graph);
    if (status != PC_OK || *graph)
        return status;
    status = pc_graph_read(context, path, format, options, graph);
    if (status == PC_OK)
        status = pc_graph_distribute(context, cluster, *graph);
    if (status != PC_OK) {
        pc_graph_free(*graph);
        *graph = NULL;
    }
    return status;
}
