/* The nearest word by its distance: how many letters must be added, left out, replaced, or exchanged
 * with their neighbour (optimal string alignment, by three rows of the usual table). */
#include "src/cli/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ERRORS = 3, LETTERS_AN_ERROR = 3 };

static char plain(char c)
{
    return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Both texts have less than CLI_SUGGESTED_BYTES. */
static size_t distance_of(const char *one, const char *other)
{
    size_t rows[3][CLI_SUGGESTED_BYTES + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2], n = strlen(other);
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; one[i - 1] != '\0'; i++) {
        size_t *oldest = before;
        before = last, last = row, row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            char a = plain(one[i - 1]), b = plain(other[j - 1]);
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (a != b));
            if (i > 1 && j > 1 && a == plain(other[j - 2]) && plain(one[i - 2]) == b)
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[n];
}

static int is_number(const char *text)
{
    return text[strspn(text, "0123456789.+-")] == '\0';
}

void cli_suggest(cli_suggestion *suggestion, const char *word)
{
    const char *typed = suggestion->typed;
    size_t shorter = least(strlen(typed), strlen(word));
    size_t most = least(shorter / LETTERS_AN_ERROR, MOST_ERRORS);
    if (strlen(typed) >= CLI_SUGGESTED_BYTES || strlen(word) >= CLI_SUGGESTED_BYTES ||
        is_number(typed) || is_number(word))
        return;
    size_t distance = distance_of(typed, word);
    bool is_begun = strncmp(word, typed, strlen(typed)) == 0;
    if (distance > most ||
        (suggestion->word[0] != '\0' && distance + !is_begun > suggestion->distance))
        return;
    suggestion->distance = distance;
    strcpy(suggestion->word, word);
}

void cli_suggest_words(cli_suggestion *suggestion, const char *const *words)
{
    for (; words != NULL && *words != NULL; words++)
        cli_suggest(suggestion, *words);
}

const char *cli_suggestion_text(cli_suggestion *suggestion)
{
    suggestion->text[0] = '\0';
    if (suggestion->word[0] != '\0')
        snprintf(suggestion->text, sizeof suggestion->text, "; did you mean '%s'?",
                 suggestion->word);
    return suggestion->text;
}
