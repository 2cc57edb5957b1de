/* The text of an input file. Opening reads its begin. The rest of a plain file stays where it is,
 * and is read part by part through windows; streams and packed files (gz, zst, xz, bz2) have to be
 * loaded. A plain file that another process changes meanwhile is refused. */
#ifndef PCI_INPUT_H
#define PCI_INPUT_H

#include "graphs/multiplicity.h"
#include "src/core/context.h"

#include <time.h>

/* ---- Unpacking ------------------------------------------------------------------------------- */

/* Libraries that are opened when a file is packed. Loading libarchive, which brings libxml2 and ICU
 * along, would take as long as all the rest of a small count. */
#define PCI_LIBARCHIVE "libarchive.so.13"
#define PCI_LIBDEFLATE "libdeflate.so.0"
#define PCI_LIBZSTD    "libzstd.so.1"

/* Finds n functions of a library, which stays open. PC_ERR_ENGINE, PC_ERR_MEMORY. */
pc_status pci_library_find(pc_context *context, const char *file, size_t n,
                           const char *const *names, void **functions);

/* Returns true for a packed file, by the bytes that it begins with; PCI_MAGIC_BYTES of them are enough. */
enum { PCI_MAGIC_BYTES = 6 };
bool pci_is_packed(const char *begin, size_t n_bytes);

/* Returns true when a file that begins with these bytes, fewer than PCI_MAGIC_BYTES, may yet be packed. */
bool pci_may_be_packed(const char *begin, size_t n_bytes);

typedef struct pci_unpacker pci_unpacker;

/* Unpacks the rest of an open file, from which n_begin (at most PCI_MAGIC_BYTES) bytes were read already; a file that
 * is not packed passes as it is. name is for messages and must outlive it. */
pc_status pci_unpacker_open(pc_context *context, const char *name, int file, const char *begin,
                            size_t n_begin, pci_unpacker **unpacker);
void pci_unpacker_close(pci_unpacker *unpacker);

/* The next block, which is valid until the next call; n_bytes 0 at the end. PC_ERR_DATA for a
 * damaged file, PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pci_unpacker_next(pci_unpacker *unpacker, const char **block, size_t *n_bytes);

/* Called at the end; PC_ERR_DATA when the check sum of a gz file is wrong. The check sum is that
 * of the last member, which nearly always is the only one. Otherwise the member is looked for in
 * text, the last n_bytes that were unpacked, as far as they reach back. */
pc_status pci_unpacker_check(const pci_unpacker *unpacker, const char *text, size_t n_bytes);

/* Packed bytes read so far. */
uint64_t pci_unpacker_n_read(const pci_unpacker *unpacker);

/* Takes a member of a zip archive; the bytes are to be freed by pci_free, whatever the status,
 * and are NULL when there are none. */
typedef pc_status (*pci_member_fn)(void *user, const char *member, char *bytes, uint64_t n_bytes);

/* Unpacks the members of a zip archive whose names end so, and passes each to take. Returns the first status of take
 * that is not PC_OK, PC_ERR_DATA for a damaged archive, PC_ERR_MEMORY, PC_ERR_CANCELLED, PC_ERR_ENGINE. */
pc_status pci_zip_read(pc_context *context, const char *name, const char *bytes, size_t n_bytes,
                       const char *ending, pci_member_fn take, void *user);

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* One of several readers of the same file, each of which takes a range of the lines. They join
 * what all of them must know: every reader makes the same calls in the same order. */
typedef enum pci_joining { PCI_JOIN_LEAST, PCI_JOIN_SUM, PCI_JOIN_BITS } pci_joining;

typedef struct pci_text_share {
    uint64_t number, n; /* this is reader number of n */
    /* set, with PC_ERR_DATA, in all readers: such a text needs a single reader */
    bool is_declined;
    /* PC_OK when it is so in all readers; else the status and the message of the first one that failed. */
    pc_status (*agree)(void *user, pc_status status);
    void (*join)(void *user, pci_joining how, uint64_t *words, uint64_t n_words);
    void *user;
} pci_text_share;

typedef struct pci_input {
    pc_context *context;
    const char *name; /* for messages: the path, or "standard input" */
    const char *path; /* NULL: standard input, or text that the caller keeps */
    const char *text; /* the begin of the text, or all of it; not NUL-terminated */
    size_t n_bytes;   /* of text */
    uint64_t n_all; /* bytes of the whole text; not known until a stream or packed file is loaded */
    bool is_whole;  /* text is all of it */
    bool any_bytes; /* NUL bytes do not end unpacking */
    char *memory;   /* what text was read into; NULL if there is none */
    uint64_t capacity;
    int file; /* -1: none is open */
    bool owns_file;
    struct timespec modified;          /* a plain file, when it was opened */
    pci_scale *scale;                  /* weights may have decimals; NULL: they are integers */
    const struct pci_reading *reading; /* how its text is read; NULL: nothing was chosen */
    const char *text_column; /* of edges, whose texts are kept: its name or number; NULL: none is */
    pci_text_share *share;   /* NULL: this is the only reader */
    pci_unpacker *unpacker;  /* a stream or packed file; NULL: it is none, or all of it was read */
} pci_input;

