/* Joins shards. The manifests are read and compared first; then the results are brought together, each after its
 * digest was compared; the manifest is the last file that appears. So a merge that was interrupted can be done again. */
#define _GNU_SOURCE /* asprintf, TEMP_FAILURE_RETRY */
#include "src/cli/batch/merge.h"

#include "pathcount_io.h"
#include "src/cli/batch/manifest.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 16 };

typedef struct part {
    const char *folder;
    char *path; /* of its manifest */
    cli_shard shard;
} part;

typedef struct merge {
    const cli_batch_options *options;
    part *part; /* [n_parts] */
    size_t n_parts;
    json_t **line; /* [n_jobs] the last one of each job; NULL: there is none */
    size_t n_jobs;
    size_t n_failed;
    pc_context *context;
} merge;

/* ---- Manifests ------------------------------------------------------------------------------- */

static int fail_other_list(const part *one, const part *other)
{
    bool same_number = one->shard.n_shards == other->shard.n_shards;
    return cli_fail(CLI_BAD_DATA,
                    "'%s' and '%s' are shards of different %s: join those that were run with the "
                    "same datasets, options and number of shards",
                    one->path, other->path,
                    same_number ? "lists of datasets, or of different options"
                                : "numbers of shards");
}

/* Holds the shard of the last part against those before. */
static int check_part(const merge *all)
{
    const part *last = &all->part[all->n_parts - 1], *first = all->part;
    if (last->shard.n_shards != first->shard.n_shards ||
        last->shard.n_jobs != first->shard.n_jobs ||
        strcmp(last->shard.digest, first->shard.digest) != 0)
        return fail_other_list(first, last);
    for (const part *other = first; other < last; other++)
        if (other->shard.shard == last->shard.shard)
            return cli_fail(CLI_BAD_DATA, "shard %u of %u is there twice: '%s' and '%s'",
                            last->shard.shard, last->shard.n_shards, other->path, last->path);
    return CLI_DONE;
}

/* Takes a line of a job; one that is torn, or no line of a job, is passed over. */
static int take_line(merge *all, const part *from, const char *text, size_t n_bytes)
{
    json_t *line = json_loadb(text, n_bytes, 0, NULL);
    const json_t *number = json_object_get(line, CLI_JOB_NUMBER);
    json_int_t j = json_integer_value(number);
    if (!json_is_integer(number)) {
        json_decref(line);
        return CLI_DONE;
    }
    if (j < 0 || (size_t)j >= all->n_jobs ||
        (size_t)j % from->shard.n_shards != from->shard.shard - 1) {
        json_decref(line);
        return cli_fail(CLI_BAD_DATA,
                        "'%s': job number %" JSON_INTEGER_FORMAT
                        " is none of this shard: the file is damaged",
                        from->path, j);
    }
    json_object_del(line, CLI_JOB_NUMBER);
    json_decref(all->line[j]);
    all->line[j] = line;
    return CLI_DONE;
}

static int take_lines(merge *all, const part *from, FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    int code = CLI_DONE;
    while (code == CLI_DONE && (n = getline(&line, &size, file)) > 0)
        code = take_line(all, from, line, (size_t)n);
    free(line);
    if (code == CLI_DONE && !feof(file))
        code = cli_fail(CLI_IO, "cannot read '%s': %s", from->path, strerror(errno));
    return code;
}

/* Reads the first line, which says what shard it is. */
static int take_head(part *of, FILE *file)
{
    char *text = NULL;
    size_t size = 0;
    ssize_t n;
    while (of->shard.n_shards == 0 && (n = getline(&text, &size, file)) > 0) {
        json_t *line = json_loadb(text, (size_t)n, 0, NULL);
        of->shard = cli_shard_of_line(line);
        json_decref(line);
    }
    free(text);
    if (of->shard.n_shards == 0)
        return cli_fail(CLI_BAD_DATA,
                        "'%s' does not say of which shard it is: it is damaged, or the shard was "
                        "stopped before it began; run that shard again",
                        of->path);
    return CLI_DONE;
}

