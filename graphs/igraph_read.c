/* Graph files in formats of igraph. The text is unpacked here; igraph reads it in a process of its own,
 * whose answer is checked before the graph is built. */
#define _GNU_SOURCE /* secure_getenv */
#include "graphs/igraph_child.h"
#include "graphs/igraph_format.h"
#include "graphs/igraph_read.h"
#include "graphs/pathcount_igraph.h"
#include "pathcount_io.h"
#include "src/core/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Measured with igraph 0.10: up to 40 bytes of memory for a byte of a usual file, more for each vertex that
 * a header declares, much more where vertices have many attributes; a second of CPU time for 4 to 16 MB. The
 * limits are ten times as much, and more. */
enum {
    LEAST_BYTES = 64 << 20,
    LEAST_BYTES_A_BYTE = 512, /* of the text: a process gets so much, whatever is planned for */
    MOST_BYTES = 1 << 30,
    MOST_BYTES_A_BYTE = 2048, /* a process gets no more, whatever there is */
    BYTES_A_VERTEX = 512,
    TEXT_BYTES_A_SECOND = 100000,
    LABEL_BYTES = 32 /* of a number as a label */
};

static const double first_inexact = 0x1p53;

typedef struct reading {
    pc_context *context;
    const char *path; /* for messages */
    const pci_igraph_format *format;
    bool is_free; /* only the name of the file tells the format */
    pc_graph_options options;
    uint64_t most_vertices;
    pci_igraph_message answer;
} reading;

/* ---- The question ---------------------------------------------------------------------------- */

static uint64_t memory_for(const reading *job, uint64_t n_bytes)
{
    uint64_t available = pc_context_memory_available(job->context);
    uint64_t least = LEAST_BYTES + LEAST_BYTES_A_BYTE * n_bytes;
    uint64_t most = MOST_BYTES + MOST_BYTES_A_BYTE * n_bytes;
    uint64_t declared =
        job->options.max_vertices < UINT32_MAX ? job->options.max_vertices : UINT32_MAX;
    most += BYTES_A_VERTEX * declared;
    return available < least ? least : available < most ? available : most;
}

static uint32_t seconds_for(uint64_t base_seconds, uint64_t n_bytes)
{
    uint64_t seconds = base_seconds + n_bytes / TEXT_BYTES_A_SECOND;
    return seconds < INT32_MAX ? (uint32_t)seconds : INT32_MAX;
}

static void make_question(reading *job, const char *bytes, uint64_t n_bytes,
                          pci_igraph_question *question)
{
    pci_igraph_message *task = &question->task;
    pci_igraph_message_sign(task);
    task->header.kind = PCI_IGRAPH_READ;
    task->header.format = pci_igraph_format_number(job->format);
    task->header.direction = (uint32_t)job->options.direction;
    task->header.uses_weights = (uint32_t)job->options.weights;
    task->header.takes_decimals = job->options.real_weights != 0;
    task->header.max_vertices = job->options.max_vertices;
    task->header.memory_bytes = memory_for(job, n_bytes);
    task->header.cpu_seconds = seconds_for(question->base_seconds, n_bytes);
    pci_igraph_message_put(task, PCI_IGRAPH_TEXT, job->path, strlen(job->path));
    pci_igraph_message_put(task, PCI_IGRAPH_NUMBERS, bytes, n_bytes);
    /* A file has no more edges than bytes, and no vertices beyond those that it names or declares. */
    job->most_vertices =
        job->options.max_vertices > 0 ? job->options.max_vertices : PC_STATED_VERTICES + n_bytes;
    job->most_vertices = job->most_vertices > n_bytes ? job->most_vertices : n_bytes;
    job->most_vertices = job->most_vertices < UINT32_MAX ? job->most_vertices : UINT32_MAX;
    question->most[PCI_IGRAPH_TEXT] = PCI_IGRAPH_TEXT_BYTES;
    question->most[PCI_IGRAPH_NUMBERS] = 2 * sizeof(uint64_t) * n_bytes;
    question->most[PCI_IGRAPH_WEIGHTS] = sizeof(uint64_t) * n_bytes;
    question->most[PCI_IGRAPH_LABELS] = 2 * n_bytes + LABEL_BYTES * job->most_vertices;
}

static pc_status use_text(void *user, const char *bytes, size_t n_bytes)
{
    reading *job = user;
    pci_igraph_question question = {
        .stage = "read",
        .subject = job->path,
        .advice = "convert the file to an edge list, one line for each edge",
        .status = PC_ERR_DATA,
    };
    pc_status status = pci_igraph_format_check(job->context, job->path, bytes, n_bytes,
                                               job->is_free, &job->format);
    if (status == PC_OK)
        status =
            pci_variable_read(job->context, PCI_VARIABLE_IGRAPH_SECONDS, &question.base_seconds);
    if (status != PC_OK)
        return status;
    make_question(job, bytes, n_bytes, &question);
    return pci_igraph_ask(job->context, &question, &job->answer);
}

/* ---- The answer ------------------------------------------------------------------------------ */

