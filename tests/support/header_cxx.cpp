// The public headers in C++17: they compile, and count the paths of length 3 of a triangle.
#include "pathcount.h"
#include "pathcount_io.h"
#include "pathcount_chain.h"
#include "pathcount_generate.h"
#include "pathcount_stream.h"
#include "pathcount_recurrence.h"
#include "pathcount_spc.h"
#include "pathcount_sample.h"
#include "pathcount_match.h"
#include "pathcount_time.h"

#include <cstdio>
#include <memory>
#include <string>

namespace {

using context_ptr = std::unique_ptr<pc_context, decltype(&pc_context_free)>;
using graph_ptr = std::unique_ptr<pc_graph, decltype(&pc_graph_free)>;
using counts_ptr = std::unique_ptr<pc_counts, decltype(&pc_counts_free)>;

// A^3 of a triangle is 2 on the diagonal and 3 elsewhere.
bool is_right(const pc_counts *counts)
{
    pc_rows rows;
    pc_counts_rows(counts, &rows);
    bool right = rows.n_rows == 3 && rows.n_columns == 3;
    for (std::uint64_t row = 0; right && row < 3; row++)
        for (std::uint64_t column = 0; right && column < 3; column++) {
            std::uint64_t count = 0;
            right = pc_counts_u64(counts, row, column, &count) == PC_OK &&
                    count == (row == column ? 2u : 3u);
        }
    return right;
}

bool count_triangle()
{
    pc_context *context = nullptr;
    if (pc_context_create(&context) != PC_OK)
        return false;
    context_ptr owned_context(context, pc_context_free);

    const std::uint64_t from[] = {0, 1, 2}, to[] = {1, 2, 0};
    pc_graph_options graph_options{};
    pc_edges edges{};
    edges.n_vertices = edges.n_edges = 3;
    edges.from = from;
    edges.to = to;
    pc_graph *graph = nullptr;
    if (pc_graph_from_edges(context, &edges, &graph_options, &graph) != PC_OK)
        return false;
    graph_ptr owned_graph(graph, pc_graph_free);

    pc_count_options options{};
    pc_counts *counts = nullptr;
    if (pc_count(context, graph, 3, &options, &counts) != PC_OK)
        return false;
    counts_ptr owned_counts(counts, pc_counts_free);
    return is_right(counts);
}

} // namespace

int main()
{
    const bool right = std::string(pc_version()) == PC_VERSION && count_triangle();
    std::puts(right ? "header_cxx: passed" : "header_cxx: FAILED");
    return right ? 0 : 1;
}
