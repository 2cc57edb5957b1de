/* Finds places in a text: lines, blanks, and words at its begin. A text lies from one pointer up to
 * another and does not end with a NUL. */
#ifndef PCI_TEXT_H
#define PCI_TEXT_H

#include "src/core/number.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A text within the input, or one that the reader keeps. */
typedef struct pci_word {
    const char *text;
    size_t length;
} pci_word;

static inline bool pci_word_is(pci_word word, const char *other)
{
    return word.length == strlen(other) && memcmp(word.text, other, word.length) == 0;
}

/* The bytes of a word that a message shows, for "%.*s". */
static inline int pci_word_shown(pci_word word)
{
    return (int)(word.length < 40 ? word.length : 40);
}

/* The first '\n' from `at` on; end when there is none. */
static inline const char *pci_line_end(const char *at, const char *end)
{
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    return line_end ? line_end : end;
}

/* Gives the line that begins at *at, without its '\n', and moves *at to the next one. False at the end of the text. */
static inline bool pci_next_line(const char **at, const char *end, const char **line,
                                 const char **line_end)
{
    if (*at >= end)
        return false;
    *line = *at;
    *line_end = pci_line_end(*at, end);
    *at = *line_end < end ? *line_end + 1 : end;
    return true;
}

static inline bool pci_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline const char *pci_skip_digits(const char *at, const char *end)
{
    while (at < end && pci_is_digit(*at))
        at++;
    return at;
}

static inline bool pci_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A blank, or another character of ASCII that separates words. */
static inline bool pci_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline const char *pci_skip_blanks(const char *at, const char *end)
{
    while (at < end && pci_is_blank(*at))
        at++;
    return at;
}

/* The end of a text without the blanks before it. */
static inline const char *pci_trim_end(const char *begin, const char *end)
{
    while (end > begin && pci_is_blank(end[-1]))
        end--;
    return end;
}

static inline bool pci_begins_with(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

/* The same in any case of letters. */
static inline bool pci_begins_with_any_case(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && pci_equal_any_case(at, word, length);
}

/* Returns whether a text of this length is the word, in any case of letters. */
static inline bool pci_is_word_any_case(const char *at, size_t length, const char *word)
{
    return length == strlen(word) && pci_equal_any_case(at, word, length);
}

/* The begin of the text behind the byte order mark of UTF-8, if there is one. */
static inline const char *pci_skip_byte_order_mark(const char *at, const char *end)
{
    return pci_begins_with(at, end, "\xef\xbb\xbf") ? at + 3 : at;
}

#endif
