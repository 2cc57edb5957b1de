/* What stands in the lines of a query's answer. */
#include "src/cli/verify/places.h"

#include "src/cli/kinds.h"

size_t cli_places_columns(const cli_verify_question *question,
                          const char *columns[CLI_PLACE_COLUMNS], size_t *n_columns)
{
    const cli_query_options *asked = &question->options->query;
    const cli_path_kind *kind = cli_path_kind_of(asked->paths);
    uint64_t vertices[2];
    size_t n = 0, n_vertices = question->n_rows > 0 && question->n_columns > 0
                                   ? cli_places_vertices(question, 0, vertices)
                                   : 2;
    bool is_sum = asked->question == CLI_ASK_TOTAL || asked->question == CLI_ASK_TRACE;
    if (asked->question == CLI_ASK_SUMS || asked->question == CLI_ASK_CLOSED ||
        cli_verify_is_series(question))
        n_vertices = 1;
    if (asked->each)
        columns[n++] = "length";
    if (n_vertices == 2)
        columns[n++] = "from";
    if (n_vertices > 0)
        columns[n++] = n_vertices == 2 ? "to" : "vertex";
    size_t n_keys = n;
    if (asked->question == CLI_ASK_SUMS) {
        columns[n++] = "starting";
        columns[n++] = "ending";
    } else if (cli_verify_is_series(question)) {
        columns[n++] = "centrality";
    } else {
        columns[n++] = is_sum || asked->up_to ? kind->sum : kind->column;
    }
    *n_columns = n;
    return n_keys;
}

bool cli_places_is_bare(const cli_verify_question *question)
{
    const cli_query_options *asked = &question->options->query;
    return !asked->each && question->n_rows == 1 &&
           (asked->question == CLI_ASK_TOTAL || asked->question == CLI_ASK_TRACE ||
            asked->question == CLI_ASK_PAIRS);
}

uint64_t cli_places_n_counts(const cli_verify_question *question)
{
    return question->options->query.question == CLI_ASK_SUMS ? 2 : 1;
}

uint64_t cli_places_n_lines(const cli_verify_question *question)
{
    return question->n_rows * (question->n_columns / cli_places_n_counts(question));
}

size_t cli_places_vertices(const cli_verify_question *question, uint64_t line, uint64_t vertices[2])
{
    const cli_vertices *named = &question->vertices;
    uint64_t n = question->n_columns;
    switch (question->options->query.question) {
    case CLI_ASK_FROM:
        vertices[0] = named->from[line / n];
        vertices[1] = line % n;
        return 2;
    case CLI_ASK_TO:
        vertices[0] = line % n;
        vertices[1] = named->to[line / n];
        return 2;
    case CLI_ASK_PAIRS:
        vertices[0] = named->from[line];
        vertices[1] = named->to[line];
        return 2;
    case CLI_ASK_SUMS:
    case CLI_ASK_CLOSED:
    case CLI_ASK_KATZ:
    case CLI_ASK_SUBGRAPH:
        vertices[0] = line;
        return 1;
    default:
        return 0;
    }
}
