/* JSON that commands print. */
#include "src/cli/json_text.h"

#include "src/cli/exit_codes.h"
#include "src/cli/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIGNIFICANT_DIGITS 6 /* of times, bits and costs */

/* What malloc gave. Without memory the process ends here, as it does in jansson (src/cli/endings.h). */
static char *check_memory(char *text)
{
    if (text == NULL)
        exit(cli_fail_for_memory());
    return text;
}

json_t *cli_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    char *ascii = check_memory(strdup(text));
    for (char *c = ascii; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = json_string(ascii);
    free(ascii);
    return string;
}

json_t *cli_json_error(double error)
{
    return isfinite(error) ? json_real(error * (1 + 1e-5)) : json_null();
}

json_t *cli_json_label(const pc_labels *labels, uint64_t index)
{
    char *text = check_memory(cli_label_raw(labels, index));
    json_t *string = cli_json_text(text);
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
