/* Characters that mean something to HTML become references, those it forbids a replacement. */
#include "src/cli/batch/report_html.h"

#include <ctype.h>
#include <string.h>

static const char *reference_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* Bytes at text that are a control character: of one byte, or U+0080..U+009F of two. */
static size_t control_length(const char *text)
{
    unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1];
    if (first == '\t' || first == '\n')
        return 0;
    if (first < ' ' || first == 0x7f)
        return 1;
    return first == 0xc2 && second >= 0x80 && second < 0xa0 ? 2 : 0;
}

void cli_html_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        const char *reference = reference_of(*text);
        size_t n_control = control_length(text);
        if (n_control > 0)
            fputs("&#65533;", out);
        else if (reference != NULL)
            fputs(reference, out);
        else
            fputc(*text, out);
        text += n_control > 0 ? n_control : 1;
    }
}

void cli_html_address(FILE *out, const char *name)
{
    for (; *name != '\0'; name++) {
        unsigned char c = (unsigned char)*name;
        if (c < 0x80 && (isalnum(c) || strchr("-._~", c) != NULL))
            fputc(c, out);
        else
            fprintf(out, "%%%02X", c);
    }
}