/* The texts of the part of labels; false unless there are as many as vertices. */
static bool find_labels(const pci_igraph_message *answer, const char **labels)
{
    const char *at = answer->part[PCI_IGRAPH_LABELS],
               *end = at + answer->header.n_bytes[PCI_IGRAPH_LABELS];
    uint64_t n = 0;
    for (; at < end && n < answer->header.n_vertices; n++) {
        labels[n] = at;
        at += strlen(at) + 1; /* there is a NUL behind the part, too */
    }
    return n == answer->header.n_vertices && at == end;
}

/* Whether the numbers are edges between the vertices, and their weights multiplicities of igraph. */
static bool are_edges(const pci_igraph_message *answer)
{
    const pci_igraph_header *header = &answer->header;
    const uint64_t *ends = answer->part[PCI_IGRAPH_NUMBERS];
    const double *weights = answer->part[PCI_IGRAPH_WEIGHTS];
    uint64_t n_ends = header->n_bytes[PCI_IGRAPH_NUMBERS] / sizeof *ends;
    uint64_t n_weights = header->n_bytes[PCI_IGRAPH_WEIGHTS] / sizeof *weights;
    bool are_good = header->n_bytes[PCI_IGRAPH_NUMBERS] % (2 * sizeof *ends) == 0 &&
                    header->n_bytes[PCI_IGRAPH_WEIGHTS] % sizeof *weights == 0 &&
                    (n_weights == 0 || n_weights == n_ends / 2);
    for (uint64_t i = 0; are_good && i < n_ends; i++)
        are_good = ends[i] < header->n_vertices;
    for (uint64_t i = 0; are_good && i < n_weights; i++)
        are_good = weights[i] >= 0 && weights[i] < first_inexact;
    return are_good;
}

pc_status pci_igraph_take_answer(pc_context *context, const pci_igraph_message *answer,
                                 uint64_t most_vertices, const char *format,
                                 const pc_graph_options *options, pc_graph **graph)
{
    const pci_igraph_header *header = &answer->header;
    static const char nonsense[] =
        "the answer of igraph's process makes no sense: convert the file to an "
        "edge list, one line for each edge";
    if (header->n_vertices == 0 || header->n_vertices > most_vertices || !are_edges(answer))
        return pc_context_fail(context, PC_ERR_DATA, nonsense);
    const char **labels = malloc(header->n_vertices * sizeof *labels);
    if (!labels)
        return pc_context_fail(context, PC_ERR_MEMORY, "out of memory for the labels of vertices");
    uint64_t n_edges = header->n_bytes[PCI_IGRAPH_NUMBERS] / (2 * sizeof(uint64_t));
    const uint64_t *ends = answer->part[PCI_IGRAPH_NUMBERS];
    pci_igraph_clean_text(answer->part[PCI_IGRAPH_TEXT]);
    const pc_edges edges = {
        .n_vertices = header->n_vertices,
        .labels = labels,
        .n_edges = n_edges,
        .from = ends,
        .to = ends + n_edges,
        .real_weight =
            header->n_bytes[PCI_IGRAPH_WEIGHTS] > 0 ? answer->part[PCI_IGRAPH_WEIGHTS] : NULL,
        .stated = (pc_direction)header->direction,
        .weights_ignored = header->drops_weights != 0,
        .format = format,
        .note = answer->part[PCI_IGRAPH_TEXT],
    };
    pc_status status = find_labels(answer, labels)
                           ? pc_graph_from_edges(context, &edges, options, graph)
                           : pc_context_fail(context, PC_ERR_DATA, nonsense);
    free(labels);
    return status;
}

/* Puts the name of the file before a message of the builder, which does not know it. */
static pc_status name_file(const reading *job, pc_status status)
{
    char message[1024];
    if (status != PC_ERR_DATA && status != PC_ERR_ARGUMENT && status != PC_ERR_RANGE)
        return status;
    snprintf(message, sizeof message, "%s", pc_context_message(job->context));
    return pci_igraph_fail(job->context, status, "%s: %s", job->path, message);
}

pc_status pc_graph_read_igraph(pc_context *context, const char *path, const char *format_name,
                               const pc_graph_options *options, pc_graph **graph)
{
    if (!context || !path || !graph)
        return pc_context_fail(context, PC_ERR_ARGUMENT, "path or graph is NULL");
    reading job = {.context = context, .path = strcmp(path, "-") == 0 ? "standard input" : path};
    if (options)
        job.options = *options;
    job.is_free = !format_name;
    pc_status status = pci_igraph_format_find(context, path, format_name, &job.format);
    if (status == PC_OK && options && (options->columns || options->separator || options->header))
        return pci_igraph_fail(
            context, PC_ERR_DATA,
            "%s: --columns, --separator, --header and --no-header are for edge lists, "
            "and this file is to be read as %s (--format edges reads it as one)",
            job.path, job.format->title);
    if (status == PC_OK)
        status = pc_text_read(context, path, use_text, &job);
    if (status == PC_OK) { /* the text is freed already */
        status = pci_igraph_take_answer(context, &job.answer, job.most_vertices, job.format->title,
                                        &job.options, graph);
        status = name_file(&job, status);
    }
    pci_igraph_message_free(&job.answer);
    return status;
}
