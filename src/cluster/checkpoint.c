/* Sweeps that are saved while they run, and go on from a saved state (pc_cluster_checkpoint).
 *
 * The program runs anew when it resumes. A sweep has a key: a hash of its graph, its limits and its starts. Steps up to
 * a later state of a sweep with this key are not taken; the state is read when the first step after it, or its rows, are
 * asked for. Every state whose rows were asked for is kept, so a resumed run reads where the
 * first one read; of the others only the latest one is kept. Certificates are made anew.
 *
 * The folder has a file for each state, KEY-STEP.lines, whose head names the graph and the first sweep of the question. Then
 * come the lines of all vertices in order, so that any number of processes can write and read it: each its own vertices, all
 * at once. The sum of the checksums of the lines does not depend on how vertices are shared, so one number vouches for the
 * whole file. A file gets its name when all of it is on the disk. */
#define _GNU_SOURCE
#include "src/cluster/operations.h"

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

enum {
    NAME_BYTES = 80,
    PERMISSIONS = 0666,
    HEAD_BYTES = 4096, /* the lines begin here */
    BUFFER_BYTES = 4 << 20
};

static const char MARK[] = "pathcount lines 2";

/* The head of a file, and what must agree. */
typedef struct head {
    char mark[32];
    uint64_t graph[2], question[2]; /* the digest of the graph, the key of the first sweep */
    uint64_t key[2];                /* of the sweep */
    uint64_t step, n, line_bytes;
    uint64_t sum;   /* of checksums of lines, each with its vertex */
    uint64_t check; /* of what stands before it */
} head;

/* A file of lines. */
typedef struct saved_state {
    uint64_t key[2], step;
    bool was_read; /* rows were asked for, by this process */
} saved_state;

struct pci_checkpoint {
    char *path;
    int folder;
    double seconds, saved_at;
    bool is_bound; /* to a question, */
    uint64_t question[2];
    saved_state *states;
    size_t n_states, capacity;
};

/* ---- In a process ---------------------------------------------------------------------------- */

/* Copies n_bytes between the buffer and the file; a file that ends before is PC_ERR_DATA. */
static pc_status transfer(pc_context *context, const char *path, int file, bool writes, uint64_t at,
                          size_t n_bytes, char *buffer)
{
    for (size_t done = 0; done < n_bytes;) {
        off_t place = (off_t)(at + done);
        ssize_t n = writes ? pwrite(file, buffer + done, n_bytes - done, place)
                           : pread(file, buffer + done, n_bytes - done, place);
        if (n < 0 && errno != EINTR)
            return pci_fail(context, PC_ERR_IO, "%s %s: %s",
                            writes ? "cannot write" : "cannot read", path, strerror(errno));
        if (n == 0 && !writes)
            return pci_fail(context, PC_ERR_DATA, "%s is cut short: remove it", path);
        done += n > 0 ? (size_t)n : 0;
    }
    return PC_OK;
}

static uint64_t sum_of_lines(const pc_context *context, const char *lines, size_t line_bytes,
                             uint64_t first, uint64_t n)
{
    uint64_t sum = 0;
    int n_threads = pci_threads_for(context, (double)n * (double)line_bytes);
#pragma omp parallel for num_threads(n_threads) reduction(+ : sum)
    for (uint64_t i = 0; i < n; i++)
        sum += pci_checksum(lines + i * line_bytes, line_bytes, first + i);
    return sum;
}

