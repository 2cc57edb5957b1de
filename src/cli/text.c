/* Words and numbers as people read them. */
#include "src/cli/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void cli_print_number_of(FILE *out, uint64_t n, const char *one, const char *many)
{
    fprintf(out, "%" PRIu64 " %s", n, n == 1 ? one : many);
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

const char *cli_weight_text(const pc_graph_info *info, char text[CLI_WEIGHT_BYTES])
{
    char digits[CLI_WEIGHT_BYTES];
    size_t n_decimals = info->decimals;
    int length =
        snprintf(digits, sizeof digits, "%0*" PRIu64, (int)n_decimals + 1, info->max_weight);
    size_t n_before = (size_t)length - n_decimals;
    while (n_decimals > 0 && digits[n_before + n_decimals - 1] == '0')
        n_decimals--;
    snprintf(text, CLI_WEIGHT_BYTES, "%.*s%s%.*s", (int)n_before, digits, n_decimals > 0 ? "." : "",
             (int)n_decimals, digits + n_before);
    return text;
}

void cli_print_bytes(FILE *out, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1024) {
        value /= 1024;
        unit++;
    }
    fprintf(out, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
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
    char *label = malloc(size);
    if (label != NULL)
        pc_labels_text(labels, index, label, size);
    return label;
}

char *cli_label_shown(const pc_labels *labels, uint64_t index)
{
    char *raw = cli_label_raw(labels, index), *shown = NULL;
    size_t n_bytes;
    FILE *out = raw != NULL ? open_memstream(&shown, &n_bytes) : NULL;
    if (out != NULL)
        cli_print_shown(out, raw);
    free(raw);
    bool is_whole = out != NULL && !ferror(out);
    if (out != NULL && fclose(out) == 0 && is_whole)
        return shown;
    free(shown);
    return NULL;
}

int cli_text_width(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80; /* not inside a UTF-8 sequence */
    return width;
}

void cli_print_right(FILE *out, const char *text, int width)
{
    fprintf(out, "%*s%s", width - cli_text_width(text), "", text);
}

void cli_print_left(FILE *out, const char *text, int width)
{
    fprintf(out, "%s%*s", text, width - cli_text_width(text), "");
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
