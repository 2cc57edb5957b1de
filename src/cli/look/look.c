/* --plot and --show: takes the options, gathers what pictures need from the rows that go by, and
 * has the pictures drawn at the end. */
#define _GNU_SOURCE /* pipe2 */
#include "src/cli/look/scene.h"

#include "tool.h"
#include "src/cli/count_options.h"
#include "src/cli/files.h"
#include "src/cli/kinds.h"
#include "src/cli/load.h"
#include "src/cli/process.h"
#include "src/cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Options --------------------------------------------------------------------------------- */

static const char *const kinds[] = {
    [CLI_HEATMAP] = "heatmap:", [CLI_GROWTH] = "growth:", [CLI_HISTOGRAM] = "histogram:", NULL};

static const char *const scales[] = {
    [CLI_SEA] = "sea",   [CLI_BLUE] = "blue", [CLI_EMBER] = "ember",
    [CLI_DUSK] = "dusk", [CLI_GREY] = "grey", NULL};

/* Takes FILE or KIND:FILE. Another word before the colon is refused, unless a folder stands before
 * it. */
static void take_plot(cli_parse *parse, void *object, char *text)
{
    const struct argp_state *state = parse->state;
    cli_look_options *look = object;
    cli_plot plot = {CLI_HEATMAP, text};
    size_t length = strcspn(text, ":/");
    for (int k = CLI_HEATMAP; k <= CLI_HISTOGRAM; k++)
        if (strncmp(text, kinds[k], strlen(kinds[k])) == 0)
            plot = (cli_plot){(cli_picture)k, text + strlen(kinds[k])};
    if (plot.path == text && text[length] == ':')
        argp_error(state,
                   "--plot draws a heatmap, growth or histogram, not '%.*s' (a file of that name "
                   "is ./%s)",
                   (int)length, text, text);
    const char *slash = strrchr(plot.path, '/'), *name = slash == NULL ? plot.path : slash + 1;
    const char *ending = strrchr(name, '.');
    bool is_known =
        ending != NULL && ending != name &&
        (strcmp(ending, ".png") == 0 || strcmp(ending, ".svg") == 0 || strcmp(ending, ".pdf") == 0);
    if (!is_known)
        argp_error(state,
                   "--plot takes a file that ends in .png, .svg or .pdf, after heatmap:, growth: "
                   "or histogram: if it is to be one of these, not '%s'",
                   text);
    cli_file_is_written(state, "--plot", plot.path, PC_FORMAT_AUTO);
    if (look->n_plots == CLI_MAX_PLOTS)
        argp_error(state, "--plot may be given %d times at most", CLI_MAX_PLOTS);
    else
        look->plots[look->n_plots++] = plot;
}

#define AT(member) CLI_AT(cli_look_options, member)

const cli_option cli_look_rows[] = {
    {"--plot", "[KIND:]FILE",
     "Draw a picture (.png, .svg or .pdf): heatmap, growth or histogram; may be repeated", CLI_FILE,
     AT(plots), .take = take_plot, .words = kinds, .repeats = true},
    {"--plot-size", "N", "Side of pictures: pixels of .png, points of others (default: 800)",
     CLI_INTEGER, AT(size), .least = CLI_SCENE_WORDLESS, .most = 6000},
    {"--plot-colours", "SCALE", "Of pictures: sea, blue, ember, dusk or grey", CLI_CHOICE,
     AT(colours), .words = scales},
    {"--show", NULL, "A small picture in the terminal, after the answer", AT(show)},
    {0}};

