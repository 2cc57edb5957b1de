/* JSON that commands print. */
#include "src/cli/json_text.h"

#include "src/cli/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIGNIFICANT_DIGITS 6 /* of times, bits and costs */

json_t *cli_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    char *ascii = strdup(text);
    for (char *c = ascii; c != NULL && *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = ascii != NULL ? json_string(ascii) : NULL;
    free(ascii);
    return string;
}

json_t *cli_json_error(double error)
{
    return isfinite(error) ? json_real(error * (1 + 1e-5)) : json_null();
}

json_t *cli_json_label(const pc_labels *labels, uint64_t index)
{
    char *text = cli_label_raw(labels, index);
    json_t *string = text != NULL ? cli_json_text(text) : NULL;
    free(text);
    return string;
}

/* Writes a line for each member, so that a matrix does not take a line for each entry. */
static bool write_members(FILE *out, json_t *root)
{
    const char *name, *before = "{\n";
    json_t *value;
    json_object_foreach(root, name, value)
    {
        fprintf(out, "%s  \"%s\": ", before, name);
        if (json_dumpf(value, out, JSON_ENCODE_ANY | JSON_REAL_PRECISION(SIGNIFICANT_DIGITS)) != 0)
            return false;
        before = ",\n";
    }
    return fputs("\n}\n", out) >= 0;
}

pc_status cli_json_print(FILE *out, json_t *root)
{
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *memory = root != NULL ? open_memstream(&text, &n_bytes) : NULL;
    bool is_written = memory != NULL && write_members(memory, root);
    /* Without memory at the end there is no text, and no error either. */
    bool is_whole = memory != NULL && fclose(memory) == 0 && is_written && text != NULL;
    if (is_whole)
        fputs(text, out);
    free(text);
    json_decref(root);
    return is_whole ? PC_OK : PC_ERR_MEMORY;
}
