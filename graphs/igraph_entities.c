/* Entities become bytes before igraph reads the text: afterwards "&amp;#65;" could not be told
 * from "&#65;". A quote or an ampersand becomes an entity that igraph knows, as it would end its
 * string. */
#include "graphs/igraph_scan.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_NAMED = 160, MOST_ENTITY = 12 };

static const char *const latin1[] = {
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

/* The number of a character by its name; 0 when there is none. */
static unsigned long find_named(const char *name)
{
    for (size_t i = 0; i < sizeof latin1 / sizeof *latin1; i++)
        if (strcmp(name, latin1[i]) == 0)
            return FIRST_NAMED + i;
    return 0;
}

/* The character that the entity at `at` represents, and *next behind it; 0 when it stays as it
 * is. */
static unsigned long read_entity(const char *at, const char *end, const char **next)
{
    char name[MOST_ENTITY + 1], *rest;
    size_t room = (size_t)(end - at - 1);
    const char *stop = memchr(at + 1, ';', room < MOST_ENTITY ? room : MOST_ENTITY);
    if (!stop)
        return 0;
    size_t length = (size_t)(stop - at - 1);
    memcpy(name, at + 1, length);
    name[length] = '\0';
    *next = stop + 1;
    if (*name != '#')
        return find_named(name);
    bool is_hex = name[1] == 'x' || name[1] == 'X';
    const char *digits = name + 1 + is_hex;
    size_t n_digits = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
    unsigned long number = strtoul(digits, &rest, is_hex ? 16 : 10);
    bool is_character = number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
    return n_digits > 0 && digits[n_digits] == '\0' && is_character ? number : 0;
}

static size_t put_text(const char *text, char *to)
{
    size_t length = strlen(text);
    memcpy(to, text, length);
    return length;
}

/* Returns the bytes written, at most 6. */
static size_t put_character(unsigned long number, char *to)
{
    if (number == '"' || number == '&')
        return put_text(number == '"' ? "&quot;" : "&amp;", to);
    if (number < 0x80) {
        *to = (char)number;
        return 1;
    }
    size_t n_following = number < 0x800 ? 1 : number < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    to[0] = (char)(first[n_following] | number >> (6 * n_following));
    for (size_t i = 1; i <= n_following; i++)
        to[i] = (char)(0x80 | (number >> (6 * (n_following - i)) & 0x3f));
    return n_following + 1;
}

pc_status pci_igraph_decode_entities(pci_igraph_text *text, igraph_vector_char_t *copy)
{
    const char *at = text->bytes, *end = at + text->n_bytes;
    if (memchr(at, '&', text->n_bytes) == NULL)
        return PC_OK;
    igraph_vector_char_t decoded; /* "&#34;" grows by one byte in five */
    if (igraph_vector_char_init(&decoded, (igraph_integer_t)(text->n_bytes + text->n_bytes / 5)) !=
        IGRAPH_SUCCESS)
        return pci_igraph_fail(text->context, PC_ERR_MEMORY, "%s: out of memory", text->path);
    char *to = VECTOR(decoded);
    while (at < end) {
        const char *next = at + 1;
        unsigned long number = *at == '&' ? read_entity(at, end, &next) : 0;
        if (number > 0) {
            to += put_character(number, to);
            at = next;
        } else {
            *to++ = *at++;
        }
    }
    text->bytes = VECTOR(decoded);
    text->n_bytes = (size_t)(to - VECTOR(decoded));
    igraph_vector_char_swap(copy, &decoded);
    igraph_vector_char_destroy(&decoded);
    return PC_OK;
}
