/* Runs every fuzz target over the inputs in CORPUS/NAME, where NAME is that of the target, and over the
 * empty input:  fuzz_replay CORPUS [NAME...]. Each input is run in a process of its own, so that all
 * failures are found; then, in another, what comes of it when it is cut anywhere, or when one byte is left out,
 * comes twice or is another one: all of that, or of a long input a part. The last line is "N passed, N failed, 0 skipped". */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, MOST_SECONDS = 60, MOST_SECONDS_OF_CHANGES = 600, MOST_LINES = 20 };

static int n_passed, n_failed;

static void judge(const fuzz_target *target, const char *what, bool passed)
{
    n_passed += passed;
    n_failed += !passed;
    if (!passed)
        printf("FAILED: %s: %s\n", target->name, what);
}

static uint8_t *read_whole(const char *path, size_t *size)
{
    struct stat info;
    uint8_t *data = NULL;
    int file = open(path, O_RDONLY);
    if (file >= 0 && fstat(file, &info) == 0 && (data = malloc((size_t)info.st_size + 1)) != NULL)
        *size = (size_t)info.st_size;
    if (!data || read(file, data, *size) != (ssize_t)*size) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
    close(file);
    return data;
}

/* What a target prints is shown when it fails. */
static void show(FILE *printed)
{
    char line[200];
    rewind(printed);
    for (int n = 0; n < MOST_LINES && fgets(line, sizeof line, printed); n++)
        printf("    %s", line);
}

typedef void (*runner)(const fuzz_target *target, const uint8_t *data, size_t size);

/* Whether a process of its own ends well. */
static bool passes(runner run, const fuzz_target *target, const uint8_t *data, size_t size)
{
    int status = 1;
    FILE *printed = tmpfile();
    fflush(NULL);
    pid_t child = printed ? fork() : -1;
    if (child == 0) {
        dup2(fileno(printed), STDOUT_FILENO);
        dup2(fileno(printed), STDERR_FILENO);
        alarm(run == fuzz_run ? MOST_SECONDS : MOST_SECONDS_OF_CHANGES);
        run(target, data, size);
        _exit(0);
    }
    bool is_good = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    if (!is_good && printed)
        show(printed);
    if (printed)
        fclose(printed);
    return is_good;
}

/* ---- Changes of an input --------------------------------------------------------------------- */

static const char others[] = "\n\r\t \"#%,;[]<>/0-+a\xff"; /* and NUL */
/* 23 kinds, a prime number: each step comes to all of them. */
enum { N_OTHERS = sizeof others, N_KINDS = N_OTHERS + 3, MOST_CHANGES = 2500 };
_Static_assert(N_KINDS == 23, "");

static atomic_size_t *n_tried; /* shared with the process that tries them */

/* Changes byte `at` of data[size] in one way; data has room for one more. Returns the new size. */
static size_t change(uint8_t *data, size_t size, size_t at, int kind)
{
    if (kind < N_OTHERS) {
        data[at] = (uint8_t)others[kind];
        return size;
    }
    if (kind == N_OTHERS)
        return at;
    bool is_left_out = kind == N_OTHERS + 1;
    memmove(data + at + !is_left_out, data + at + is_left_out, size - at - is_left_out);
    return is_left_out ? size - 1 : size + 1;
}

static void run_changes(const fuzz_target *target, const uint8_t *data, size_t size)
{
    uint8_t *changed = malloc(size + 1);
    size_t step = size * N_KINDS / MOST_CHANGES + 1;
    for (size_t n = 0; changed && n < size * N_KINDS; n += step) {
        atomic_store(n_tried, n);
        memcpy(changed, data, size);
        fuzz_run(target, changed, change(changed, size, n / N_KINDS, (int)(n % N_KINDS)));
    }
    free(changed);
}

static void judge_changes(const fuzz_target *target, const char *path, const uint8_t *data,
                          size_t size)
{
    char what[3 * PATH_BYTES];
    bool passed = passes(run_changes, target, data, size);
    snprintf(what, sizeof what, "%s: byte %zu changed, kind %zu", path,
             atomic_load(n_tried) / N_KINDS, atomic_load(n_tried) % N_KINDS);
    judge(target, what, passed);
}

/* ---- Corpora --------------------------------------------------------------------------------- */

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void replay(const fuzz_target *target, const char *corpus)
{
    char folder[PATH_BYTES], path[2 * PATH_BYTES];
    struct dirent **entries;
    snprintf(folder, sizeof folder, "%s/%s", corpus, target->name);
    judge(target, "the empty input", passes(fuzz_run, target, NULL, 0));
    int n = scandir(folder, &entries, is_input, alphasort);
    judge(target, "there is no corpus", n > 0);
    for (int i = 0; i < n; i++) {
        size_t size = 0;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        uint8_t *data = read_whole(path, &size);
        judge(target, path, passes(fuzz_run, target, data, size));
        judge_changes(target, path, data, size);
        free(data);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

static bool is_wanted(const fuzz_target *target, int n, char **names)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], target->name) == 0)
            return true;
    return n == 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s CORPUS [NAME...]\n", argv[0]);
        return 2;
    }
    n_tried =
        mmap(NULL, sizeof *n_tried, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (n_tried == MAP_FAILED)
        return 2;
    for (const fuzz_target *target = fuzz_targets; target; target = target->next)
        if (is_wanted(target, argc - 2, argv + 2))
            replay(target, argv[1]);
    printf("%d passed, %d failed, 0 skipped\n", n_passed, n_failed);
    return n_failed > 0 || n_passed == 0;
}
