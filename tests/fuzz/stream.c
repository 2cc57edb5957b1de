/* Streams of graphs: lines of graph6, sparse6, digraph6 and edge lists, from a file. The first byte chooses
 * whether repeated edges are kept. */
#include "src/streams/stream.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/stream_check.h"

FUZZ(stream)
{
    fuzz_input rest = {data, size};
    uint8_t choice = fuzz_byte(&rest);
    fuzz_check_stream(fuzz_path(rest.at, rest.size), choice & 1, rest.size);
}
