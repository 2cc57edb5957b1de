/* Sweeps that are saved while they run, and go on from a saved state (pc_cluster_checkpoint).
 *
 * The program runs anew when it resumes. A sweep has a key: a hash of its graph, its limits and its starts. Steps up to
 * a later state of a sweep with this key are not taken; the state is read when the first step after it, or its rows, are
 * asked for. Every state whose rows were asked for is kept, so a resumed run reads where the
 * first one read; of the others only the latest one is kept. Certificates are made anew.
 *
 * The folder has checkpoint.txt, which names the graph and the first sweep of the question, and a file
 * for each state: KEY-STEP.lines. A file gets its name when all of it is on the disk. */
#define _GNU_SOURCE
#include "src/cluster/cluster.h"

#include "pathcount_mpi.h"

#include "io/output.h"
#include "src/core/checksum.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 80, TEXT_BYTES = 256, PERMISSIONS = 0666 };

static const char MARK[] = "pathcount lines 1", TEXT_NAME[] = "checkpoint.txt";

/* A file of lines. */
typedef struct saved_state {
    uint64_t key[2], step;
    bool was_read; /* rows were asked for, by this process */
} saved_state;

struct pci_checkpoint {
    char *path;
    int folder;
    double seconds, saved_at;
    bool is_bound; /* to a question */
    saved_state *states;
    size_t n_states, capacity;
};

/* A sweep that takes its steps when they are needed. src/cluster/cluster.c defines this type, too. */
struct pci_sweep {
    pc_context *context;
    pci_checkpoint *checkpoint;
    pci_sweep *inner; /* of src/cluster/cluster.c */
    uint64_t n, length;
    uint32_t n_vectors;
    uint64_t digest[2], limits[2], starts[2], key[2];
    uint64_t at, wanted; /* steps that inner took, and that were asked for */
};

/* ---- Names ----------------------------------------------------------------------------------- */

static void name_of(const uint64_t key[2], uint64_t step, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%016" PRIx64 "%016" PRIx64 "-%" PRIu64 ".lines", key[0], key[1],
             step);
}

/* True for the name of a state and, with `.part`, of a file that was not finished. */
static bool parse_name(const char *name, saved_state *state, bool *is_part)
{
    char expected[NAME_BYTES];
    if (sscanf(name, "%16" SCNx64 "%16" SCNx64 "-%" SCNu64, &state->key[0], &state->key[1],
               &state->step) != 3)
        return false;
    state->was_read = false;
    name_of(state->key, state->step, expected);
    size_t length = strlen(expected);
    *is_part = strcmp(name + strnlen(name, length), ".part") == 0;
    return strncmp(name, expected, length) == 0 && (*is_part || name[length] == '\0');
}

static pc_status fail_io(pc_context *context, const pci_checkpoint *c, const char *what,
                         const char *name)
{
    return pci_fail(context, PC_ERR_IO, "cannot %s %s/%s: %s", what, c->path, name,
                    strerror(errno));
}

/* ---- States ---------------------------------------------------------------------------------- */

static pc_status add_state(pc_context *context, pci_checkpoint *c, const saved_state *state)
{
    if (c->n_states == c->capacity) {
        size_t capacity = 2 * c->capacity + 16;
        saved_state *states = reallocarray(c->states, capacity, sizeof *states);
        if (!states)
            return pci_fail_memory(context, "a checkpoint", capacity * sizeof *states);
        c->states = states;
        c->capacity = capacity;
    }
    c->states[c->n_states++] = *state;
    return PC_OK;
}

/* The latest state of the sweep after steps `from` to `to`; NULL: there is none. */
static saved_state *find_state(const pci_sweep *sweep, uint64_t from, uint64_t to)
{
    const pci_checkpoint *c = sweep->checkpoint;
    saved_state *found = NULL;
    for (size_t i = 0; i < c->n_states; i++) {
        saved_state *state = &c->states[i];
        if (memcmp(state->key, sweep->key, sizeof state->key) == 0 && state->step >= from &&
            state->step <= to && (!found || state->step > found->step))
            found = state;
    }
    return found;
}

