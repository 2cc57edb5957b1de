/* Numbers as text against the words that they were made of: what is printed is checked before it goes out.
 * The text is taken modulo a random prime digit by digit, the words word by word, so a wrong text agrees with
 * probability below 2^-45. */
#ifndef CLI_VERIFY_TEXT_CHECK_H
#define CLI_VERIFY_TEXT_CHECK_H

#include "pathcount.h"

#include <stdbool.h>

/* All zero: no text is checked. */
typedef struct cli_text_check {
    uint64_t prime; /* 0: none is checked */
    bool takes_all;
} cli_text_check;

/* n_rounds as in pc_count_options: with the default of 2 the first 64 texts and every sixteenth after them
 * are checked, with 3 or more all. Nothing is checked when the system gives no random numbers. */
cli_text_check cli_text_check_for(int n_rounds);

/* Whether the text of entry e is its number, as far as it is checked. number texts were printed before it.
 * Several threads may ask at once. */
bool cli_text_check_holds(const cli_text_check *check, uint64_t number, const pc_rows *rows,
                          uint64_t e, const char *text);

/* Fails with PC_ERR_CERTIFY and a message. */
pc_status cli_text_check_fail(pc_context *context, const char *text);

/* strtold with a decimal point, whatever the locale. */
long double cli_real(const char *text, char **end);

#endif
