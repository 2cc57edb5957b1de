/* Messages between two processes of one build on one machine: numbers are as they are in memory. */
#include "graphs/igraph_message.h"

#include <stdlib.h>
#include <string.h>

void pci_igraph_message_put(pci_igraph_message *message, pci_igraph_part part, const void *bytes,
                            uint64_t n_bytes)
{
    message->part[part] = (void *)bytes;
    message->header.n_bytes[part] = n_bytes;
}

static const char build[sizeof((pci_igraph_header *)NULL)->build] = "pathcount igraph " PC_VERSION;

void pci_igraph_message_sign(pci_igraph_message *message)
{
    memcpy(message->header.build, build, sizeof build);
}

bool pci_igraph_message_is_ours(const pci_igraph_header *header)
{
    return memcmp(header->build, build, sizeof build) == 0;
}

/* What igraph's process may report: it opens no file, and nobody cancels it. */
static bool is_status_of_igraph(uint32_t status)
{
    return status == PC_OK || status == PC_ERR_ARGUMENT || status == PC_ERR_DATA ||
           status == PC_ERR_MEMORY || status == PC_ERR_INTERNAL;
}

bool pci_igraph_message_fits(const pci_igraph_header *header, const uint64_t most[PCI_IGRAPH_PARTS])
{
    bool fits = is_status_of_igraph(header->status) && header->direction <= PC_UNDIRECTED;
    for (int p = 0; p < PCI_IGRAPH_PARTS; p++)
        fits = fits && header->n_bytes[p] <= most[p];
    return fits;
}

bool pci_igraph_message_reserve(pci_igraph_message *message)
{
    bool is_reserved = true;
    for (int p = 0; p < PCI_IGRAPH_PARTS; p++) {
        uint64_t n_bytes = message->header.n_bytes[p];
        char *bytes = n_bytes < SIZE_MAX ? malloc(n_bytes + 1) : NULL;
        is_reserved = is_reserved && bytes;
        if (bytes)
            bytes[n_bytes] = '\0';
        message->part[p] = bytes;
    }
    if (!is_reserved)
        pci_igraph_message_free(message);
    return is_reserved;
}

void pci_igraph_message_free(pci_igraph_message *message)
{
    for (int p = 0; p < PCI_IGRAPH_PARTS; p++) {
        free(message->part[p]);
        message->part[p] = NULL;
    }
}

void pci_igraph_clean_text(char *text)
{
    for (char *c = text; *c != '\0'; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c;
}
