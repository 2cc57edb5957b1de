/* Makes words, numbers and digits for people, and finds the word that was probably meant. */
#include "src/cli/text.h"

#include "src/cli/process.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words and numbers ----------------------------------------------------------------------- */

cli_words cli_number_of(uint64_t n, const char *one, const char *many)
{
    cli_words words;
    snprintf(words.text, sizeof words.text, "%" PRIu64 " %s", n, n == 1 ? one : many);
    return words;
}

cli_words cli_bytes_of(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    int unit = 0;
    cli_words words;
    for (; value >= 1024; unit++)
        value /= 1024;
    snprintf(words.text, sizeof words.text, "%.*f %s", unit > 0, value, units[unit]);
    return words;
}

cli_words cli_weight_of(const pc_graph_info *info)
{
    cli_words words;
    size_t n_decimals = info->decimals; /* 19 at most */
    int n = snprintf(words.text, 40, "%0*" PRIu64, (int)n_decimals + 1, info->max_weight);
    char *point = words.text + n - n_decimals;
    while (n_decimals > 0 && point[n_decimals - 1] == '0')
        n_decimals--;
    memmove(point + 1, point, n_decimals);
    *point = '.';
    point[n_decimals > 0 ? n_decimals + 1 : 0] = '\0';
    return words;
}

const char *cli_join_words(const char *const *words, const char *before_last, char *joined,
                           size_t size)
{
    size_t length = 0;
    for (size_t w = 0; words[w] != NULL && length < size; w++)
        length += (size_t)snprintf(joined + length, size - length, "%s%s",
                                   w == 0                 ? ""
                                   : words[w + 1] == NULL ? before_last
                                                          : ", ",
                                   words[w]);
    return joined;
}

const char *cli_shown_path(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Terminals take commands from these, and lines end with one. */
static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

void cli_print_shown(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (is_control(*text))
            fprintf(out, "\\x%02x", *text);
        else
            putc_unlocked(*text, out); /* no other thread prints */
    }
}

size_t cli_escape(char *text, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    size_t n_controls = 0, first = 0;
    while (first < length && !is_control(text[first]))
        first++;
    for (size_t i = first; i < length; i++)
        n_controls += is_control(text[i]);
    size_t end = length + 3 * n_controls;
    for (size_t i = length, at = end; n_controls > 0; i--) {
        char c = text[i - 1];
        if (!is_control(c)) {
            text[--at] = c;
            continue;
        }
        at -= 4;
        memcpy(text + at, (char[]){'\\', 'x', digits[(c >> 4) & 15], digits[c & 15]}, 4);
        n_controls--;
    }
    return end;
}

char *cli_label_raw(const pc_labels *labels, uint64_t index)
{
    size_t size = pc_labels_text(labels, index, NULL, 0) + 1;
    char *label = cli_need(malloc(size));
    pc_labels_text(labels, index, label, size);
    return label;
}

char *cli_label_shown(const pc_labels *labels, uint64_t index)
{
    size_t length = pc_labels_text(labels, index, NULL, 0);
    char *label = cli_need(malloc(4 * length + 1));
    pc_labels_text(labels, index, label, length + 1);
    label[cli_escape(label, length)] = '\0';
    return label;
}

/* The columns that UTF-8 text takes on a terminal: its number of characters. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80; /* not inside a UTF-8 sequence */
    return width;
}

static int widest(char *const *cells, uint64_t n_rows, uint64_t n_columns, uint64_t column)
{
    int most = 0;
    for (uint64_t row = 0; row < n_rows; row++) {
        int width = width_of(cells[row * n_columns + column]);
        most = width > most ? width : most;
    }
    return most;
}

uint64_t cli_table_width(char *const *cells, uint64_t n_rows, uint64_t n_columns)
{
    uint64_t width = 0;
    for (uint64_t column = 0; column < n_columns; column++)
        width += (uint64_t)widest(cells, n_rows, n_columns, column) + 2 * (column > 0);
    return width;
}

void cli_print_table(char *const *cells, uint64_t n_rows, uint64_t n_columns, bool has_names)
{
    int *widths = cli_need(calloc(n_columns, sizeof *widths));
    for (uint64_t column = 0; column < n_columns; column++)
        widths[column] = widest(cells, n_rows, n_columns, column);
    for (uint64_t row = 0; row < n_rows; row++) {
        for (uint64_t column = 0; column < n_columns; column++) {
            const char *text = cells[row * n_columns + column];
            int n_blanks = widths[column] - width_of(text);
            if (has_names && column == 0)
                printf("%s%*s", text, n_blanks, "");
            else
                printf("%*s%s", n_blanks + 2, "", text);
        }
        putchar('\n');
    }
    free(widths);
}

void cli_shorten_number(const char *number, size_t size, char *shortened)
{
    size_t length = strlen(number);
    if (length < size)
        memcpy(shortened, number, length + 1);
    else
        snprintf(shortened, size, "%c.%.14se+%zu", number[0], number + 1, length - 1);
}

