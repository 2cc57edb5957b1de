/* Options of the chain command. */
#ifndef CLI_CHAIN_OPTIONS_H
#define CLI_CHAIN_OPTIONS_H

#include "pathcount_chain.h"
#include "src/cli/count_options.h"

/* A factor of the product: a file, perhaps read backwards. */
typedef struct cli_factor {
    const char *name; /* as given */
    char *path;       /* without ^T; free()d by cli_chain_options_free */
    bool is_transposed;
} cli_factor;

typedef struct cli_chain_options {
    cli_count_options count; /* first, so that its options are taken as those of count; the length
                              * is that of --power */
    uint32_t n_factors;
    cli_factor *factors;
    char *product;     /* the names, with blanks between them */
    int allow_missing; /* as for pc_chain_create */
    bool pathsim;
    bool simple;
    double damping;
    char *type_list;    /* of --types, cut at its commas; NULL */
    const char **types; /* [n_factors + 1]; NULL */
} cli_chain_options;

extern const cli_command cli_chain_command;

/* Makes a factor of its name as given: F or F^T. */
void cli_factor_make(char *name, cli_factor *factor);

/* Parses the command line as cli_parse_options does. */
void cli_chain_options_parse(int argc, char **argv, cli_chain_options *options);
void cli_chain_options_free(cli_chain_options *options);

/* True when the names of the factors prove that the answer is symmetric: F G G^T F^T. */
bool cli_chain_is_symmetric(const cli_chain_options *options);

#endif