/* Removes earlier states of the sweep that nobody reads again. */
static void remove_superseded(const pci_sweep *sweep)
{
    pci_checkpoint *c = sweep->checkpoint;
    char name[NAME_BYTES];
    size_t n = 0;
    for (size_t i = 0; i < c->n_states; i++) {
        const saved_state *state = &c->states[i];
        bool is_superseded = memcmp(state->key, sweep->key, sizeof state->key) == 0 &&
                             state->step < sweep->at && !state->was_read;
        if (is_superseded) {
            name_of(state->key, state->step, name);
            unlinkat(c->folder, name, 0);
        } else {
            c->states[n++] = *state;
        }
    }
    c->n_states = n;
}

static pci_lines head_of(const pci_sweep *sweep, uint64_t step)
{
    pci_lines head = {.step = step, .n = sweep->n};
    memcpy(head.mark, MARK, sizeof MARK);
    memcpy(head.key, sweep->key, sizeof head.key);
    return head;
}

static uint64_t check_of(const pci_lines *head)
{
    return pci_checksum(head, offsetof(pci_lines, check), 0);
}

/* Writes the head before the lines, and gives the file its name. */
static pc_status finish_file(const pci_sweep *sweep, int file, const pci_lines *head,
                             const char *part, const char *name)
{
    const pci_checkpoint *c = sweep->checkpoint;
    bool syncs = !sweep->context->no_sync;
    char bytes[PCI_LINES_HEAD_BYTES] = {0};
    memcpy(bytes, head, sizeof *head);
    errno = EIO;
    bool is_whole =
        pwrite(file, bytes, sizeof bytes, 0) == sizeof bytes && (!syncs || fsync(file) == 0) &&
        renameat(c->folder, part, c->folder, name) == 0 && (!syncs || fsync(c->folder) == 0);
    return is_whole ? PC_OK : fail_io(sweep->context, c, "write", name);
}

static pc_status save(pci_sweep *sweep)
{
    pci_checkpoint *c = sweep->checkpoint;
    char name[NAME_BYTES], part[NAME_BYTES + 8], path[PATH_MAX];
    pci_lines head = head_of(sweep, sweep->at);
    name_of(sweep->key, sweep->at, name);
    snprintf(part, sizeof part, "%s.part", name);
    snprintf(path, sizeof path, "%s/%s", c->path, part);
    int file = openat(c->folder, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, PERMISSIONS);
    if (file < 0)
        return fail_io(sweep->context, c, "create", part);
    pc_status status = pci_cluster_save_lines(sweep->inner, path, &head);
    head.check = check_of(&head);
    if (status == PC_OK)
        status = finish_file(sweep, file, &head, part, name);
    close(file);
    if (status != PC_OK)
        unlinkat(c->folder, part, 0);
    if (status == PC_OK) {
        remove_superseded(sweep);
        status = add_state(sweep->context, c,
                           &(saved_state){{head.key[0], head.key[1]}, sweep->at, false});
    }
    c->saved_at = pci_now_seconds();
    return status;
}