uint64_t cli_decimal_modulo(const char *decimal, uint64_t modulus)
{
    unsigned __int128 rest = 0;
    for (; *decimal != '\0'; decimal++)
        rest = (rest * 10 + (unsigned)(*decimal - '0')) % modulus;
    return (uint64_t)rest;
}

/* ---- Digits of doubles ----------------------------------------------------------------------- */

enum { ALL_DIGITS = 17 };

/* Returns a number from 0 to ALL_DIGITS. */
static int count_digits(double relative_error)
{
    double digits = relative_error > 0 ? floor(-log10(relative_error)) : ALL_DIGITS;
    return digits > ALL_DIGITS ? ALL_DIGITS : digits > 0 ? (int)digits : 0;
}

cli_digits cli_digits_of(double relative_error, bool are_counts)
{
    int n = count_digits(relative_error);
    return (cli_digits){.n = n == ALL_DIGITS ? 0 : n > 0 ? n : 1, .keeps_integers = are_counts};
}

cli_words cli_held_digits(double relative_error)
{
    cli_words words = {"none (roundings may add up to more than the numbers themselves)"};
    if (relative_error == 0)
        strcpy(words.text, "all (nothing is rounded)");
    else if (relative_error < 1)
        snprintf(words.text, sizeof words.text, "%d (relative error below %.2g)",
                 count_digits(relative_error),
                 relative_error * 1.06); /* rounded up to two digits */
    return words;
}

/* Splits the text of a number into its digits, without leading and final zeros, and the exponent
 * of the first of them. Returns how many digits there are, of the first CLI_DIGITS_BYTES: none
 * of 0, inf and nan. */
static int split(const char *text, char *digits, long *exponent)
{
    int n_digits = 0;
    long n_before_point = 0;
    bool has_point = false;
    const char *at = text;
    *exponent = 0;
    if (*text == 'i' || *text == 'n')
        return 0;
    for (; *at != '\0' && *at != 'e'; at++)
        if (*at == '.') {
            has_point = true;
        } else if (*at != '0' || n_digits > 0) {
            n_before_point += !has_point;
            if (n_digits < CLI_DIGITS_BYTES)
                digits[n_digits++] = *at;
        }
    *exponent = n_before_point - 1 + (*at == 'e' ? strtol(at + 1, NULL, 10) : 0);
    while (n_digits > 0 && digits[n_digits - 1] == '0')
        n_digits--;
    return n_digits;
}

int cli_significant_digits(const char *text)
{
    char digits[CLI_DIGITS_BYTES];
    long exponent;
    return split(text, digits, &exponent);
}

void cli_set_digits(cli_digits wanted, char *text)
{
    char digits[2 * CLI_DIGITS_BYTES];
    long exponent;
    int n = split(text, digits, &exponent), last = wanted.n;
    bool stays = wanted.keeps_integers && n <= wanted.n && strchr(text, 'e') == NULL;
    if (n == 0 || wanted.n == 0 || stays)
        return;
    if (n <= wanted.n) {
        memset(digits + n, '0', (size_t)(wanted.n - n));
    } else if (digits[last] >= '5') { /* rounds to the nearest number */
        while (last > 0 && digits[last - 1] == '9')
            digits[--last] = '0';
        if (last > 0)
            digits[last - 1]++;
        else
            digits[0] = '1'; /* there were only nines */
        exponent += last == 0;
    }
    snprintf(text, CLI_DIGITS_BYTES, "%c%s%.*se%+03ld", digits[0], wanted.n > 1 ? "." : "",
             wanted.n - 1, digits + 1, exponent);
}

const char *cli_shown_digits(cli_digits wanted, const char *text, char *shown)
{
    if (strlen(text) >= CLI_DIGITS_BYTES)
        return text; /* of an integer */
    strcpy(shown, text);
    cli_set_digits(wanted, shown);
    return shown;
}

/* ---- Suggestions ----------------------------------------------------------------------------- */

enum { MOST_ERRORS = 3, LETTERS_AN_ERROR = 3 };

static char plain(char c)
{
    return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns how many letters must be added, left out, replaced, or exchanged with their neighbour
 * (optimal string alignment, by three rows of the usual table). Both texts have less than
 * CLI_SUGGESTED_BYTES. */
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

void cli_suggest(cli_suggestion *suggestion, const char *word)
{
    static const char of_numbers[] = "0123456789.+-";
    const char *typed = suggestion->typed;
    size_t shorter = least(strlen(typed), strlen(word));
    size_t most = least(shorter / LETTERS_AN_ERROR, MOST_ERRORS);
    if (strlen(typed) >= CLI_SUGGESTED_BYTES || strlen(word) >= CLI_SUGGESTED_BYTES ||
        typed[strspn(typed, of_numbers)] == '\0' || word[strspn(word, of_numbers)] == '\0')
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
