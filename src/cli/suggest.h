/* "Did you mean": the word that was probably meant, among those that there are. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

enum { CLI_SUGGESTED_BYTES = 64 };

/* Begin with {.typed = TEXT}, which must stay, then offer each word. */
typedef struct cli_suggestion {
    const char *typed;
    size_t distance;                /* of word, when there is one */
    char word[CLI_SUGGESTED_BYTES]; /* the nearest so far; empty: none is near */
    char text[CLI_SUGGESTED_BYTES + 32];
} cli_suggestion;

/* Keeps word when it is nearer than those before, or as near and what was typed is its begin. A word is near when one letter in three, and three at
 * most, must be added, left out, replaced, or exchanged with its neighbour. The case of letters, and _
 * in place of -, do not count. Numbers are never near: another number is another thing. */
void cli_suggest(cli_suggestion *suggestion, const char *word);

/* The same for several words; NULL ends them. */
void cli_suggest_words(cli_suggestion *suggestion, const char *const *words);

/* "; did you mean 'word'?", or "" when no word is near. It lives as long as the suggestion. */
const char *cli_suggestion_text(cli_suggestion *suggestion);

#endif
