/* The table of options.
 *
 * A row describes an option, a group is an array of rows, and a command lists its groups. The rows
 * make --help and the parser (through argp), the options that a line of a manifest may set, the
 * options in the record of a job, the completions for shells, and the options in the manual. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "src/tool.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- Rows ------------------------------------------------------------------------------------ */

typedef enum cli_value {
    CLI_FLAG,    /* the option takes no value; it stores its constant */
    CLI_INTEGER, /* from least to most */
    CLI_SIZE,    /* bytes, as 512M */
    CLI_NUMBER,  /* a double above 0 */
    CLI_CHOICE,  /* one of the words; stores which */
    CLI_TEXT,    /* any text; this kind and those below store the pointer to the text */
    CLI_FILE,    /* the name of a file */
    CLI_FOLDER,  /* the name of a folder */
    CLI_VERTEX   /* a label, or @FILE */
} cli_value;

/* Options of one set exclude each other. */
typedef enum cli_set {
    CLI_NO_SET,
    CLI_DIRECTIONS,
    CLI_HEADERS,
    CLI_ARITHMETICS,
    CLI_REDUCTIONS,
    CLI_PATH_KINDS,
    CLI_LENGTHS,
    CLI_PRODUCTS,
    CLI_FORMS,
    CLI_OWN_CHECK, /* from here on the commands check the sets, with messages of their own */
    CLI_QUESTIONS = CLI_OWN_CHECK,
    CLI_EDGE_NUMBERS,
    CLI_N_SETS
} cli_set;

/* The part that an option plays for one job of a batch. */
typedef enum cli_of_job {
    CLI_NOT_OF_JOB,
    CLI_OF_JOB,   /* a line of a manifest may set it */
    CLI_OF_RESULT /* a line may set it, and the result of the job depends on it */
} cli_of_job;

typedef struct cli_parse cli_parse;
typedef struct cli_option cli_option;
typedef struct cli_known_file cli_known_file;

struct cli_option {
    const char *name;     /* "--length" */
    const char *argument; /* "K"; NULL: the option takes none */
    const char *help;     /* NULL: the option is hidden */
    cli_value value;
    size_t offset, n_bytes;   /* where the value goes in the structure of the group: CLI_AT */
    int constant;             /* of a flag */
    uint64_t least, most;     /* of an integer; most also of a number, 0: any finite one */
    const char *unit;         /* of a number, in messages: " of seconds" */
    const char *const *words; /* to choose from, or for shells to propose; NULL ends them */
    const char *const *(*list_words)(void); /* in place of words */
    cli_set set;
    cli_of_job job;
    bool repeats;
    bool is_optional;    /* the argument may be left out: "--explain=all" */
    char letter;         /* of the short option; 0: none */
    const char *refusal; /* why the option cannot be given here; NULL: it can */
    /* Takes the value in place of the rule for its kind; object is the structure of the group. */
    void (*take)(cli_parse *parse, void *object, char *argument);
};

/* The place of the value in a structure of that type. */
#define CLI_AT(type, member)                                                                       \
    .offset = offsetof(type, member), .n_bytes = sizeof(((type *)NULL)->member)

/* ---- Commands -------------------------------------------------------------------------------- */

typedef struct cli_group {
    const char *title;      /* in --help, with an example; NULL: none */
    const cli_option *rows; /* up to one without a name */
    size_t offset;          /* of the structure of the group in that of the command */
} cli_group;

typedef struct cli_command {
    const char *name, *summary;
    const char *arguments; /* what --help says of them; NULL: there are none */
    const char *doc;
    const cli_group *groups; /* up to one without rows */
    unsigned argp_flags;
    /* Each may be NULL. */
    void (*begin)(cli_parse *parse);
    void (*check_option)(cli_parse *parse); /* before an option is taken */
    void (*take_argument)(cli_parse *parse, char *argument);
    void (*complete)(cli_parse *parse); /* all options are known, sets are checked */
} cli_command;

enum { CLI_MAX_OPTIONS = 80 }; /* of a command */

/* A command line while it is parsed. */
struct cli_parse {
    const cli_command *command;
    void *options; /* the structure of the command */
    struct argp_state *state;
    const cli_option *option; /* the one that is being taken */
    const char *argument;     /* its value; NULL: it takes none */
    size_t n_rows;
    const cli_option *rows[CLI_MAX_OPTIONS];
    void *objects[CLI_MAX_OPTIONS];
    const cli_option *in_set[CLI_N_SETS]; /* the last that was given */
    bool given[CLI_MAX_OPTIONS];
    size_t n_files;
    cli_known_file *files; /* see named_files.h */
};

/* Reads the command line into options. Ends the process with CLI_USAGE when it makes no sense, with
 * CLI_UNAVAILABLE when there is no memory, and after --help, --usage or --version. */
void cli_parse_options(const cli_command *command, int argc, char **argv, void *options);

/* Tells which commands there are, NULL after the last one, so that the option of another command is
 * recognised. Without this call none is. */
void cli_know_commands(const cli_command *(*nth)(size_t n));

bool cli_is_given(const cli_parse *parse, const cli_option *option);

/* Stores the value by the rule for its kind. Functions of rows may call it. */
void cli_take_value(cli_parse *parse, void *object, char *argument);

/* The words of an option; NULL: none. */
const char *const *cli_option_words(const cli_option *option);

/* The place of an option's value. */
static inline void *cli_option_value(const cli_option *option, void *object)
{
    return (char *)object + option->offset;
}

/* Returns the end of a message that something to read is missing: that "-" reads standard input,
 * when something is piped in there; else "". */
const char *cli_stdin_advice(void);

/* ---- Groups that commands share -------------------------------------------------------------- */

typedef struct cli_input_options {
    const char *path;             /* an argument of the command, not an option */
    const pc_file_format *format; /* NULL: by ending and content */
    pc_graph_options graph;
} cli_input_options;

enum { CLI_MOST_THREADS = 1024 }; /* as for pc_context_set_threads */

typedef struct cli_running_options {
    bool is_quiet;
    unsigned explain;            /* 1: the plan, and the measured time; 2: all tables, too */
    bool twice;                  /* see process.h */
    bool no_sync;                /* files need not be on the disk when they get their names */
    const char *device;          /* for pc_context_set_device; NULL: its default */
    int n_threads;               /* 0: all processors */
    uint64_t memory_limit_bytes; /* 0: what the machine has free */
    double time_limit_seconds;   /* 0: none */
} cli_running_options;

/* Their structures are cli_input_options and cli_running_options, all zero at first. --explain
 * is the first row of running: a command of many counts leaves it out. */
extern const cli_option cli_input_rows[], cli_running_rows[];

/* --help, --usage and --version: the last group of each command. */
extern const cli_option cli_about_rows[];

extern const char *const cli_loop_words[]; /* by pc_loops; NULL ends them */

extern const char *const cli_device_words[]; /* for shells: there are more; NULL ends them */

/* ---- Names of formats ------------------------------------------------------------------------ */

/* The names of formats of matrices; and those again, each also with the packings of results: "tsv",
 * "tsv.gz". NULL ends them; static storage. */
const char *const *cli_result_formats(void);
const char *const *cli_result_words(void);

#endif
