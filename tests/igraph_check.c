/* Small graph files and what reading them must give: see igraph_check.h. */
#define _GNU_SOURCE /* mkdtemp, asprintf, strsep */

#ifdef PATHCOUNT_WITH_IGRAPH

#include "tests/igraph_check.h"

#include "graphs/graph.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *temporary_path(const char *name)
{
    char directory[] = P_tmpdir "/pathcount-test-XXXXXX", *path;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
    CU_ASSERT_FATAL(asprintf(&path, "%s/%s", directory, name) > 0);
    return path;
}

void remove_path(char *path)
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    free(path);
}

void write_bytes(const char *path, const char *bytes, size_t n_bytes)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, n_bytes, file), n_bytes);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

pc_status read_bytes(pc_context *context, const char *name, const char *text, size_t n_bytes,
                     const pc_graph_options *options, pc_graph **graph)
{
    char *path = temporary_path(name);
    write_bytes(path, text, n_bytes);
    pc_status status = pc_graph_read_igraph(context, path, NULL, options, graph);
    remove_path(path);
    return status;
}

static uint64_t entry(const pc_graph *graph, uint64_t row, uint64_t column)
{
    for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++) {
        if (graph->column[a] == column) {
            return graph->weight != NULL ? graph->weight[a] : 1;
        }
    }
    return 0;
}

static uint64_t find(pc_context *context, const pc_graph *graph, const char *label)
{
    uint64_t vertex;
    if (pc_graph_find(context, graph, label, &vertex) != PC_OK) {
        CU_FAIL("a label is missing");
        fprintf(stderr, "no label %s\n", label);
        return 0;
    }
    return vertex;
}

/* The labels of graph in order, blanks between. */
void check_labels(const pc_graph *graph, const char *expected)
{
    char all[1024] = "", label[256];
    for (uint64_t v = 0; v < pc_graph_n_vertices(graph); v++) {
        pc_graph_label(graph, v, label, sizeof label);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", v > 0 ? " " : "", label);
    }
    if (strcmp(all, expected) != 0) {
        CU_FAIL("other labels");
        fprintf(stderr, "labels \"%s\", expected \"%s\"\n", all, expected);
    }
}

/* The nonzero entries of the adjacency matrix and no others: "from>to" or "from>to*weight". */
void check_arcs(pc_context *context, const pc_graph *graph, const char *expected)
{
    char *copy = strdup(expected), *rest = copy, *arc;
    uint64_t n_arcs = 0;
    for (; (arc = strsep(&rest, " ")) != NULL; n_arcs++) {
        char *to = strchr(arc, '>'), *star = strchr(arc, '*');
        uint64_t weight = star != NULL ? strtoull(star + 1, NULL, 10) : 1;
        *to++ = '\0';
        if (star != NULL) {
            *star = '\0';
        }
        CU_ASSERT_EQUAL(entry(graph, find(context, graph, arc), find(context, graph, to)), weight);
    }
    CU_ASSERT_EQUAL(pci_graph_n_arcs(graph), n_arcs);
    free(copy);
}

/* A file that reads: its labels, arcs and info. */
void check_reads(const char *name, const char *text, const pc_graph_options *options,
                 const char *labels, const char *arcs, pc_graph_info *info)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    pc_status status = read_bytes(context, name, text, strlen(text), options, &graph);
    CU_ASSERT_EQUAL(status, PC_OK);
    if (status == PC_OK) {
        check_labels(graph, labels);
        check_arcs(context, graph, arcs);
        pc_graph_get_info(graph, info);
    } else {
        fprintf(stderr, "%s: %s\n", name, pc_context_message(context));
        memset(info, 0, sizeof *info);
    }
}

void check_refused_bytes(const char *name, const char *text, size_t n_bytes,
                         const pc_graph_options *options, const char *place, const char *what)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    CU_ASSERT_EQUAL(read_bytes(context, name, text, n_bytes, options, &graph), PC_ERR_DATA);
    CU_ASSERT_PTR_NULL(graph);
    const char *message = pc_context_message(context);
    char where[256];
    snprintf(where, sizeof where, "/%s:%s ", name, place);
    if (strstr(message, where) == NULL || strstr(message, what) == NULL) {
        fprintf(stderr, "message \"%s\", expected \"%s\" and \"%s\"\n", message, where, what);
        CU_FAIL("another message");
    }
}

/* A file that is refused with the message "...name:place what", place being "" or "line:". */
void check_refused(const char *name, const char *text, const pc_graph_options *options,
                   const char *place, const char *what)
{
    check_refused_bytes(name, text, strlen(text), options, place, what);
}

#endif
