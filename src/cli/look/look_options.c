/* --plot and --show on the command line. */
#include "src/cli/look/look.h"

#include "src/cli/count_options.h"
#include "src/cli/look/growth.h"
#include "src/cli/files.h"

#include <string.h>

static const char *const kinds[] = {
    [CLI_HEATMAP] = "heatmap:", [CLI_GROWTH] = "growth:", [CLI_HISTOGRAM] = "histogram:", NULL};

/* Returns FILE of "growth:FILE" and stores the kind. Text without a kind is the name of a file.
 * Another word before the colon is refused, unless a folder stands before it. */
static const char *split_kind(const struct argp_state *state, const char *text,
                              cli_picture *picture)
{
    *picture = CLI_HEATMAP;
    for (int k = CLI_HEATMAP; k <= CLI_HISTOGRAM; k++)
        if (strncmp(text, kinds[k], strlen(kinds[k])) == 0) {
            *picture = (cli_picture)k;
            return text + strlen(kinds[k]);
        }
    size_t length = strcspn(text, ":/");
    if (text[length] == ':')
        argp_error(state,
                   "--plot draws a heatmap, growth or histogram, not '%.*s' (a file of that name "
                   "is ./%s)",
                   (int)length, text, text);
    return text;
}

static bool has_ending(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1, *ending = strrchr(name, '.');
    return ending != NULL && ending != name &&
           (strcmp(ending, ".png") == 0 || strcmp(ending, ".svg") == 0 ||
            strcmp(ending, ".pdf") == 0);
}

static void take_plot(cli_parse *parse, void *object, char *text)
{
    const struct argp_state *state = parse->state;
    cli_look_options *look = object;
    cli_plot plot;
    plot.path = split_kind(state, text, &plot.picture);
    if (!has_ending(plot.path))
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
    {"--show", NULL, "A small picture in the terminal, after the answer", AT(show)},
    {0}};

static void check_query(const struct argp_state *state, const cli_count_options *count)
{
    const char *option = count->query.option;
    if (count->query.question == CLI_ASK_MATRIX)
        return;
    if (count->query.question != CLI_ASK_TOTAL)
        argp_error(state, "%s is of the whole matrix: leave out %s",
                   count->look.show ? "--show" : "--plot", option);
    for (size_t i = 0; i < count->look.n_plots; i++)
        if (count->look.plots[i].picture != CLI_GROWTH)
            argp_error(state,
                       "with --total only growth can be drawn: --plot growth:%s, or leave out "
                       "--total",
                       count->look.plots[i].path);
}

static void check_growth(const struct argp_state *state, const cli_count_options *count)
{
    bool is_drawn = count->look.show && count->query.question == CLI_ASK_TOTAL;
    for (size_t i = 0; i < count->look.n_plots; i++)
        is_drawn = is_drawn || count->look.plots[i].picture == CLI_GROWTH;
    if (!is_drawn)
        return;
    if (count->query.paths == PC_PATHS_MARKOV)
        argp_error(state, "growth has no meaning with --markov: probabilities do not grow");
    if (count->length < 1 || count->length > CLI_GROWTH_LENGTHS)
        argp_error(state, "growth is of the lengths from 1 to --length, which must be from 1 to %d",
                   CLI_GROWTH_LENGTHS);
}

void cli_look_options_check(const struct argp_state *state, const struct cli_count_options *count)
{
    if (count->look.n_plots == 0 && !count->look.show)
        return;
    const char *option = count->look.show ? "--show" : "--plot";
    if (count->count.arithmetic == PC_MODULAR)
        argp_error(state, "%s has no meaning with --mod: residues have no size", option);
    if (count->look.show && count->output.json)
        argp_error(state, "--show and --json exclude each other: give one of them");
    check_query(state, count);
    check_growth(state, count);
}