/* Opens path, "-" for standard input, and reads the begin; path must outlive the input. PC_ERR_NO_INPUT, PC_ERR_DATA
 * for a damaged packed file, PC_ERR_MEMORY, PC_ERR_IO, PC_ERR_CANCELLED. */
pc_status pci_input_open(pc_context *context, const char *path, pci_input *input);

/* Text that the caller keeps in memory. */
pci_input pci_input_from_text(pc_context *context, const char *name, const char *text,
                              size_t n_bytes);

/* Reads all of a stream or packed file into memory; a plain file stays where it is. input->text may
 * move. The status is as of pci_input_open. */
pc_status pci_input_unpack(pci_input *input);

/* Reads all of the text into memory, of a plain file too. */
pc_status pci_input_load(pci_input *input);

/* Makes sure that the begin of the text, which was read, has a whole line. Carriage returns become line feeds in a text
 * that ends its lines with them alone. Several readers decline such a text, and one whose first line is very long. */
pc_status pci_input_begin_lines(pci_input *input);

void pci_input_close(pci_input *input);

/* Copies a part of a plain file; called by several threads at once. PC_ERR_DATA when the file has
 * become shorter, PC_ERR_IO with errno; neither sets a message. */
pc_status pci_input_read(const pci_input *input, uint64_t offset, char *to, size_t n_bytes);

/* PC_ERR_DATA, with a message, when a plain file is not as it was when it was opened. */
pc_status pci_input_check(const pci_input *input);

/* The message for a status of pci_input_read or of a window, and its errno: PC_ERR_IO, PC_ERR_MEMORY, or PC_ERR_DATA
 * when the file has become shorter. */
pc_status pci_input_fail_read(const pci_input *input, pc_status status, int error);

/* PC_ERR_DATA with the message "name:line: " + sentence; line is the one that holds the byte at
 * offset in the whole text. When the file has changed, the message says that instead. */
pc_status pci_input_fail_at(const pci_input *input, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a place in input->text. */
#define pci_input_fail(input, at, ...)                                                             \
    pci_input_fail_at(input, (uint64_t)((at) - (input)->text), __VA_ARGS__)

/* The most vertices that a text of n_bytes may state without naming each: max_vertices of the graph
 * options, or when that is 0, PC_STATED_VERTICES and one for each byte. */
uint64_t pci_most_stated_vertices(uint64_t max_vertices, uint64_t n_bytes);

/* PC_ERR_DATA when the line that holds the byte at offset states more; options may be NULL. */
pc_status pci_input_check_stated(const pci_input *input, uint64_t offset, uint64_t n_vertices,
                                 const pc_graph_options *options);

/* ---- Several readers ------------------------------------------------------------------------- */

/* Both functions do nothing for a single reader. */
static inline pc_status pci_input_agree(const pci_input *input, pc_status status)
{
    return input->share ? input->share->agree(input->share->user, status) : status;
}

static inline void pci_input_join(const pci_input *input, pci_joining how, uint64_t *words,
                                  uint64_t n_words)
{
    if (input->share)
        input->share->join(input->share->user, how, words, n_words);
}

/* Makes several readers end with PC_ERR_DATA, without a message. False for a single reader, which goes on. */
static inline bool pci_input_declines(const pci_input *input)
{
    if (input->share)
        input->share->is_declined = true;
    return input->share != NULL;
}

/* ---- Windows --------------------------------------------------------------------------------- */

/* A window on a part of an input gives it block after block. A plain file is read through a buffer that stays in the
 * cache of its thread; of text in memory the blocks are borrowed. Each thread has a window of its own. */
typedef struct pci_window {
    const pci_input *input;
    const char *begin, *end; /* the current block */
    uint64_t offset;         /* of begin in the input */
    uint64_t next, to;       /* the bytes of the part that were not read yet */
    char *buffer;
    uint64_t capacity;
    pc_status status; /* why pci_window_lines or pci_window_bytes gave false; PC_OK: the end */
    int error;        /* errno of PC_ERR_IO */
} pci_window;

/* A window on nothing; closing it frees the buffer. */
pci_window pci_window_on(const pci_input *input);
void pci_window_close(pci_window *window);

/* The part from one byte up to another. */
void pci_window_move(pci_window *window, uint64_t from, uint64_t to);

/* The next block of whole lines; only the end of the part may lack its '\n'. A line that is longer
 * than the buffer makes it larger. False at the end and on failure. */
bool pci_window_lines(pci_window *window);

/* The next block of bytes, which ends anywhere. */
bool pci_window_bytes(pci_window *window);

/* Counts the bytes that are '\n'. */
uint64_t pci_count_line_ends(const char *begin, const char *end);

#endif
