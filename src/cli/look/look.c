/* Gathers what pictures need from the rows that go by, and has them drawn at the end. */
#include "src/cli/look/look.h"

#include "src/cli/process.h"
#include "src/cli/kinds.h"
#include "src/cli/look/apart.h"
#include "src/cli/look/draw_module.h"
#include "src/cli/look/show.h"
#include "src/cli/terminal.h"

#include <stdlib.h>
#include <string.h>

struct cli_look {
    pc_context *context;
    const cli_look_options *options;
    cli_scene_fn *draw; /* NULL: there are no pictures */
    pc_frame frame;
    char *title, *about;
    pc_reduction *grid, *small; /* of pictures, and of the terminal; NULL: not wanted */
    cli_growth growth;          /* all zero: not wanted, or not to be had */
    bool has_matrix;
    char **texts;                    /* [n * n] of a small matrix */
    pc_output *files[CLI_MAX_PLOTS]; /* NULL: not there, or finished */
};

bool cli_look_can_draw(void)
{
    return cli_draw_find(NULL) != NULL;
}

static bool wants(const cli_look_options *options, cli_picture picture)
{
    for (size_t i = 0; i < options->n_plots; i++)
        if (options->plots[i].picture == picture)
            return true;
    return false;
}

static pc_status no_memory(pc_context *context)
{
    return pc_context_fail(context, PC_ERR_MEMORY, "no memory for pictures");
}

static unsigned side_of(const cli_look_options *options)
{
    return options->size == 0 ? CLI_SCENE_SIDE : options->size;
}

static uint64_t n_texts(const pc_frame *frame)
{
    return pc_labels_count(frame->rows) * pc_labels_count(frame->columns);
}

static bool is_small(const pc_frame *frame)
{
    return pc_labels_count(frame->rows) <= CLI_SCENE_TEXTS &&
           pc_labels_count(frame->columns) <= CLI_SCENE_TEXTS;
}

static bool has_svg(const cli_look_options *options)
{
    for (size_t i = 0; i < options->n_plots; i++)
        if (strcmp(strrchr(options->plots[i].path, '.'), ".svg") == 0)
            return true;
    return false;
}

/* No more cells than they have pixels; and .svg holds an image as text, which is to stay below a
 * megabyte. */
static uint32_t most_cells(const cli_look_options *options)
{
    enum { MOST_CELLS = 600, SVG_CELLS = 480 };
    unsigned side = side_of(options), limit = has_svg(options) ? SVG_CELLS : MOST_CELLS;
    uint64_t cells =
        side < CLI_SCENE_WORDLESS ? side - side / 16 : (uint64_t)MOST_CELLS * side / CLI_SCENE_SIDE;
    return cells < 1 ? 1 : cells > limit ? limit : (uint32_t)cells;
}

static pc_status prepare_matrix(cli_look *look)
{
    const cli_look_options *options = look->options;
    pc_status status = PC_OK;
    look->has_matrix = true;
    bool is_drawn = wants(options, CLI_HEATMAP) || wants(options, CLI_HISTOGRAM);
    if (is_drawn)
        status = pc_grid_create(look->context, &look->frame, most_cells(options), &look->grid);
    if (status == PC_OK && is_drawn && is_small(&look->frame)) {
        look->texts = calloc(n_texts(&look->frame) + 1, sizeof *look->texts);
        status = look->texts != NULL ? PC_OK : no_memory(look->context);
    }
    if (status == PC_OK && options->show)
        status = pc_grid_create(look->context, &look->frame, CLI_SHOW_CELLS, &look->small);
    return status;
}

/* Now, so that what cannot be created is known before the count. */
static pc_status create_files(cli_look *look)
{
    const cli_look_options *options = look->options;
    pc_status status = PC_OK;
    for (size_t i = 0; i < options->n_plots && status == PC_OK; i++)
        status = pc_output_open(look->context, options->plots[i].path, &look->files[i]);
    return status;
}

pc_status cli_look_create(pc_context *context, const cli_look_options *options,
                          const pc_frame *frame, const char *title, const char *about,
                          cli_look **look)
{
    *look = NULL;
    if (options->n_plots == 0 && !options->show)
        return PC_OK;
    cli_scene_fn *draw = options->n_plots > 0 ? cli_draw_find(context) : NULL;
    if (options->n_plots > 0 && draw == NULL)
        return PC_ERR_ENGINE;
    cli_look *made = calloc(1, sizeof *made);
    if (made == NULL)
        return no_memory(context);
    made->context = context;
    made->options = options;
    made->draw = draw;
    made->title = strdup(title);
    made->about = strdup(about);
    pc_status status = made->title != NULL && made->about != NULL ? PC_OK : no_memory(context);
    if (status == PC_OK && frame != NULL) {
        made->frame = *frame;
        status = prepare_matrix(made);
    }
    if (status == PC_OK)
        status = create_files(made);
    if (status == PC_OK)
        *look = made;
    else
        cli_look_free(made);
    return status;
}

