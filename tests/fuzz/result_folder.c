/* The manifest of a folder whose results `pathcount verify` certifies. An '@' in the input becomes the folder,
 * which has the dataset "g" and the result "r". */
#include "src/cli/process.h"
#include "src/cli/verify/verify.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

typedef struct verified_folder {
    const char *folder;
    int code;
    size_t n_results; /* that were passed on */
} verified_folder;

static verified_folder current;

/* Whether a path is that of "r" in the folder. A manifest may have further slashes before the name. */
static bool is_result(const char *path)
{
    size_t length = strlen(current.folder);
    if (path == NULL || strncmp(path, current.folder, length) != 0 || path[length] != '/')
        return false;
    return strcmp(path + length + strspn(path + length, "/"), "r") == 0;
}

/* Of a job whose dataset and result have the digests in its line. */
static int take_result(const cli_verify_options *options)
{
    if (!is_result(options->result))
        fuzz_fail("another result is certified: %s", options->result);
    if (options->count.certificate_path != NULL)
        fuzz_fail("a manifest names a certificate");
    current.n_results++;
    return CLI_DONE;
}

static void verify(void *unused)
{
    (void)unused;
    current.code = cli_verify_folder(current.folder, true, take_result);
}

/* The input with the folder in it. The caller frees it. */
static char *with_folder(const uint8_t *data, size_t size, const char *folder, size_t *n_bytes)
{
    char *text;
    FILE *out = open_memstream(&text, n_bytes);
    for (size_t i = 0; i < size; i++)
        if (data[i] == '@')
            fputs(folder, out);
        else
            fputc(data[i], out);
    fclose(out);
    return text;
}

static void read_folder(const uint8_t *data, size_t size)
{
    size_t n_bytes;
    current = (verified_folder){.folder = fuzz_folder(), .code = CLI_USAGE};
    char *text = with_folder(data, size, current.folder, &n_bytes);
    fuzz_folder_write("g", "A B\n", 4);
    fuzz_folder_write("r", "2\n", 2);
    fuzz_folder_write("manifest.jsonl", text, n_bytes);
    int exit_code = fuzz_exits(verify, NULL) ? fuzz_exit_code() : current.code;
    if (exit_code == CLI_DONE && current.n_results == 0)
        fuzz_fail("the folder is certified, and none of its results");
    fuzz_folder_remove();
    free(text);
}

/* Streams of messages are made at the first error and stay: they are not to be freed. */
static void warm_up(void)
{
    static const char wrong[] =
        "{\"result\": \"r\", \"exit\": 0, \"options\": [\"--wrong\"], \"input\": \"@/g\", "
        "\"input_sha256\": \"c36bc118e5e9457ca489bc3adde2566dc951ec68b1b696128ef116048d3d6044\", "
        "\"result_sha256\": \"53c234e5e8472b6ac51c1ae1cab3fe06fad053beb8ebfd8977b010655bfdd3c3\"}";
    static bool is_warm;
    if (!is_warm)
        read_folder((const uint8_t *)wrong, sizeof wrong - 1);
    is_warm = true;
}

FUZZ(result_folder)
{
    warm_up();
    read_folder(data, size);
}
