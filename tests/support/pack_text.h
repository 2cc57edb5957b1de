/* Packed text for tests of what unpacks it. */
#ifndef TESTS_PACK_TEXT_H
#define TESTS_PACK_TEXT_H

#include <stddef.h>

/* Packs text ("gzip", "zstd", "xz", "bzip2") into packed[room]; the number of bytes there. */
size_t pack_text(const char *packing, const char *text, size_t n_bytes, char *packed, size_t room);

#endif