void cli_look_free(cli_look *look)
{
    if (look == NULL)
        return;
    for (size_t i = 0; i < CLI_MAX_PLOTS; i++)
        pc_output_free(look->files[i]);
    for (uint64_t i = 0; look->texts != NULL && i < n_texts(&look->frame); i++)
        free(look->texts[i]);
    free(look->texts);
    pc_reduction_free(look->grid);
    pc_reduction_free(look->small);
    cli_growth_free(&look->growth);
    free(look->title);
    free(look->about);
    free(look);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static pc_status keep_texts(cli_look *look, const pc_rows *rows)
{
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        size_t length = 0;
        char none[1], *text;
        pc_rows_text(rows, e, none, sizeof none, &length);
        text = malloc(length + 1);
        if (text == NULL)
            return no_memory(look->context);
        look->texts[rows->first_row * rows->n_columns + e] = text;
        pc_status status = pc_rows_text(rows, e, text, length + 1, NULL);
        if (status != PC_OK)
            return status;
    }
    return PC_OK;
}

uint32_t cli_look_reductions(const cli_look *look, pc_reduction **reductions)
{
    uint32_t n = 0;
    if (look != NULL && look->grid != NULL)
        reductions[n++] = look->grid;
    if (look != NULL && look->small != NULL)
        reductions[n++] = look->small;
    return n;
}

bool cli_look_wants_rows(const cli_look *look)
{
    return look != NULL && look->texts != NULL;
}

pc_status cli_look_add(cli_look *look, const pc_rows *rows)
{
    return cli_look_wants_rows(look) ? keep_texts(look, rows) : PC_OK;
}

/* ---- The end --------------------------------------------------------------------------------- */

static pc_status find_growth(cli_look *look, const pc_graph *graph, pc_path_kind paths,
                             uint64_t length, cli_progress *progress)
{
    bool is_plotted = wants(look->options, CLI_GROWTH);
    bool is_shown = look->options->show && paths != PC_PATHS_MARKOV && length > 0;
    if (!is_plotted && !is_shown)
        return PC_OK;
    pc_status status = cli_growth_find(look->context, graph, paths, length, &look->growth);
    cli_progress_end(progress);
    /* In the terminal it stands beside the matrix, which can be seen without it. */
    return status == PC_ERR_RANGE && !is_plotted && look->has_matrix ? PC_OK : status;
}

static pc_status draw(cli_look *look, pc_path_kind paths, size_t i)
{
    const cli_plot *plot = &look->options->plots[i];
    const cli_path_kind *kind = cli_path_kind_of(paths);
    pc_grid_values grid = {0};
    if (look->grid != NULL)
        pc_grid_get(look->grid, &grid);
    cli_scene scene = {.title = look->title,
                       .about = look->about,
                       .rows = look->frame.rows,
                       .columns = look->frame.columns,
                       .heat = &grid,
                       .growth = &look->growth,
                       .texts = look->texts,
                       .entry = look->frame.means ? "mean paths" : kind->column,
                       .sum = kind->sum,
                       .is_integral = !look->frame.means && paths != PC_PATHS_MARKOV,
                       .size = side_of(look->options)};
    pc_output *file = look->files[i];
    pc_status status =
        cli_draw_apart(look->draw, &scene, plot->picture, strrchr(plot->path, '.'), file);
    if (status == PC_ERR_MEMORY)
        status = no_memory(look->context);
    else if (status == PC_ERR_NO_INPUT)
        status = pc_context_fail(look->context, PC_ERR_IO,
                                 "the picture cannot be read from the process that draws it");
    else if (status == PC_OK && cli_signals_pending() != 0)
        status = PC_ERR_CANCELLED;
    if (status == PC_OK) {
        look->files[i] = NULL;
        status = pc_output_commit(file);
    }
    return status;
}

pc_status cli_look_finish(cli_look *look, const pc_graph *graph, pc_path_kind paths,
                          uint64_t length, cli_progress *progress)
{
    if (look == NULL)
        return PC_OK;
    pc_status status = find_growth(look, graph, paths, length, progress);
    for (size_t i = 0; i < look->options->n_plots && status == PC_OK; i++)
        status = draw(look, paths, i);
    if (status == PC_OK && look->options->show) {
        FILE *out = cli_guard_below(stdout);
        pc_grid_values grid;
        bool has_grid = look->small != NULL && pc_grid_get(look->small, &grid) == PC_OK;
        cli_show(out, has_grid ? &grid : NULL, look->growth.log2 != NULL ? &look->growth : NULL);
        fflush(out);
    }
    return status;
}
