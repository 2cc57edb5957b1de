/* Formats by their names: --format, --as. */
#include "src/cli/formats.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_WORDS = 64, WORD_BYTES = 16 };

const pc_file_format *cli_format_named(const char *name)
{
    const pc_file_format *format;
    for (unsigned i = 0; (format = pc_file_format_at(i)) != NULL; i++)
        if (format->reads_graphs && strcasecmp(name, format->name) == 0)
            return format;
    return NULL;
}

const char *const *cli_format_words(void)
{
    static const char *words[MAX_WORDS] = {"auto"};
    const pc_file_format *format;
    size_t n = 1;
    for (unsigned i = 0; (format = pc_file_format_at(i)) != NULL && n < MAX_WORDS - 1; i++)
        if (format->reads_graphs && strcmp(words[n - 1], format->name) != 0)
            words[n++] = format->name;
    return words;
}

const char *const *cli_result_formats(void)
{
    static const char *words[MAX_WORDS];
    const pc_file_format *format;
    size_t n = 0;
    for (unsigned i = 0; (format = pc_file_format_at(i)) != NULL && n < MAX_WORDS - 1; i++)
        if (format->writes_matrices)
            words[n++] = format->ending + 1;
    return words;
}

static bool is_archive(const char *word)
{
    char name[WORD_BYTES + 2];
    snprintf(name, sizeof name, "x.%s", word);
    return pc_file_format_of(name, NULL)->is_archive;
}

const char *const *cli_result_words(void)
{
    static const char *const packings[] = {"", ".gz", ".zst"};
    static char texts[MAX_WORDS][WORD_BYTES];
    static const char *words[MAX_WORDS];
    size_t n = 0;
    for (const char *const *format = cli_result_formats(); *format != NULL; format++)
        for (size_t p = 0; p < (is_archive(*format) ? 1 : 3) && n < MAX_WORDS - 1; p++, n++) {
            snprintf(texts[n], WORD_BYTES, "%s%s", *format, packings[p]);
            words[n] = texts[n];
        }
    return words;
}
