/* The canonical digest of a graph. */
#include "src/cli/verify/graph_digest.h"

#include "src/cli/text.h"

#include <inttypes.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 80 };

static void add(struct sha256_ctx *hash, const char *text, size_t length)
{
    sha256_update(hash, length, (const uint8_t *)text);
}

static bool add_label(struct sha256_ctx *hash, const pc_labels *labels, uint64_t index)
{
    static const char special[] = "\t\n\r\\", letters[] = "tnr\\";
    char *label = cli_label_raw(labels, index);
    for (const char *c = label; c != NULL && *c != '\0'; c++) {
        const char *found = strchr(special, *c), escaped[] = {'\\', 0};
        if (found != NULL)
            add(hash, escaped, 1);
        add(hash, found != NULL ? &letters[found - special] : c, 1);
    }
    add(hash, "\n", 1);
    bool is_added = label != NULL;
    free(label);
    return is_added;
}

static void add_arcs(struct sha256_ctx *hash, const pc_graph *graph)
{
    uint64_t n = pc_graph_n_vertices(graph);
    pc_arcs arcs;
    pc_graph_arcs(graph, &arcs);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t e = arcs.row_start[v]; e < arcs.row_start[v + 1]; e++) {
            char line[LINE_BYTES];
            uint64_t weight = arcs.weight != NULL ? arcs.weight[e] : 1;
            add(hash, line,
                (size_t)snprintf(line, sizeof line, "%" PRIu64 " %" PRIu32 " %" PRIu64 "\n", v,
                                 arcs.column[e], weight));
        }
}

bool cli_digest_graph(const pc_graph *graph, char digest[CLI_DIGEST_SIZE])
{
    static const char title[] = "pathcount graph\n";
    uint8_t bytes[SHA256_DIGEST_SIZE];
    char line[LINE_BYTES];
    struct sha256_ctx hash;
    const pc_labels *labels = pc_graph_labels(graph);
    bool is_whole = true;
    sha256_init(&hash);
    add(&hash, title, strlen(title));
    add(&hash, line,
        (size_t)snprintf(line, sizeof line, "%" PRIu64 "\n", pc_graph_n_vertices(graph)));
    for (uint64_t v = 0; v < pc_labels_count(labels) && is_whole; v++)
        is_whole = add_label(&hash, labels, v);
    add_arcs(&hash, graph);
    sha256_digest(&hash, sizeof bytes, bytes);
    base16_encode_update(digest, sizeof bytes, bytes);
    digest[CLI_DIGEST_SIZE - 1] = '\0';
    return is_whole;
}
