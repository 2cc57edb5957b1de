/* Files of a shared file system have the same number and the same times wherever they are looked at, to the nanosecond;
 * a copy has not, because nobody can set the time of its last change. So a file that all processes share is not read
 * again. Copies are compared by checksums: the processes that see the same one divide its bytes among them. */
#include "src/cluster/same_file.h"

#include "src/core/checksum.h"

#include <sys/stat.h>

enum { PIECE_BYTES = 1 << 22 };

/* A process knows this of its file. */
typedef struct view {
    uint64_t n_all, begin; /* the length, and a checksum of the begin that opening has read */
    uint64_t identity;     /* of the file itself */
    uint64_t sum;          /* of the pieces that this process read */
} view;

enum { VIEW_WORDS = sizeof(view) / sizeof(uint64_t) };

/* A checksum of what the same file has and no copy. */
static uint64_t identity_of(const pci_input *input, uint64_t seed)
{
    struct stat about;
    if (input->file < 0 || fstat(input->file, &about) != 0)
        return 0;
    uint64_t facts[] = {(uint64_t)about.st_ino, (uint64_t)about.st_mtim.tv_sec,
                        (uint64_t)about.st_mtim.tv_nsec, (uint64_t)about.st_ctim.tv_sec,
                        (uint64_t)about.st_ctim.tv_nsec};
    return pci_checksum(facts, sizeof facts, seed);
}

static void gather(const pci_processes *all, view *views)
{
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, views, VIEW_WORDS, MPI_UINT64_T, all->comm);
}

/* Every n-th piece of the file, from number place on. */
static pc_status sum_pieces(const pci_input *input, uint64_t seed, uint64_t place, uint64_t n,
                            uint64_t *sum)
{
    pc_context *context = input->context;
    char *piece = pci_alloc(context, PIECE_BYTES);
    pc_status status = piece ? PC_OK : pci_fail_memory(context, "a piece of a file", PIECE_BYTES);
    *sum = 0;
    for (uint64_t p = place; p * PIECE_BYTES < input->n_all && status == PC_OK; p += n) {
        uint64_t at = p * PIECE_BYTES, n_left = input->n_all - at;
        size_t n_bytes = n_left < PIECE_BYTES ? n_left : PIECE_BYTES;
        status = pci_input_read(input, at, piece, n_bytes);
        if (status != PC_OK)
            status =
                status == PC_ERR_IO ? pci_input_fail_read(input) : pci_input_fail_changed(input);
        else
            *sum += pci_checksum(piece, n_bytes, pci_scramble(seed + p));
    }
    pci_free(context, piece);
    return status == PC_OK ? pci_progress(context, "read", 0) : status;
}

/* The checksum of the whole file that process r sees. */
static uint64_t sum_of_file(const pci_processes *all, const view *views, int r)
{
    uint64_t sum = 0;
    for (int q = 0; q < all->n; q++)
        sum += views[q].identity == views[r].identity ? views[q].sum : 0;
    return sum;
}

static pc_status fail_if(const pci_processes *all, const pci_input *input, bool is_other)
{
    pc_status status = PC_OK;
    if (is_other)
        status = pci_fail(input->context, PC_ERR_DATA,
                          "%s: process %d of %d finds another file of this name than process 0: "
                          "give all machines the same one",
                          input->name, all->rank, all->n);
    return pci_processes_agree_on_input(all, input->context, status);
}

/* The views of all processes have begins that are the same. */
static pc_status compare_copies(const pci_processes *all, const pci_input *input, uint64_t seed,
                                view *views)
{
    uint64_t place = 0, n = 0;
    view *own = &views[all->rank];
    bool are_copies = false;
    for (int r = 0; r < all->n; r++) {
        are_copies = are_copies || views[r].identity != views[0].identity;
        place += r < all->rank && views[r].identity == own->identity;
        n += views[r].identity == own->identity;
    }
    if (!are_copies)
        return PC_OK;
    pc_status status = pci_processes_agree_on_input(all, input->context,
                                                    sum_pieces(input, seed, place, n, &own->sum));
    if (status != PC_OK)
        return status;
    gather(all, views);
    return fail_if(all, input, sum_of_file(all, views, all->rank) != sum_of_file(all, views, 0));
}

pc_status pci_same_file(const pci_processes *all, const pci_input *input, uint64_t seed)
{
    size_t n_bytes = (size_t)all->n * sizeof(view);
    view *views = pci_alloc_zero(input->context, (size_t)all->n, sizeof *views);
    pc_status status = pci_processes_agree_on_memory(all, input->context, views != NULL,
                                                     "views of a file", n_bytes);
    if (status == PC_OK) {
        views[all->rank] = (view){.n_all = input->n_all,
                                  .begin = pci_checksum(input->text, input->n_bytes, seed),
                                  .identity = identity_of(input, seed)};
        gather(all, views);
        status = fail_if(all, input,
                         views[all->rank].n_all != views[0].n_all ||
                             views[all->rank].begin != views[0].begin);
    }
    if (status == PC_OK && !input->is_whole && !input->unpacker)
        status = compare_copies(all, input, seed, views);
    pci_free(input->context, views);
    return status;
}