/* Whether a batch is writing to it. */
static bool is_locked(FILE *file)
{
    struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return fcntl(fileno(file), F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

static int read_manifest(merge *all, part *of, FILE *file)
{
    if (is_locked(file))
        return cli_fail(CLI_NO_CREATE, "another batch is writing to '%s': wait for it", of->path);
    int code = take_head(of, file);
    if (code == CLI_DONE)
        code = check_part(all);
    if (code == CLI_DONE && all->line == NULL) {
        all->line = calloc(of->shard.n_jobs, sizeof(json_t *));
        all->n_jobs = of->shard.n_jobs;
        code = all->line != NULL ? CLI_DONE : cli_fail_for_memory();
    }
    return code == CLI_DONE ? take_lines(all, of, file) : code;
}

static int add_part(merge *all, const char *folder, const char *name)
{
    part *grown = realloc(all->part, (all->n_parts + 1) * sizeof *grown);
    if (grown == NULL)
        return cli_fail_for_memory();
    all->part = grown;
    part *added = &all->part[all->n_parts];
    *added = (part){.folder = folder};
    if (asprintf(&added->path, "%s/%s", folder, name) < 0)
        return cli_fail_for_memory();
    all->n_parts++;
    FILE *file = fopen(added->path, "re");
    if (file == NULL)
        return cli_fail(CLI_NO_INPUT, "cannot open '%s': %s", added->path, strerror(errno));
    int code = read_manifest(all, added, file);
    fclose(file);
    return code;
}

static int add_folder(merge *all, const char *folder)
{
    struct dirent **entry;
    unsigned shard, n_shards;
    size_t n_before = all->n_parts;
    int code = CLI_DONE, n = scandir(folder, &entry, NULL, alphasort);
    if (n < 0)
        return cli_fail(CLI_NO_INPUT, "cannot open '%s': %s", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        if (code == CLI_DONE && cli_manifest_is_of_shard(entry[i]->d_name, &shard, &n_shards))
            code = add_part(all, folder, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    if (code == CLI_DONE && all->n_parts == n_before)
        code = cli_fail(CLI_NO_INPUT,
                        "'%s' holds no manifest of a shard, such as manifest.1-of-5.jsonl", folder);
    return code;
}

/* The part of a shard, from 1 on; NULL: there is none. */
static const part *find_part(const merge *all, unsigned shard)
{
    for (size_t p = 0; p < all->n_parts; p++)
        if (all->part[p].shard.shard == shard)
            return &all->part[p];
    return NULL;
}

static int check_complete(const merge *all)
{
    unsigned n_shards = all->part[0].shard.n_shards;
    for (unsigned shard = 1; shard <= n_shards; shard++) {
        const part *of = find_part(all, shard);
        if (of == NULL)
            return cli_fail(CLI_NO_INPUT,
                            "shard %u of %u is missing: none of the folders holds "
                            "manifest.%u-of-%u.jsonl (%zu of them are there)",
                            shard, n_shards, shard, n_shards, all->n_parts);
        size_t n_left = 0;
        for (size_t j = shard - 1; j < all->n_jobs; j += n_shards)
            n_left += all->line[j] == NULL;
        if (n_left > 0)
            return cli_fail(CLI_BAD_DATA,
                            "shard %u of %u is not complete: '%s' lacks %zu job%s; run it again "
                            "with --resume",
                            shard, n_shards, of->path, n_left, n_left == 1 ? "" : "s");
    }
    return CLI_DONE;
}

/* ---- Results --------------------------------------------------------------------------------- */

static bool is_same_file(const char *path, const char *other)
{
    struct stat one, two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

static int fail_to_read(const char *path)
{
    return cli_fail(CLI_IO, "cannot read '%s': %s", path, strerror(errno));
}

static int write_copy(const merge *all, int file, const char *from, pc_output *output)
{
    static char piece[PIECE_BYTES];
    pc_status status = PC_OK;
    ssize_t n;
    while (status == PC_OK && (n = TEMP_FAILURE_RETRY(read(file, piece, sizeof piece))) > 0)
        status = pc_output_write(output, piece, (size_t)n);
    if (status == PC_OK && n < 0) {
        pc_output_free(output);
        return fail_to_read(from);
    }
    if (status == PC_OK)
        status = pc_output_commit(output);
    else
        pc_output_free(output);
    return status == PC_OK ? CLI_DONE : cli_fail_status(all->context, status);
}

static int copy(const merge *all, const char *from, const char *to)
{
    pc_output *output;
    int file = open(from, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail_to_read(from);
    pc_status status = pc_output_open(all->context, to, &output);
    int code = status == PC_OK ? write_copy(all, file, from, output)
                               : cli_fail_status(all->context, status);
    close(file);
    return code;
}

/* Brings a file whose digest is known, or "" when it is not, to the folder of the merge. A link costs no room, and
 * stays what it is, because no file of a batch is changed in place. */
static int bring_to(const merge *all, const char *from, const char *to, const char *expected)
{
    char digest[CLI_DIGEST_SIZE], there[CLI_DIGEST_SIZE];
    if (!cli_digest_file(from, digest, NULL))
        return fail_to_read(from);
    if (*expected != '\0' && strcmp(digest, expected) != 0)
        return cli_fail(CLI_BAD_DATA,
                        "'%s' is not as its manifest says: it was changed or is damaged; run its "
                        "shard again with --resume",
                        from);
    if (is_same_file(from, to) || link(from, to) == 0)
        return CLI_DONE;
    if (errno != EEXIST)
        return copy(all, from, to);
    return cli_digest_file(to, there, NULL) && strcmp(there, digest) == 0
               ? CLI_DONE
               : cli_fail(CLI_NO_CREATE,
                          "'%s' is there already, and is not '%s': choose another --out", to, from);
}

static int bring(const merge *all, const part *of, const char *name, const char *expected)
{
    char *from = NULL, *to = NULL;
    int code;
    if (strchr(name, '/') != NULL)
        return cli_fail(CLI_BAD_DATA, "'%s': \"%s\" is no name of a result: the file is damaged",
                        of->path, name);
    if (asprintf(&from, "%s/%s", of->folder, name) < 0)
        return cli_fail_for_memory();
    code = asprintf(&to, "%s/%s", all->options->folder, name) >= 0
               ? bring_to(all, from, to, expected)
               : cli_fail_for_memory();
    free(from);
    free(to);
    return code;
}

static int bring_result(merge *all, size_t j)
{
    const json_t *line = all->line[j];
    const part *of = find_part(all, (unsigned)(j % all->part[0].shard.n_shards) + 1);
    const char *result = json_string_value(json_object_get(line, "result"));
    const char *digest = json_string_value(json_object_get(line, "result_sha256"));
    const char *labels = json_string_value(json_object_get(line, "labels"));
    bool is_done = json_integer_value(json_object_get(line, "exit")) == 0;
    if (!is_done || result == NULL || digest == NULL) {
        all->n_failed++;
        return CLI_DONE;
    }
    int code = bring(all, of, result, digest);
    return code == CLI_DONE && labels != NULL ? bring(all, of, labels, "") : code;
}

/* ---- The joined manifest --------------------------------------------------------------------- */

static pc_status write_line(const merge *all, pc_output *output, size_t j)
{
    char *text = cli_manifest_text(all->line[j]);
    if (text == NULL)
        return pc_context_fail(all->context, PC_ERR_MEMORY, "no memory for the manifest");
    pc_status status = pc_output_write(output, text, strlen(text));
    free(text);
    return status == PC_OK ? pc_output_write(output, "\n", 1) : status;
}

static int write_manifest(const merge *all, const char *path)
{
    pc_output *output = NULL;
    pc_status status = pc_output_open(all->context, path, &output);
    for (size_t j = 0; j < all->n_jobs && status == PC_OK; j++)
        status = write_line(all, output, j);
    if (status == PC_OK)
        status = pc_output_commit(output);
    else
        pc_output_free(output);
    return status == PC_OK ? CLI_DONE : cli_fail_status(all->context, status);
}

static int join_parts(merge *all, const char *path)
{
    int code = CLI_DONE;
    if (access(path, F_OK) == 0)
        return cli_fail(CLI_USAGE,
                        "'%s' is there already: remove it to join the shards again, or "
                        "choose another --out",
                        path);
    for (size_t j = 0; j < all->n_jobs && code == CLI_DONE; j++)
        code = bring_result(all, j);
    return code == CLI_DONE ? write_manifest(all, path) : code;
}

static int join(merge *all)
{
    const char *folder = all->options->folder;
    char *path = NULL;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cli_fail(CLI_NO_CREATE, "cannot create '%s': %s%s", folder, strerror(errno),
                        errno == ENOENT ? ": make the folder around it first" : "");
    if (asprintf(&path, "%s/%s", folder, "manifest.jsonl") < 0)
        return cli_fail_for_memory();
    int code = join_parts(all, path);
    free(path);
    return code;
}

static void print_summary(const merge *all)
{
    if (!all->options->count.running.is_quiet)
        fprintf(stderr, "%zu shard%s, %zu job%s: %zu done, %zu failed\n", all->n_parts,
                all->n_parts == 1 ? "" : "s", all->n_jobs, all->n_jobs == 1 ? "" : "s",
                all->n_jobs - all->n_failed, all->n_failed);
    for (size_t j = 0; j < all->n_jobs; j++) {
        const char *input = json_string_value(json_object_get(all->line[j], "input"));
        const char *message = json_string_value(json_object_get(all->line[j], "message"));
        if (input != NULL && message != NULL &&
            json_integer_value(json_object_get(all->line[j], "exit")) != 0)
            cli_print_failure(input, NULL, message);
    }
}

static void free_merge(merge *all)
{
    for (size_t p = 0; p < all->n_parts; p++)
        free(all->part[p].path);
    for (size_t j = 0; j < all->n_jobs && all->line != NULL; j++)
        json_decref(all->line[j]);
    free(all->part);
    free(all->line);
    pc_context_free(all->context);
}

int cli_shards_merge(const cli_batch_options *options)
{
    merge all = {.options = options};
    int code = pc_context_create(&all.context) == PC_OK ? CLI_DONE : cli_fail_for_memory();
    if (code == CLI_DONE)
        pc_context_set_sync(all.context, !options->count.running.no_sync);
    for (size_t i = 0; i < options->n_paths && code == CLI_DONE; i++)
        code = add_folder(&all, options->paths[i]);
    if (options->n_paths == 0 && code == CLI_DONE)
        code = add_folder(&all, options->folder);
    if (code == CLI_DONE)
        code = check_complete(&all);
    if (code == CLI_DONE)
        code = join(&all);
    if (code == CLI_DONE)
        print_summary(&all);
    if (code == CLI_DONE && all.n_failed > 0)
        code = CLI_SOME_FAILED;
    free_merge(&all);
    return code;
}