/* Growth is the only picture of a total, and of lengths that can be drawn. */
void cli_look_options_check(const struct argp_state *state, const struct cli_count_options *count)
{
    const cli_look_options *look = &count->look;
    const char *option = look->show ? "--show" : "--plot";
    bool is_total = count->query.question == CLI_ASK_TOTAL, has_growth = look->show && is_total;
    if (look->n_plots == 0 && (look->size != 0 || look->colours != CLI_SEA))
        argp_error(state, "--plot-size and --plot-colours are of pictures: add --plot FILE");
    if (look->n_plots == 0 && !look->show)
        return;
    if (count->count.arithmetic == PC_MODULAR)
        argp_error(state, "%s has no meaning with --mod: residues have no size", option);
    if (look->show && count->output.json)
        argp_error(state, "--show and --json exclude each other: give one of them");
    if (count->query.question != CLI_ASK_MATRIX && !is_total)
        argp_error(state, "%s is of the whole matrix: leave out %s", option, count->query.option);
    for (size_t i = 0; i < look->n_plots; i++) {
        has_growth |= look->plots[i].picture == CLI_GROWTH;
        if (is_total && look->plots[i].picture != CLI_GROWTH)
            argp_error(state,
                       "with --total only growth can be drawn: --plot growth:%s, or leave out "
                       "--total",
                       look->plots[i].path);
    }
    if (has_growth && count->query.paths == PC_PATHS_MARKOV)
        argp_error(state, "growth has no meaning with --markov: probabilities do not grow");
    if (has_growth && (count->length < 1 || count->length > CLI_GROWTH_LENGTHS))
        argp_error(state, "growth is of the lengths from 1 to --length, which must be from 1 to %d",
                   CLI_GROWTH_LENGTHS);
}

/* ---- The library that draws ------------------------------------------------------------------ */

#ifdef __SANITIZE_ADDRESS__
/* Memory that the font library keeps until the end is not a leak of this program. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\n";
}
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
#endif

/* Finds the function that draws scenes in libpathcount_draw. Only the files cairo_*.c use cairo,
 * and they are in that library, which must be of the same version, because scenes are not part of
 * the public interface. NULL when this build has none, or when it cannot be opened; the message of
 * context, which may be NULL, then says why, and the status is PC_ERR_ENGINE. */
static cli_scene_fn *find_draw(pc_context *context)
{
#ifdef PATHCOUNT_WITH_CAIRO
    static const char file[] = "libpathcount_draw.so";
    __typeof__(&pc_draw) open = cli_module_function(context, file, "draws", "pc_draw");
    cli_scene_fn *draw = open != NULL ? open(CLI_SCENE_BUILD) : NULL;
    const char *message = open == NULL || draw != NULL
                              ? NULL
                              : "libpathcount_draw.so is of another build of pathcount than this "
                                "(" PC_VERSION "); install both together";
#else
    cli_scene_fn *draw = NULL;
    const char *message = "cannot draw: this pathcount was built without cairo; build it "
                          "where libcairo2-dev is installed, or leave out --plot (--show "
                          "works)";
#endif
    if (message != NULL && context != NULL)
        pc_context_fail(context, PC_ERR_ENGINE, message);
    return draw;
}

bool cli_look_can_draw(void)
{
    return find_draw(NULL) != NULL;
}

/* ---- Drawing in a process of its own --------------------------------------------------------- */

/* The libraries that find and load fonts crash, or never end, when there is no memory for them. So
 * a process of its own draws; it sends the bytes of the picture through a pipe. */
enum { READ_END, WRITE_END, PIECE_BYTES = 1 << 16, MOST_SECONDS = 30, TAIL_BYTES = 16 };