static pc_status read_head(const pci_sweep *sweep, const char *name, uint64_t step, pci_lines *head)
{
    const pci_checkpoint *c = sweep->checkpoint;
    pci_lines expected = head_of(sweep, step);
    int file = openat(c->folder, name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail_io(sweep->context, c, "read", name);
    bool is_right = pread(file, head, sizeof *head, 0) == sizeof *head &&
                    head->check == check_of(head) &&
                    memcmp(head, &expected, offsetof(pci_lines, line_bytes)) == 0;
    close(file);
    return is_right ? PC_OK
                    : pci_fail(sweep->context, PC_ERR_DATA,
                               "%s/%s is damaged: its head is not that of the file; remove it",
                               c->path, name);
}

static pc_status load(pci_sweep *sweep, const saved_state *state)
{
    char name[NAME_BYTES], path[PATH_MAX];
    pci_lines head;
    name_of(state->key, state->step, name);
    snprintf(path, sizeof path, "%s/%s", sweep->checkpoint->path, name);
    pc_status status = read_head(sweep, name, state->step, &head);
    if (status == PC_OK)
        status = pci_cluster_load_lines(sweep->inner, path, &head);
    if (status == PC_OK)
        sweep->at = state->step;
    return status;
}

/* ---- The question ---------------------------------------------------------------------------- */

/* The text of checkpoint.txt for a question that begins with this sweep. */
static void describe(const pci_sweep *sweep, char text[TEXT_BYTES])
{
    snprintf(text, TEXT_BYTES,
             "pathcount checkpoint 1\ngraph %016" PRIx64 "%016" PRIx64 " vertices %" PRIu64
             "\nsweep %016" PRIx64 "%016" PRIx64 " length %" PRIu64 " vectors %" PRIu32 "\n",
             sweep->digest[0], sweep->digest[1], sweep->n, sweep->key[0], sweep->key[1],
             sweep->length, sweep->n_vectors);
}

static pc_status write_text(const pci_sweep *sweep, const char *text)
{
    const pci_checkpoint *c = sweep->checkpoint;
    pci_temporary file;
    if (!pci_temporary_create(c->folder, &file))
        return fail_io(sweep->context, c, "create", TEXT_NAME);
    ssize_t n = (ssize_t)strlen(text);
    errno = EIO;
    bool is_written = write(file.file, text, (size_t)n) == n &&
                      fchmod(file.file, file.default_mode) == 0 &&
                      (sweep->context->no_sync || fsync(file.file) == 0) &&
                      pci_temporary_rename(c->folder, &file, TEXT_NAME);
    pc_status status = is_written ? PC_OK : fail_io(sweep->context, c, "write", TEXT_NAME);
    pci_temporary_free(c->folder, &file);
    return status;
}

/* True when so many lines of two texts are equal. */
static bool are_same_lines(const char *a, const char *b, int n_lines)
{
    for (; n_lines > 0 && *a == *b && *a; a++, b++)
        n_lines -= *a == '\n';
    return n_lines == 0;
}

static pc_status compare_text(const pci_sweep *sweep, const char *ours, const char *theirs)
{
    const char *path = sweep->checkpoint->path;
    if (!are_same_lines(ours, theirs, 1))
        return pci_fail(sweep->context, PC_ERR_DATA,
                        "%s/%s is damaged, or of another version of pathcount", path, TEXT_NAME);
    if (!are_same_lines(ours, theirs, 2))
        return pci_fail(sweep->context, PC_ERR_DATA, "%s is the checkpoint of another graph", path);
    if (!are_same_lines(ours, theirs, 3))
        return pci_fail(sweep->context, PC_ERR_DATA,
                        "%s is the checkpoint of another question (%s/%s has its length), or of "
                        "one whose vectors went together in other blocks (--memory-limit)",
                        path, path, TEXT_NAME);
    return PC_OK;
}

/* The first sweep names the question. */
static pc_status bind_question(const pci_sweep *sweep)
{
    pci_checkpoint *c = sweep->checkpoint;
    char ours[TEXT_BYTES], theirs[TEXT_BYTES] = {0};
    pc_status status = PC_OK;
    describe(sweep, ours);
    int file = openat(c->folder, TEXT_NAME, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT)
        status = write_text(sweep, ours);
    else if (file < 0 || read(file, theirs, sizeof theirs - 1) < 0)
        status = fail_io(sweep->context, c, "read", TEXT_NAME);
    else
        status = compare_text(sweep, ours, theirs);
    if (file >= 0)
        close(file);
    c->is_bound = status == PC_OK;
    return status;
}

/* ---- Sweeps ---------------------------------------------------------------------------------- */

/* Residues have no limits: their modulus and the length stand for them. */
static void hash_limits(pci_sweep *sweep, const pci_sweep_options *options)
{
    const uint64_t of_residues[] = {options->modulus, options->length};
    const void *limits = options->modulus ? (const void *)of_residues : options->bits;
    size_t n_bytes =
        options->modulus ? sizeof of_residues : (options->length + 1) * sizeof *options->bits;
    for (int i = 0; i < 2; i++) {
        uint64_t seed = pci_scramble(sweep->digest[i] + options->n_vectors);
        sweep->limits[i] = pci_checksum(limits, n_bytes, seed);
    }
}

static void clear_sweep(pci_sweep *sweep)
{
    pci_cluster_sweeps.clear(sweep->inner);
    sweep->at = sweep->wanted = 0;
    memset(sweep->starts, 0, sizeof sweep->starts);
}

static void free_sweep(pci_sweep *sweep)
{
    if (!sweep)
        return;
    pci_cluster_sweeps.free(sweep->inner);
    pci_free(sweep->context, sweep);
}

static pc_status create_sweep(pc_context *context, const pc_graph *graph,
                              const pci_sweep_options *options, pci_sweep **sweep)
{
    pci_sweep *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "vectors", sizeof *made);
    *made = (pci_sweep){.context = context,
                        .checkpoint = pci_cluster_graph_of(graph)->cluster->checkpoint,
                        .n = graph->n,
                        .length = options->length,
                        .n_vectors = options->n_vectors};
    pc_status status = pci_cluster_sweeps.create(context, graph, options, &made->inner);
    if (status == PC_OK)
        status = pci_cluster_digest(context, graph, made->digest);
    if (status != PC_OK) {
        free_sweep(made);
        return status;
    }
    hash_limits(made, options);
    *sweep = made;
    return PC_OK;
}

