/* What looks at a file of igraph's formats before igraph does. The first byte chooses format and options. */
#include "graphs/igraph_format.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

/* The text of a scan lies in the file, and what it has copied lies before the end. */
static void check_places(const pci_igraph_text *text, const char *begin, size_t n_bytes)
{
    if (text->bytes < begin || text->n_bytes > n_bytes - (size_t)(text->bytes - begin))
        fuzz_fail("a scan has left the text");
    if (text->copied_to && (text->copied_to < begin || text->copied_to > begin + n_bytes))
        fuzz_fail("a scan has copied what is not in the text");
}

static void decode(pci_igraph_text *text)
{
    igraph_vector_char_t copy;
    if (igraph_vector_char_init(&copy, 0) != IGRAPH_SUCCESS)
        return;
    pci_igraph_decode_entities(text, &copy);
    if (text->n_bytes > 0 && memchr(text->bytes, 0, text->n_bytes))
        fuzz_fail("a NUL byte has come into the text");
    igraph_vector_char_destroy(&copy);
}

FUZZ(igraph_scan)
{
    fuzz_input rest = {data, size};
    uint8_t choice = fuzz_byte(&rest);
    const pci_igraph_format *format = pci_igraph_format_at(choice % 8);
    if (!format)
        return;
    pc_context *context = fuzz_context(1);
    char *bytes = fuzz_text(&rest);
    pci_igraph_text text = {.context = context,
                            .path = "fuzz",
                            .bytes = bytes,
                            .n_bytes = rest.size,
                            .uses_weights = choice & 8};
    pc_status status = pci_igraph_scan_bytes(&text);
    if (status == PC_OK)
        status = format->scan(&text);
    fuzz_check_status(context, status, status == PC_OK ? &text : NULL);
    if (status == PC_OK) {
        check_places(&text, bytes, rest.size);
        if (pci_igraph_take_made(&text) == PC_OK)
            decode(&text);
    }
    pci_igraph_text_destroy(&text);
    free(bytes);
    pc_context_free(context);
}
