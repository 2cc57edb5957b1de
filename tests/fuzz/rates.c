/* Files of rates: with the first byte odd, behind the two lines that name this machine. */
#include "src/tool.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Its first two lines, as pc_rates_write makes them. */
static const char *machine(pc_context *context)
{
    static char lines[1024];
    if (*lines)
        return lines;
    fuzz_folder();
    const char *path = fuzz_folder_write("rates", "", 0);
    FILE *file = pc_rates_write(context, path) == PC_OK ? fopen(path, "r") : NULL;
    char second[512] = "";
    if (!file || !fgets(lines, 512, file) || !fgets(second, sizeof second, file))
        fuzz_fail("no rates: %s", pc_context_message(context));
    strcat(lines, second);
    fclose(file);
    fuzz_folder_remove();
    return lines;
}

FUZZ(rates)
{
    fuzz_input rest = {data, size};
    pc_context *context = fuzz_context(1);
    const char *before = fuzz_byte(&rest) & 1 ? machine(context) : "";
    size_t n_before = strlen(before), n_bytes = n_before + rest.size;
    char *text = malloc(n_bytes + 1);
    if (!text)
        fuzz_fail("no memory");
    memcpy(text, before, n_before);
    memcpy(text + n_before, rest.size > 0 ? (const char *)rest.at : "", rest.size);
    pc_status status = pc_rates_read(context, fuzz_path(text, n_bytes));
    fuzz_check_status(context, status, status == PC_OK ? text : NULL);
    free(text);
    pc_context_free(context);
}