static void add_start(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value)
{
    const uint64_t start[] = {vector, vertex, value};
    for (int i = 0; i < 2; i++)
        sweep->starts[i] += pci_checksum(start, sizeof start, (uint64_t)i);
    pci_cluster_sweeps.add(sweep->inner, vector, vertex, value);
}

static pc_status begin(pci_sweep *sweep)
{
    for (int i = 0; i < 2; i++)
        sweep->key[i] = pci_scramble(sweep->limits[i] + pci_scramble(sweep->starts[i]));
    return sweep->checkpoint->is_bound ? PC_OK : bind_question(sweep);
}

/* Takes the steps that were asked for, from the latest state that helps. */
static pc_status reach(pci_sweep *sweep)
{
    const pci_checkpoint *c = sweep->checkpoint;
    const saved_state *state =
        sweep->at < sweep->wanted ? find_state(sweep, sweep->at + 1, sweep->wanted) : NULL;
    pc_status status = state ? load(sweep, state) : PC_OK;
    while (status == PC_OK && sweep->at < sweep->wanted) {
        status = pci_cluster_sweeps.step(sweep->inner);
        sweep->at += status == PC_OK;
        if (status == PC_OK && pci_now_seconds() - c->saved_at >= c->seconds)
            status = save(sweep);
    }
    return status;
}

static pc_status step_sweep(pci_sweep *sweep)
{
    pc_status status = sweep->wanted == 0 ? begin(sweep) : PC_OK;
    if (status != PC_OK)
        return status;
    sweep->wanted++;
    return find_state(sweep, sweep->wanted, UINT64_MAX) ? PC_OK : reach(sweep);
}

/* Before the state is read, which is saved then. */
static pc_status prepare_to_read(pci_sweep *sweep)
{
    pc_status status = reach(sweep);
    if (status == PC_OK && sweep->at > 0 && !find_state(sweep, sweep->at, sweep->at))
        status = save(sweep);
    if (status == PC_OK && sweep->at > 0)
        find_state(sweep, sweep->at, sweep->at)->was_read = true;
    return status;
}

static pc_status collect_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors,
                              uint32_t n_limbs, bool adds, uint64_t *limbs)
{
    pc_status status = prepare_to_read(sweep);
    return status == PC_OK
               ? pci_cluster_sweeps.rows(sweep->inner, first, n_vectors, n_limbs, adds, limbs)
               : status;
}

static pc_status keep_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                           uint32_t number)
{
    pc_status status = prepare_to_read(sweep);
    return status == PC_OK
               ? pci_cluster_sweeps.keep(sweep->inner, first, n_vectors, n_limbs, number)
               : status;
}

