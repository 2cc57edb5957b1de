/* Entities by number, by the names of XML, and by those of HTML for Latin-1. */
#include "io/entities.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_NAMED = 160, MOST_ENTITY = 12 };

static const struct {
    const char *name;
    char character;
} of_xml[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};

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
static unsigned long find_named(const char *name, bool with_latin1)
{
    for (size_t i = 0; i < sizeof of_xml / sizeof *of_xml; i++)
        if (strcmp(name, of_xml[i].name) == 0)
            return (unsigned char)of_xml[i].character;
    for (size_t i = 0; with_latin1 && i < sizeof latin1 / sizeof *latin1; i++)
        if (strcmp(name, latin1[i]) == 0)
            return FIRST_NAMED + i;
    return 0;
}

/* The character that the entity at `at` means, and *next behind it; 0 when it means none. */
static unsigned long read_entity(const char *at, const char *end, bool with_latin1,
                                 const char **next)
{
    char name[MOST_ENTITY + 1];
    size_t room = (size_t)(end - at - 1);
    const char *stop = memchr(at + 1, ';', room < MOST_ENTITY ? room : MOST_ENTITY);
    if (!stop)
        return 0;
    size_t length = (size_t)(stop - at - 1);
    memcpy(name, at + 1, length);
    name[length] = '\0';
    *next = stop + 1;
    if (*name != '#')
        return find_named(name, with_latin1);
    bool is_hex = name[1] == 'x' || name[1] == 'X';
    const char *digits = name + 1 + is_hex;
    size_t n_digits = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
    unsigned long number = strtoul(digits, NULL, is_hex ? 16 : 10);
    bool is_character = number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
    return n_digits > 0 && digits[n_digits] == '\0' && is_character ? number : 0;
}

/* Returns the bytes written, at most 4. */
static size_t put_character(unsigned long number, char *to)
{
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    size_t n_following = number < 0x80 ? 0 : number < 0x800 ? 1 : number < 0x10000 ? 2 : 3;
    to[0] = (char)(first[n_following] | number >> (6 * n_following));
    for (size_t i = 1; i <= n_following; i++)
        to[i] = (char)(0x80 | (number >> (6 * (n_following - i)) & 0x3f));
    return n_following + 1;
}

pc_status pci_entities_decode(const pci_input *input, pci_entities *entities, bool with_latin1,
                              pci_word *text, const char **unknown)
{
    const char *at = text->text, *end = at + text->length, *next;
    *unknown = NULL;
    if (!memchr(at, '&', text->length))
        return PC_OK;
    if (!entities->bytes)
        entities->bytes = pci_alloc(input->context, input->n_bytes);
    if (!entities->bytes)
        return pci_fail_memory(input->context, "labels", input->n_bytes);
    char *begin = entities->bytes + entities->n_used, *to = begin;
    while (at < end) {
        unsigned long number = *at == '&' ? read_entity(at, end, with_latin1, &next) : 0;
        if (*at == '&' && number == 0 && !*unknown)
            *unknown = at;
        if (number > 0) {
            to += put_character(number, to);
            at = next;
        } else {
            *to++ = *at++;
        }
    }
    *text = (pci_word){begin, (size_t)(to - begin)};
    entities->n_used += text->length;
    return PC_OK;
}

void pci_entities_free(const pci_input *input, pci_entities *entities)
{
    pci_free(input->context, entities->bytes);
    entities->bytes = NULL;
}
