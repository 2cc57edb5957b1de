/* The folder of a TUDataset: the text up to the first NUL says of each vertex which graph it is in, the rest
 * has the entries. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/stream_check.h"

#include <string.h>

FUZZ(tudataset)
{
    fuzz_input rest = {data, size};
    uint8_t choice = fuzz_byte(&rest);
    const uint8_t *cut = rest.size > 0 ? memchr(rest.at, 0, rest.size) : NULL;
    size_t n = cut ? (size_t)(cut - rest.at) : rest.size;
    const char *folder = fuzz_folder();
    fuzz_folder_write("X_graph_indicator.txt", rest.at, n);
    fuzz_folder_write("X_A.txt", cut ? cut + 1 : NULL, cut ? rest.size - n - 1 : 0);
    fuzz_check_stream(folder, choice & 1, size);
    fuzz_folder_remove();
}