/* All lines of own vertices go through a buffer, to the file, which is there, or from it. */
static pc_status copy_lines(pc_cluster *cluster, const pci_command *command, const char *path,
                            size_t line_bytes, uint64_t *sum)
{
    pc_context *context = cluster->context;
    pci_sweep *sweep = cluster->sweep[command->sweep].sweep;
    const pci_graph_part *part = cluster->sweep[command->sweep].part;
    bool writes = command->writes;
    uint64_t begin = part->first[cluster->all.rank], n_chunk = BUFFER_BYTES / line_bytes + 1;
    n_chunk = n_chunk < part->n_own ? n_chunk : part->n_own;
    char *buffer = pci_alloc(context, (n_chunk + 1) * line_bytes);
    uint32_t *vertices = pci_alloc(context, (n_chunk + 1) * sizeof *vertices);
    int file = open(path, (writes ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
    pc_status status = PC_OK;
    if (file < 0)
        status = pci_fail(context, PC_ERR_IO, "all processes need %s: %s", path, strerror(errno));
    if (!buffer || !vertices)
        status = pci_fail_memory(context, "lines of a checkpoint", BUFFER_BYTES);
    for (uint64_t v = 0; v < part->n_own && status == PC_OK; v += n_chunk) {
        uint64_t n = part->n_own - v < n_chunk ? part->n_own - v : n_chunk;
        for (uint64_t i = 0; i < n; i++)
            vertices[i] = (uint32_t)(v + i);
        if (writes)
            pci_sweep_get_lines(sweep, n, vertices, false, buffer);
        status = transfer(context, path, file, writes, HEAD_BYTES + (begin + v) * line_bytes,
                          n * line_bytes, buffer);
        *sum += sum_of_lines(context, buffer, line_bytes, begin + v, status == PC_OK ? n : 0);
        if (!writes && status == PC_OK)
            pci_sweep_set_lines(sweep, v, n, buffer);
    }
    if (status == PC_OK && command->syncs && fdatasync(file) != 0)
        status = pci_fail(context, PC_ERR_IO, "cannot write %s: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    pci_free(context, buffer);
    pci_free(context, vertices);
    return status;
}

/* A sweep that is read is one after command->step steps; where reading failed, it is to be cleared. */
pc_status pci_op_sweep_lines(pc_cluster *cluster, const pci_command *command)
{
    pc_context *context = cluster->context;
    pci_sweep *sweep = cluster->sweep[command->sweep].sweep;
    uint64_t sum = 0;
    pc_status status;
    char *path = pci_processes_copy(&cluster->all, context, command->path, command->n_path,
                                    "a path", &status);
    if (status != PC_OK)
        return status;
    if (!command->writes)
        pci_sweep_clear_at(sweep, command->step);
    size_t line_bytes = pci_sweep_line_bytes(sweep);
    if (!command->writes && line_bytes != command->line_bytes)
        status = pci_fail(context, PC_ERR_DATA,
                          "%s has lines of %" PRIu64 " bytes, and the sweep has lines of %zu", path,
                          command->line_bytes, line_bytes);
    if (status == PC_OK)
        status = copy_lines(cluster, command, path, line_bytes, &sum);
    status = pci_cluster_agree(cluster, status);
    pci_processes_join(&cluster->all, MPI_SUM, &sum, 1);
    if (status == PC_OK && !command->writes && sum != command->sum)
        status = pci_fail(context, PC_ERR_DATA,
                          "%s is damaged: its lines have another checksum; remove it", path);
    if (pci_is_first(cluster) && command->writes)
        memcpy(command->out, (uint64_t[]){line_bytes, sum}, 2 * sizeof sum);
    pci_free(context, path);
    return status;
}

/* The sums of hashes of all arcs of the graph, which do not depend on the parts. */
pc_status pci_op_digest(pc_cluster *cluster, const pci_command *command)
{
    const pci_graph_part *part = cluster->part[command->graph];
    const pc_graph *graph = part->graph;
    uint64_t begin = part->first[cluster->all.rank], a = 0, b = 0;
    int n_threads = pci_threads_for(part->context, 8 * (double)pci_graph_n_arcs(graph));
#pragma omp parallel for num_threads(n_threads) reduction(+ : a, b)
    for (uint64_t v = 0; v < part->n_own; v++)
        for (uint64_t i = graph->row_start[v]; i < graph->row_start[v + 1]; i++) {
            uint64_t weight = pci_graph_weight(graph, i);
            uint64_t arc = (begin + v) << 32 | pci_part_vertex(part, graph->column[i]);
            uint64_t hash = pci_scramble(pci_scramble(arc) + weight);
            a += hash;
            b += pci_scramble(hash + PCI_RANDOM_STEP);
        }
    uint64_t sums[] = {a, b};
    pci_processes_join(&cluster->all, MPI_SUM, sums, 2);
    if (pci_is_first(cluster))
        memcpy(command->out, sums, sizeof sums);
    return PC_OK;
}

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
    const pci_checkpoint *c = sweep->cluster->checkpoint;
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
    pci_checkpoint *c = sweep->cluster->checkpoint;
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

/* ---- Files ----------------------------------------------------------------------------------- */

static uint64_t check_of(const head *head)
{
    return pci_checksum(head, offsetof(struct head, check), 0);
}

/* Creates the file, has the lines written, then the head before them, and gives the file its name. */
static pc_status save(pci_sweep *sweep)
{
    pci_checkpoint *c = sweep->cluster->checkpoint;
    bool syncs = !sweep->context->no_sync;
    char name[NAME_BYTES], part[NAME_BYTES + 8], path[PATH_MAX], bytes[HEAD_BYTES] = {0};
    head head = {.graph = {sweep->digest[0], sweep->digest[1]},
                 .key = {sweep->key[0], sweep->key[1]},
                 .step = sweep->at,
                 .n = sweep->n};
    uint64_t found[2];
    memcpy(head.mark, MARK, sizeof MARK);
    memcpy(head.question, c->question, sizeof head.question);
    name_of(sweep->key, sweep->at, name);
    snprintf(part, sizeof part, "%s.part", name);
    snprintf(path, sizeof path, "%s/%s", c->path, part);
    int file = openat(c->folder, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, PERMISSIONS);
    if (file < 0)
        return fail_io(sweep->context, c, "create", part);
    pc_status status = pci_cluster_call_on_sweep(
        sweep, pci_op_sweep_lines,
        (pci_command){.writes = true, .syncs = syncs, .path = path, .out = found});
    if (status == PC_OK) {
        head.line_bytes = found[0];
        head.sum = found[1];
        head.check = check_of(&head);
        memcpy(bytes, &head, sizeof head);
        errno = EIO;
        bool is_whole =
            pwrite(file, bytes, sizeof bytes, 0) == sizeof bytes && (!syncs || fsync(file) == 0) &&
            renameat(c->folder, part, c->folder, name) == 0 && (!syncs || fsync(c->folder) == 0);
        status = is_whole ? PC_OK : fail_io(sweep->context, c, "write", name);
    }
    close(file);
    if (status != PC_OK) {
        unlinkat(c->folder, part, 0);
    } else {
        remove_superseded(sweep);
        status = add_state(sweep->context, c,
                           &(saved_state){{head.key[0], head.key[1]}, sweep->at, false});
    }
    c->saved_at = pci_now_seconds();
    return status;
}

/* Reads the head of a state, which is of this graph and question if the folder is. */
static pc_status read_head(const pci_sweep *sweep, const saved_state *state, head *found)
{
    const pci_checkpoint *c = sweep->cluster->checkpoint;
    char name[NAME_BYTES];
    name_of(state->key, state->step, name);
    int file = openat(c->folder, name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail_io(sweep->context, c, "read", name);
    bool is_right =
        pread(file, found, sizeof *found, 0) == sizeof *found && found->check == check_of(found) &&
        memcmp(found->mark, MARK, sizeof MARK) == 0 &&
        memcmp(found->key, state->key, sizeof found->key) == 0 && found->step == state->step;
    close(file);
    return is_right ? PC_OK
                    : pci_fail(sweep->context, PC_ERR_DATA,
                               "%s/%s is damaged, or of another version of pathcount: its head is "
                               "not that of the file; remove it",
                               c->path, name);
}

static pc_status load(pci_sweep *sweep, const saved_state *state)
{
    char name[NAME_BYTES], path[PATH_MAX];
    head head;
    name_of(state->key, state->step, name);
    snprintf(path, sizeof path, "%s/%s", sweep->cluster->checkpoint->path, name);
    pc_status status = read_head(sweep, state, &head);
    if (status == PC_OK) {
        sweep->n_starts = 0; /* they are those of step 0 */
        status = pci_cluster_call_on_sweep(
            sweep, pci_op_sweep_lines,
            (pci_command){
                .step = head.step, .line_bytes = head.line_bytes, .sum = head.sum, .path = path});
    }
    if (status == PC_OK)
        sweep->at = state->step;
    return status;
}

/* The first sweep names the question. All states of the folder must be of that question. */
static pc_status bind_question(const pci_sweep *sweep)
{
    pci_checkpoint *c = sweep->cluster->checkpoint;
    head head;
    pc_status status = c->n_states ? read_head(sweep, &c->states[0], &head) : PC_OK;
    if (status == PC_OK && c->n_states &&
        (memcmp(head.graph, sweep->digest, sizeof head.graph) != 0 || head.n != sweep->n))
        status =
            pci_fail(sweep->context, PC_ERR_DATA, "%s is the checkpoint of another graph", c->path);
    else if (status == PC_OK && c->n_states &&
             memcmp(head.question, sweep->key, sizeof head.question) != 0)
        status = pci_fail(sweep->context, PC_ERR_DATA,
                          "%s is the checkpoint of another question, or of one whose vectors went "
                          "together in other blocks (--memory-limit)",
                          c->path);
    memcpy(c->question, sweep->key, sizeof c->question);
    c->is_bound = status == PC_OK;
    return status;
}

/* ---- Sweeps ---------------------------------------------------------------------------------- */

pc_status pci_checkpoint_begin(pci_sweep *sweep, const pc_graph *graph,
                               const pci_sweep_options *options)
{
    /* Residues have no limits: their modulus and the length stand for them. */
    const uint64_t of_residues[] = {options->modulus, options->length};
    pc_status status = pci_cluster_call_on(graph->parts, sweep->context, pci_op_digest,
                                           (pci_command){.out = sweep->digest});
    sweep->n = graph->n;
    for (int i = 0; i < 2; i++) {
        uint64_t seed = pci_scramble(sweep->digest[i] + options->n_vectors);
        sweep->limits[i] =
            options->modulus
                ? pci_checksum(of_residues, sizeof of_residues, seed)
                : pci_checksum(options->bits, (options->length + 1) * sizeof *options->bits, seed);
    }
    return status;
}

void pci_checkpoint_add(pci_sweep *sweep, const pci_start *start)
{
    const uint64_t words[] = {start->vector, start->vertex, start->value};
    for (int i = 0; i < 2 && sweep->cluster->checkpoint; i++)
        sweep->start_sums[i] += pci_checksum(words, sizeof words, (uint64_t)i);
}

pc_status pci_checkpoint_want(pci_sweep *sweep, bool *waits)
{
    for (int i = 0; i < 2 && sweep->wanted == 0; i++)
        sweep->key[i] = pci_scramble(sweep->limits[i] + pci_scramble(sweep->start_sums[i]));
    pc_status status = sweep->cluster->checkpoint->is_bound ? PC_OK : bind_question(sweep);
    *waits = status == PC_OK && find_state(sweep, sweep->wanted + 1, UINT64_MAX);
    return status;
}

pc_status pci_checkpoint_load(pci_sweep *sweep)
{
    const saved_state *state =
        sweep->at < sweep->wanted ? find_state(sweep, sweep->at + 1, sweep->wanted) : NULL;
    return state ? load(sweep, state) : PC_OK;
}

pc_status pci_checkpoint_step(pci_sweep *sweep)
{
    const pci_checkpoint *c = sweep->cluster->checkpoint;
    return pci_now_seconds() - c->saved_at >= c->seconds ? save(sweep) : PC_OK;
}

/* The state that is read is saved. */
pc_status pci_checkpoint_read(pci_sweep *sweep)
{
    pc_status status = PC_OK;
    if (sweep->at > 0 && !find_state(sweep, sweep->at, sweep->at))
        status = save(sweep);
    if (status == PC_OK && sweep->at > 0)
        find_state(sweep, sweep->at, sweep->at)->was_read = true;
    return status;
}

/* ---- The folder ------------------------------------------------------------------------------ */

void pci_checkpoint_free(pci_checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    if (checkpoint->folder >= 0)
        close(checkpoint->folder);
    free(checkpoint->states);
    free(checkpoint->path);
    free(checkpoint);
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

static pc_status open_folder(pc_context *context, pci_checkpoint *c, bool resumes)
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
    pc_status status = list_states(context, c);
    if (status == PC_OK && !resumes && c->n_states > 0)
        return pci_fail(context, PC_ERR_CREATE,
                        "%s has a checkpoint: --resume goes on from it; remove it to begin anew",
                        c->path);
    return status;
}

/* A NULL checkpoint: nothing is saved. */
static void use(pc_cluster *cluster, pci_checkpoint *checkpoint)
{
    pci_checkpoint_free(cluster->checkpoint);
    cluster->checkpoint = checkpoint;
    cluster->engine.sweeps = &cluster->sweeps[checkpoint != NULL];
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
    pc_status status = made && made->path ? open_folder(context, made, resumes)
                                          : pci_fail_memory(context, "a checkpoint", sizeof *made);
    if (status == PC_OK)
        use(cluster, made);
    else
        pci_checkpoint_free(made);
    return status;
}
