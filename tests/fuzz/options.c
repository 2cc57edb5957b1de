/* Command lines: the first byte chooses the command, the rest are its arguments, each with a NUL behind it. */
#include "src/cli/batch/options.h"
#include "src/cli/chain_options.h"
#include "src/cli/main.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 64 };

typedef struct line {
    uint8_t command;
    int argc;
    char *argv[MOST_ARGUMENTS + 2];
} line;

static void parse(void *user)
{
    line *given = user;
    union {
        cli_count_options count;
        cli_generate_options generate;
    } options;
    cli_chain_options chain = {0};
    cli_batch_options batch = {0};
    memset(&options, 0, sizeof options);
    switch (given->command % 5) {
    case 0:
        cli_parse_options(&cli_count_command, given->argc, given->argv, &options.count);
        free(options.count.query.named);
        break;
    case 1:
        cli_parse_options(&cli_coarsen_command, given->argc, given->argv, &options.count);
        free(options.count.query.named);
        break;
    case 2:
        cli_chain_options_parse(given->argc, given->argv, &chain);
        cli_chain_options_free(&chain);
        break;
    case 3:
        cli_batch_options_parse(given->argc, given->argv, &batch);
        cli_batch_options_free(&batch);
        break;
    default:
        cli_parse_options(&cli_generate_command, given->argc, given->argv, &options.generate);
    }
}

/* Streams of messages are made at the first error and stay: they are not to be freed. */
static void warm_up(void)
{
    static char name[] = "pathcount", wrong[] = "--wrong";
    static bool is_warm;
    for (uint8_t command = 0; command < 6 && !is_warm; command++) {
        line given = {command, 2, {name, wrong, NULL}};
        is_warm = fuzz_exits(parse, &given) && command == 5;
    }
}

FUZZ(options)
{
    static char name[] = "pathcount";
    fuzz_input rest = {data, size};
    line given = {.command = fuzz_byte(&rest), .argc = 1, .argv = {name}};
    if (rest.size == 0)
        return;
    warm_up();
    char *text = malloc(rest.size + 1), *end = text + rest.size;
    if (!text)
        fuzz_fail("no memory");
    memcpy(text, rest.at, rest.size);
    *end = '\0';
    for (char *at = text; at < end && given.argc <= MOST_ARGUMENTS; at += strlen(at) + 1)
        given.argv[given.argc++] = at;
    given.argv[given.argc] = NULL;
    fuzz_exits(parse, &given);
    free(text);
}