static uint64_t sweep_bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    return pci_cluster_sweeps.bytes(graph, options);
}

static const pci_sweep_ops saved_sweeps = {.create = create_sweep,
                                           .free = free_sweep,
                                           .clear = clear_sweep,
                                           .add = add_start,
                                           .step = step_sweep,
                                           .rows = collect_rows,
                                           .keep = keep_rows,
                                           .bytes = sweep_bytes};

/* ---- The folder ------------------------------------------------------------------------------ */

static void free_checkpoint(pci_checkpoint *checkpoint)
{
    if (checkpoint->folder >= 0)
        close(checkpoint->folder);
    free(checkpoint->states);
    free(checkpoint->path);
    free(checkpoint);
}

static pc_status open_folder(pc_context *context, pci_checkpoint *c)
{
    if (mkdir(c->path, 0777) != 0 && errno != EEXIST)
        return pci_fail(context, PC_ERR_CREATE, "cannot create the folder %s: %s", c->path,
                        strerror(errno));
    c->folder = open(c->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c->folder < 0)
        return pci_fail(context, PC_ERR_CREATE, "%s: %s", c->path, strerror(errno));
    if (flock(c->folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return pci_fail(context, PC_ERR_CREATE, "another process saves its checkpoint in %s",
                        c->path);
    return PC_OK;
}

/* Lists the states, and removes unfinished files. */
static pc_status list_states(pc_context *context, pci_checkpoint *c)
{
    int copy = dup(c->folder);
    DIR *listing = copy < 0 ? NULL : fdopendir(copy);
    pc_status status = listing ? PC_OK : fail_io(context, c, "list", "");
    for (const struct dirent *entry; listing && status == PC_OK && (entry = readdir(listing));) {
        saved_state state;
        bool is_part;
        if (!parse_name(entry->d_name, &state, &is_part))
            continue;
        if (is_part)
            unlinkat(c->folder, entry->d_name, 0);
        else
            status = add_state(context, c, &state);
    }
    if (listing)
        closedir(listing);
    else if (copy >= 0)
        close(copy);
    return status;
}

static pc_status prepare(pc_context *context, pci_checkpoint *c, bool resumes)
{
    struct stat info;
    pc_status status = open_folder(context, c);
    if (status == PC_OK)
        status = list_states(context, c);
    if (status == PC_OK && !resumes &&
        (c->n_states > 0 || fstatat(c->folder, TEXT_NAME, &info, 0) == 0))
        return pci_fail(context, PC_ERR_CREATE,
                        "%s has a checkpoint: --resume goes on from it; remove it to begin anew",
                        c->path);
    return status;
}

/* A NULL checkpoint: nothing is saved. */
static void use(pc_cluster *cluster, pci_checkpoint *checkpoint)
{
    if (cluster->checkpoint)
        free_checkpoint(cluster->checkpoint);
    cluster->checkpoint = checkpoint;
    cluster->free_checkpoint = free_checkpoint;
    cluster->engine.sweeps = checkpoint ? &saved_sweeps : &pci_cluster_sweeps;
}

pc_status pc_cluster_checkpoint(pc_context *context, pc_cluster *cluster, const char *folder,
                                double seconds, bool resumes)
{
    if (!context || !cluster)
        return pci_fail_null(context, "cluster");
    use(cluster, NULL);
    if (!folder)
        return PC_OK;
    if (strlen(folder) + NAME_BYTES + 16 > PATH_MAX)
        return pci_fail(context, PC_ERR_ARGUMENT, "the path of the checkpoint is too long");
    pci_checkpoint *made = calloc(1, sizeof *made);
    if (made)
        *made = (pci_checkpoint){.path = strdup(folder),
                                 .folder = -1,
                                 .seconds = seconds,
                                 .saved_at = pci_now_seconds()};
    pc_status status = made && made->path ? prepare(context, made, resumes)
                                          : pci_fail_memory(context, "a checkpoint", sizeof *made);
    if (status == PC_OK)
        use(cluster, made);
    else if (made)
        free_checkpoint(made);
    return status;
}
