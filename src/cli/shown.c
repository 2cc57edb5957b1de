/* Terminals take commands from the characters below U+0020, from U+007F to U+009F, and from those that
 * turn the direction of writing. In UTF-8 the latter two take two or three bytes. Some terminals also
 * take the single bytes 0x80 to 0x9F, which in valid UTF-8 only stand within a character. */
#include "src/cli/shown.h"

#include <stdbool.h>
#include <stdio.h>

static bool continues(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/* Bytes of the character that first begins; 1 where none of several bytes begins. */
static size_t length_of(unsigned char first)
{
    return first >= 0xc2 && first <= 0xdf   ? 2
           : first >= 0xe0 && first <= 0xef ? 3
           : first >= 0xf0 && first <= 0xf4 ? 4
                                            : 1;
}

/* Whether the two bytes say in more bytes than it takes what takes fewer. */
static bool is_overlong(unsigned char first, unsigned char next)
{
    return (first == 0xe0 && next < 0xa0) || (first == 0xf0 && next < 0x90);
}

/* The bytes of the character that begins text[n], n > 0; 1 for a byte that is not of valid UTF-8. */
static size_t character_bytes(const unsigned char *text, size_t n)
{
    size_t length = length_of(text[0]);
    if (length > n || (length > 1 && is_overlong(text[0], text[1])))
        return 1;
    for (size_t i = 1; i < length; i++)
        if (!continues(text[i]))
            return 1;
    return length;
}

/* U+202A to U+202E and U+2066 to U+2069. */
static bool turns_direction(const unsigned char *text)
{
    return text[0] == 0xe2 && ((text[1] == 0x80 && text[2] >= 0xaa && text[2] <= 0xae) ||
                               (text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9));
}

static bool steers(const unsigned char *text, size_t length)
{
    if (length == 1)
        return (text[0] < ' ' && text[0] != '\n' && text[0] != '\t') ||
               (text[0] >= 0x7f && text[0] < 0xa0);
    if (length == 2)
        return text[0] == 0xc2 && text[1] < 0xa0;
    return length == 3 && turns_direction(text);
}

size_t cli_show_text(const char *text, size_t n, char *shown)
{
    char *to = shown;
    for (size_t at = 0, length; at < n; at += length) {
        const unsigned char *from = (const unsigned char *)text + at;
        length = character_bytes(from, n - at);
        bool is_shown = steers(from, length);
        for (size_t i = 0; i < length; i++)
            if (is_shown)
                to += sprintf(to, "\\x%02x", from[i]);
            else
                *to++ = (char)from[i];
    }
    return (size_t)(to - shown);
}

size_t cli_unfinished_bytes(const char *text, size_t n)
{
    for (size_t back = 1; back <= 3 && back <= n; back++) {
        unsigned char c = (unsigned char)text[n - back];
        if (!continues(c))
            return length_of(c) > back ? back : 0;
    }
    return 0;
}