static _Noreturn void draw_and_exit(cli_scene_fn *draw, const cli_scene *scene,
                                    const cli_plot *plot, const int ends[2])
{
    close(ends[READ_END]); /* else a picture that nobody reads any more would be written for ever */
    struct rlimit none = {0}, seconds;
    setrlimit(RLIMIT_CORE, &none);
    if (getrlimit(RLIMIT_CPU, &seconds) == 0 && seconds.rlim_cur > MOST_SECONDS) {
        seconds.rlim_cur = MOST_SECONDS; /* a picture takes less than a second */
        setrlimit(RLIMIT_CPU, &seconds);
    }
    /* The messages of the libraries on standard error are not those of this program, and without
     * memory they never end. */
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing >= 0)
        dup2(nothing, STDERR_FILENO);
    FILE *stream = fdopen(ends[WRITE_END], "w");
    bool is_drawn =
        stream != NULL && draw(scene, plot->picture, strrchr(plot->path, '.'), stream) == PC_OK;
    _exit(is_drawn && fclose(stream) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Copies a picture to its file, and keeps its last bytes. The end of the bytes does not say that
 * the picture is whole. PC_ERR_NO_INPUT (no message is set) when it cannot be read. */
static pc_status copy(int from, pc_output *file, char tail[TAIL_BYTES])
{
    char piece[TAIL_BYTES + PIECE_BYTES], *bytes = piece + TAIL_BYTES;
    pc_status status = PC_OK;
    ssize_t n = 1;
    memset(piece, 0, TAIL_BYTES);
    while (status == PC_OK && n != 0) {
        n = read(from, bytes, PIECE_BYTES);
        if (n > 0) {
            status = pc_output_write(file, bytes, (size_t)n);
            memmove(piece, piece + n, TAIL_BYTES);
        } else if (n < 0 && errno != EINTR) {
            status = PC_ERR_NO_INPUT;
        }
    }
    memcpy(tail, piece, TAIL_BYTES);
    return status;
}

/* Draws and writes the picture to the file. PC_ERR_MEMORY (no message is set), also when the
 * process that draws does not end as it should, or leaves out the end of the picture, as cairo may
 * without memory. */
static pc_status draw_apart(cli_scene_fn *draw, const cli_scene *scene, const cli_plot *plot,
                            pc_output *file)
{
    const char *ending = strrchr(plot->path, '.');
    const char *last = strcmp(ending, ".pdf") == 0   ? "%%EOF\n"
                       : strcmp(ending, ".svg") == 0 ? "</svg>\n"
                                                     : "IEND\xae\x42\x60\x82";
    char tail[TAIL_BYTES];
    int ends[2], how = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return PC_ERR_MEMORY;
    pid_t process = fork();
    if (process == 0)
        draw_and_exit(draw, scene, plot, ends);
    close(ends[WRITE_END]);
    pc_status status = process > 0 ? copy(ends[READ_END], file, tail) : PC_ERR_MEMORY;
    close(ends[READ_END]); /* if it is too long for the disk, the process gets an error too */
    bool has_ended = process > 0 && TEMP_FAILURE_RETRY(waitpid(process, &how, 0)) == process;
    if (status != PC_OK)
        return status;
    bool is_whole = memcmp(tail + TAIL_BYTES - strlen(last), last, strlen(last)) == 0;
    return has_ended && is_whole && WIFEXITED(how) && WEXITSTATUS(how) == EXIT_SUCCESS
               ? PC_OK
               : PC_ERR_MEMORY;
}

/* ---- The matrix ------------------------------------------------------------------------------ */

struct cli_look {
    pc_context *context;
    const cli_look_options *options;
    cli_scene_fn *draw; /* NULL: there are no pictures */
    pc_frame frame;
    char *title, *about;
    pc_reduction *grid, *small; /* of pictures, and of the terminal; NULL: not wanted */
    cli_growth growth;          /* all zero: not wanted, or not to be had */
    bool has_matrix;
    pc_output *files[CLI_MAX_PLOTS]; /* NULL: not there, or finished */
};

static bool wants(const cli_look_options *options, cli_picture picture)
{
    for (size_t i = 0; i < options->n_plots; i++)
        if (options->plots[i].picture == picture)
            return true;
    return false;
}

/* Means and probabilities are no integers. */
static bool is_integral(const cli_look *look, pc_path_kind paths)
{
    return !look->frame.means && paths != PC_PATHS_MARKOV;
}

static pc_status no_memory(pc_context *context)
{
    return pc_context_fail(context, PC_ERR_MEMORY, "no memory for pictures");
}

static unsigned side_of(const cli_look_options *options)
{
    return options->size == 0 ? CLI_SCENE_SIDE : options->size;
}

/* A grid has no more cells than there are pixels for them; and .svg holds an image as text, which
 * is to stay below a megabyte. */
static uint32_t most_cells(const cli_look_options *options)
{
    enum { MOST_CELLS = 600, SVG_CELLS = 480 };
    unsigned side = side_of(options), limit = MOST_CELLS;
    for (size_t i = 0; i < options->n_plots; i++)
        if (strcmp(strrchr(options->plots[i].path, '.'), ".svg") == 0)
            limit = SVG_CELLS;
    uint64_t cells =
        side < CLI_SCENE_WORDLESS ? side - side / 16 : (uint64_t)MOST_CELLS * side / CLI_SCENE_SIDE;
    return cells < 1 ? 1 : cells > limit ? limit : (uint32_t)cells;
}

pc_status cli_look_create(pc_context *context, const cli_look_options *options,
                          const pc_frame *frame, const char *title, const char *about,
                          cli_look **look)
{
    *look = NULL;
    if (options->n_plots == 0 && !options->show)
        return PC_OK;
    cli_scene_fn *draw = options->n_plots > 0 ? find_draw(context) : NULL;
    if (options->n_plots > 0 && draw == NULL)
        return PC_ERR_ENGINE;
    cli_look *made = calloc(1, sizeof *made);
    if (made == NULL)
        return no_memory(context);
    *made = (cli_look){.context = context,
                       .options = options,
                       .draw = draw,
                       .title = strdup(title),
                       .about = strdup(about)};
    pc_status status = made->title != NULL && made->about != NULL ? PC_OK : no_memory(context);
    if (frame != NULL) {
        made->has_matrix = true;
        made->frame = *frame;
        if (status == PC_OK && (wants(options, CLI_HEATMAP) || wants(options, CLI_HISTOGRAM)))
            status = pc_grid_create(context, &made->frame, most_cells(options), &made->grid);
        if (status == PC_OK && options->show)
            status = pc_grid_create(context, &made->frame, cli_show_cells(), &made->small);
    }
    for (size_t i = 0; i < options->n_plots && status == PC_OK; i++)
        status = pc_output_open(context, options->plots[i].path, &made->files[i]);
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
    pc_reduction_free(look->grid);
    pc_reduction_free(look->small);
    cli_growth_free(&look->growth);
    free(look->title);
    free(look->about);
    free(look);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

uint32_t cli_look_reductions(const cli_look *look, pc_reduction **reductions)
{
    uint32_t n = 0;
    if (look != NULL && look->grid != NULL)
        reductions[n++] = look->grid;
    if (look != NULL && look->small != NULL)
        reductions[n++] = look->small;
    return n;
}

/* ---- The end --------------------------------------------------------------------------------- */

static pc_status draw(cli_look *look, pc_path_kind paths, size_t i)
{
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
                       .entry = look->frame.means ? "mean paths" : kind->column,
                       .sum = kind->sum,
                       .is_integral = is_integral(look, paths),
                       .size = side_of(look->options),
                       .colours = (cli_colours)look->options->colours};
    pc_output *file = look->files[i];
    pc_status status = draw_apart(look->draw, &scene, &look->options->plots[i], file);
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
    const cli_look_options *options = look->options;
    bool plots_growth = wants(options, CLI_GROWTH);
    pc_status status = PC_OK;
    if (plots_growth || (options->show && paths != PC_PATHS_MARKOV && length > 0)) {
        status = cli_growth_find(look->context, graph, paths, length, &look->growth);
        cli_progress_end(progress);
        /* The terminal shows the matrix, too, and can do so without growth. */
        if (status == PC_ERR_RANGE && !plots_growth && look->has_matrix)
            status = PC_OK;
    }
    for (size_t i = 0; i < options->n_plots && status == PC_OK; i++)
        status = draw(look, paths, i);
    if (status == PC_OK && options->show) {
        pc_grid_values grid;
        bool has_grid = look->small != NULL && pc_grid_get(look->small, &grid) == PC_OK;
        cli_show(has_grid ? &grid : NULL, is_integral(look, paths),
                 look->growth.log2 != NULL ? &look->growth : NULL);
    }
    return status;
}
