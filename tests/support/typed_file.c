/* Small graph files and what reading them must give: see typed_file.h. */
#define _GNU_SOURCE /* mkdtemp, asprintf, strsep */

#include "tests/support/typed_file.h"

#include "graphs/graph.h"
#include "tests/support/fixture.h"
#include "tests/support/reading.h"

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

pc_status read_bytes(pc_context *context, const char *name, const char *text, size_t n_bytes,
                     const pc_graph_options *options, pc_graph **graph)
{
    char *path = temporary_path(name);
    scratch_write(path, text, n_bytes);
    pc_status status = pc_graph_read(context, path, PC_FORMAT_AUTO, options, graph);
    remove_path(path);
    return status;
}

void check_labels(const pc_graph *graph, const char *expected)
{
    OWNED(char) *shown = show_graph(graph), *labels = NULL;
    CU_ASSERT_FATAL(asprintf(&labels, "%s%s|", expected, *expected ? " " : "") >= 0);
    if (strncmp(shown, labels, strlen(labels)) != 0)
        printf("\n    %s\n    expected: %s\n", shown, labels);
    CU_ASSERT(strncmp(shown, labels, strlen(labels)) == 0);
}

void check_arcs(const pc_graph *graph, const char *expected)
{
    OWNED(char) *shown = show_graph(graph), *copy = strdup(expected), *padded = NULL;
    char *rest = copy, *arc;
    uint64_t n_arcs = 0;
    bool has_all = true;
    CU_ASSERT_FATAL(asprintf(&padded, "%s ", strchr(shown, '|')) >= 0);
    for (; (arc = strsep(&rest, " ")) != NULL; n_arcs++) {
        char between[256];
        snprintf(between, sizeof between, " %s ", arc);
        has_all = has_all && strstr(padded, between);
    }
    if (!has_all)
        printf("\n    %s\n    expected: %s\n", shown, expected);
    CU_ASSERT(has_all);
    CU_ASSERT_EQUAL(pci_graph_n_arcs(graph), n_arcs);
}

/* A file that reads: its labels, arcs and info. */
void check_reads(const char *name, const char *text, const pc_graph_options *options,
                 const char *labels, const char *arcs, pc_graph_info *info)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    memset(info, 0, sizeof *info);
    pc_status status = read_bytes(context, name, text, strlen(text), options, &graph);
    CU_ASSERT(succeeds(context, status));
    if (status != PC_OK)
        return;
    check_labels(graph, labels);
    check_arcs(graph, arcs);
    pc_graph_get_info(graph, info);
}

void check_refused_bytes(const char *name, const char *text, size_t n_bytes,
                         const pc_graph_options *options, const char *place, const char *what)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    char where[256];
    snprintf(where, sizeof where, "/%s:%s ", name, place);
    CU_ASSERT(is_refused(context, read_bytes(context, name, text, n_bytes, options, &graph),
                         PC_ERR_DATA, where));
    CU_ASSERT(says(context, what));
    CU_ASSERT_PTR_NULL(graph);
}

/* A file that is refused with the message "...name:place what", place being "" or "line:". */
void check_refused(const char *name, const char *text, const pc_graph_options *options,
                   const char *place, const char *what)
{
    check_refused_bytes(name, text, strlen(text), options, place, what);
}
