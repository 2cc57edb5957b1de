/* Everything that a run of the command asks the system for fails, one request after the other:
 *
 *   failures [OPTION...] PROGRAM PRELOAD FLOWS FOLDER [NAME...]
 *
 * PRELOAD is what tests/fakes/fake_memory.c makes, FLOWS a file with a command a line ("name: words"), FOLDER
 * an empty folder that has the inputs in FOLDER/in. Of each flow, or of those named, an undisturbed run
 * counts the requests for memory and the calls of the system. Then each fails in a run of its own, alone
 * and with all that follow. Requests that come from the same calls of functions, up to main, fail once in
 * all flows together; with -a at each position. How a program starts is tried with the first flow: of the
 * others, calls of the system up to where they differ from the first do not fail. What libraries and
 * processes that draw ask for is tried by each DRAWING_STEP-th position.
 *
 *   -j N    flows at once        -e N  only each N-th position
 *   -a      all positions        -m, -c  memory only, calls only
 *   -k N    instead, SIGKILL ends N runs of each flow that writes files: half of them at random times, half
 *           before a random call; the seed of the moments is 1, or that of -s
 *   -o WHAT one run: memory:POSITION:once, calls:POSITION:ever:EIO:read; the streams stay in FOLDER
 *
 * The last line sums up. Exits 1 when a run ended in another way than it should. */
#include "tests/failures/trial.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_FLOWS = 256,
    PATH_BYTES = 4096,
    N_SLOTS = 1 << 20,
    LINE_BYTES = 4096,
    SHOWN = 12,
    DRAWING_STEP = 8
};

typedef struct sums {
    unsigned long n_requests, n_calls, n_runs;
    unsigned long n[N_VERDICTS];
} sums;

typedef struct campaign {
    const char *program, *preload, *folder;
    int n_jobs, every, n_kills;
    unsigned seed;
    bool takes_all, without_memory, without_calls;
    int n_flows;
    flow flow[MOST_FLOWS];
    sums *sums;                  /* of each flow, shared by the processes */
    atomic_uint_least64_t *seen; /* [N_SLOTS] stacks of callers, shared too; 0: free */
    call_log first_calls;        /* of the first flow */
} campaign;

static void *share(size_t bytes, const char *path)
{
    int file = path != NULL ? open(path, O_RDWR | O_CREAT, 0666) : -1;
    if (path != NULL && (file < 0 || ftruncate(file, (off_t)bytes) != 0))
        err(2, "%s", path);
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | (path == NULL ? MAP_ANONYMOUS : 0), file, 0);
    if (shared == MAP_FAILED)
        err(2, "mmap");
    return shared;
}

/* ---- Flows ----------------------------------------------------------------------------------- */

static bool parse_flow(char *line, flow *f)
{
    *f = (flow){0};
    line[strcspn(line, "\n")] = '\0';
    char *colon = strstr(line, ": ");
    if (line[0] == '#' || colon == NULL)
        return false;
    *colon = '\0';
    f->is_variable = line[0] == '~';
    f->is_foreign = line[0] == '!';
    f->name = strdup(line + strspn(line, "~!"));
    int n = 0;
    for (char *word = strtok(colon + 1, " "); word != NULL; word = strtok(NULL, " ")) {
        if (n == FLOW_WORDS)
            errx(2, "%s: too many words", f->name);
        f->draws |= strcmp(word, "--plot") == 0 || strcmp(word, "--report") == 0;
        f->word[n++] = strdup(word);
    }
    return true;
}

static bool is_chosen(const char *name, char **names)
{
    for (char **n = names; *n != NULL; n++)
        if (strcmp(*n, name) == 0)
            return true;
    return *names == NULL;
}

static void read_flows(campaign *c, const char *path, char **names)
{
    char line[LINE_BYTES];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        err(2, "%s", path);
    while (c->n_flows < MOST_FLOWS && fgets(line, sizeof line, file) != NULL)
        if (parse_flow(line, &c->flow[c->n_flows]) && is_chosen(c->flow[c->n_flows].name, names))
            c->n_flows++;
    fclose(file);
}

/* ---- One flow -------------------------------------------------------------------------------- */

static const char *how_text(int how)
{
    return how == CALL_SHORT ? "SHORT" : strerrorname_np(how);
}

static void print_wrong(const trial *t, const failure *what, verdict v)
{
    printf("    %s -o %s:%lu:%s", t->flow->name, what->is_memory ? "memory" : "calls",
           what->position, what->for_ever ? "ever" : "once");
    if (what->is_memory)
        printf(" (%s)", t->table->request[what->position - 1].object);
    else
        printf(":%s:%s", how_text(what->how), call_kinds[what->kind].name);
    printf(": %s: %s\n", verdict_names[v], t->note);
}

static void try_one(trial *t, const failure *what, sums *s)
{
    verdict v = trial_run(t, what);
    s->n_runs++;
    if (v > FOREIGN && s->n[v] < SHOWN)
        print_wrong(t, what, v);
    s->n[v]++;
}

/* Whether no flow has seen these callers. The table is shared by the processes, and larger than all that
 * goes into it. */
static bool is_new_stack(const campaign *c, uint64_t stack)
{
    for (uint64_t slot = stack % N_SLOTS;; slot = (slot + 1) % N_SLOTS) {
        uint64_t before = 0;
        if (atomic_compare_exchange_strong(&c->seen[slot], &before, stack))
            return true;
        if (before == stack)
            return false;
    }
}

static int n_same_calls(const campaign *c, const trial *t, int n)
{
    int same = 0;
    while (same < n && same < c->first_calls.n &&
           c->first_calls.call[same].number == t->log->call[same].number)
        same++;
    return same;
}

static void fail_requests(const campaign *c, trial *t, sums *s)
{
    unsigned long n = trial_count_requests(t);
    if (n > REQUESTS_MOST)
        errx(2, "%s: too many requests", t->flow->name);
    for (unsigned long p = 1; p <= n; p++) {
        const request *r = &t->table->request[p - 1];
        if (t->flow->draws && p % DRAWING_STEP != 0 && trial_is_foreign(r->object))
            continue;
        if (!c->takes_all && !is_new_stack(c, r->stack))
            continue;
        s->n_requests++;
        if (s->n_requests % (unsigned)c->every != 0)
            continue;
        try_one(t, &(failure){.is_memory = true, .position = p}, s);
        try_one(t, &(failure){.is_memory = true, .position = p, .for_ever = true}, s);
    }
}

/* EINTR for ever is no failure. Errors of one kind of call take the same way, so for ever one is enough. */
static bool is_lasting(int kind, int how)
{
    return how == CALL_SHORT || (how != EINTR && how == call_kinds[kind].failures[0]);
}

/* The log is written again by each run, with the same calls up to the one that fails. */
static void fail_calls(const campaign *c, trial *t, sums *s)
{
    int n = trial_count_calls(t);
    call *calls = calloc((size_t)n + 1, sizeof *calls);
    memcpy(calls, t->log->call, (size_t)n * sizeof *calls);
    for (int p = n_same_calls(c, t, n) + 1; p <= n; p++) {
        int kind = calls[p - 1].kind;
        if (t->flow->draws && p % DRAWING_STEP != 0 && calls[p - 1].is_forked)
            continue;
        s->n_calls++;
        if (s->n_calls % (unsigned)c->every != 0)
            continue;
        for (const int *how = call_kinds[kind].failures; *how != 0; how++) {
            failure what = {.position = (unsigned long)p, .kind = kind, .how = *how};
            try_one(t, &what, s);
            what.for_ever = true;
            if (is_lasting(kind, *how))
                try_one(t, &what, s);
        }
    }
    free(calls);
}

static void print_kill(const trial *t, const failure *what, long microseconds, verdict v)
{
    if (what->position > 0)
        printf("    %s: killed before call %lu: ", t->flow->name, what->position);
    else
        printf("    %s: killed after %ld us: ", t->flow->name, microseconds);
    printf("%s: %s\n", verdict_names[v], t->note);
}

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Times are taken up to a little after the end of an undisturbed run. */
static void kill_runs(const campaign *c, trial *t, sums *s)
{
    double start_seconds = now_seconds();
    trial_count_requests(t);
    double most = 1.3e6 * (now_seconds() - start_seconds);
    int n_calls = trial_count_calls(t);
    short *kind = calloc((size_t)n_calls + 1, sizeof *kind);
    for (int p = 0; p < n_calls; p++)
        kind[p] = t->log->call[p].kind;
    srandom(c->seed);
    for (int k = 0; t->results.n > 0 && k < c->n_kills; k++) {
        double share = (double)random() / ((double)RAND_MAX + 1);
        failure what = {.how = CALL_KILL};
        long microseconds = (long)(share * most);
        if (k % 2 == 1 && n_calls > 0) {
            what.position = (unsigned long)(share * n_calls) + 1;
            what.kind = kind[what.position - 1];
        }
        verdict v = trial_kill(t, &what, microseconds);
        s->n_runs++;
        if (v >= FOREIGN && s->n[v] < SHOWN)
            print_kill(t, &what, microseconds, v);
        s->n[v]++;
    }
    free(kind);
}

static void make_trial(const campaign *c, const flow *f, trial *t)
{
    static char folder[PATH_BYTES];
    char path[PATH_BYTES + 16];
    snprintf(folder, sizeof folder, "%s/%s", c->folder, f->name);
    snprintf(path, sizeof path, "%s/work", folder);
    mkdir(folder, 0777);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/table", folder);
    *t = (trial){.flow = f,
                 .program = c->program,
                 .preload = c->preload,
                 .folder = folder,
                 .table = share(sizeof(request_table), path),
                 .log = calloc(1, sizeof(call_log))};
}

static void print_row(const char *name, const sums *s)
{
    printf("%-22s %8lu %6lu %7lu %8lu %8lu", name, s->n_requests, s->n_calls, s->n_runs,
           s->n[REFUSED], s->n[HARMLESS]);
    for (int v = CLEANED; v < N_VERDICTS; v++)
        printf(" %7lu", s->n[v]);
    printf("\n");
    fflush(stdout);
}

/* In a process of its own: 0 unless something went wrong. */
static int try_flow(campaign *c, int index)
{
    trial t;
    sums *s = &c->sums[index];
    make_trial(c, &c->flow[index], &t);
    if (!trial_prepare(&t)) {
        printf("    %s: %s\n", t.flow->name, t.note);
        s->n[WRONG_STATUS]++;
    } else if (c->n_kills > 0) {
        kill_runs(c, &t, s);
    } else {
        if (!c->without_memory)
            fail_requests(c, &t, s);
        if (!c->without_calls)
            fail_calls(c, &t, s);
    }
    if (s->n_runs > 0)
        print_row(t.flow->name, s);
    trial_free(&t);
    return 0;
}

/* ---- All flows ------------------------------------------------------------------------------- */

static int start_flow(campaign *c, int index)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        err(2, "fork");
    if (child == 0) {
        if (index == 0)
            c->first_calls.n = 0;
        exit(try_flow(c, index));
    }
    return 1;
}

/* What the first flow does is what the others are compared with. */
static void note_first(campaign *c)
{
    trial t;
    make_trial(c, &c->flow[0], &t);
    if (!trial_prepare(&t))
        errx(2, "%s: %s", t.flow->name, t.note);
    trial_count_calls(&t);
    c->first_calls = *t.log;
    trial_free(&t);
}

static void add_sums(sums *all, const sums *s)
{
    all->n_requests += s->n_requests;
    all->n_calls += s->n_calls;
    all->n_runs += s->n_runs;
    for (int v = 0; v < N_VERDICTS; v++)
        all->n[v] += s->n[v];
}

static int run_all(campaign *c)
{
    sums all = {0};
    int n_running = 0, status, n_ended_badly = 0;
    for (int f = 0; f < c->n_flows; f++) {
        n_running += start_flow(c, f);
        if (n_running == c->n_jobs && wait(&status) > 0) {
            n_running--;
            n_ended_badly += status != 0;
        }
    }
    while (wait(&status) > 0)
        n_ended_badly += status != 0;
    for (int f = 0; f < c->n_flows; f++)
        add_sums(&all, &c->sums[f]);
    print_row("all", &all);
    unsigned long n_bad =
        all.n_runs - all.n[REFUSED] - all.n[HARMLESS] - all.n[CLEANED] - all.n[FOREIGN];
    printf(
        "%d flows, %lu requests for memory and %lu calls, %lu runs: %lu refused, %lu harmless, %lu "
        "foreign, %lu wrong\n",
        c->n_flows, all.n_requests, all.n_calls, all.n_runs, all.n[REFUSED] + all.n[CLEANED],
        all.n[HARMLESS], all.n[FOREIGN], n_bad);
    return n_bad + all.n[WRONG_STATUS] > 0 || n_ended_badly > 0 || c->n_flows == 0;
}

static int run_one(const campaign *c, const char *text)
{
    char kind[16], ever[16], how[16] = "", call[16] = "";
    failure what = {0};
    trial t;
    int n =
        sscanf(text, "%15[a-z]:%lu:%15[a-z]:%15[A-Z]:%15s", kind, &what.position, ever, how, call);
    if (n < 3 || c->n_flows != 1)
        errx(2, "%s: give KIND:POSITION:once or ever, and the name of one flow", text);
    what.is_memory = strcmp(kind, "memory") == 0;
    what.for_ever = strcmp(ever, "ever") == 0;
    what.how = CALL_SHORT;
    while (call_kinds[what.kind].name != NULL && strcmp(call_kinds[what.kind].name, call) != 0)
        what.kind++;
    for (int e = 1; e < 134; e++)
        if (strerrorname_np(e) && strcmp(strerrorname_np(e), how) == 0)
            what.how = e;
    make_trial(c, &c->flow[0], &t);
    if (!trial_prepare(&t))
        errx(2, "%s: %s", t.flow->name, t.note);
    verdict v = trial_run(&t, &what);
    printf("%s: %s; see %s\n", verdict_names[v], t.note, t.folder);
    return v > FOREIGN;
}

int main(int argc, char **argv)
{
    static campaign c = {.n_jobs = 1, .every = 1, .seed = 1};
    const char *one = NULL;
    for (int option; (option = getopt(argc, argv, "aj:e:mco:k:s:")) != -1;)
        switch (option) {
        case 'j':
            c.n_jobs = atoi(optarg);
            break;
        case 'e':
            c.every = atoi(optarg);
            break;
        case 'm':
            c.without_calls = true;
            break;
        case 'c':
            c.without_memory = true;
            break;
        case 'a':
            c.takes_all = true;
            break;
        case 'k':
            c.n_kills = atoi(optarg);
            break;
        case 's':
            c.seed = (unsigned)atoi(optarg);
            break;
        case 'o':
            one = optarg;
            break;
        default:
            return 2;
        }
    if (argc - optind < 4)
        errx(2, "give PROGRAM PRELOAD FLOWS FOLDER");
    c.program = argv[optind];
    c.preload = argv[optind + 1];
    c.folder = argv[optind + 3];
    read_flows(&c, argv[optind + 2], argv + optind + 4);
    c.seen = share(N_SLOTS * sizeof *c.seen, NULL);
    c.sums = share(MOST_FLOWS * sizeof *c.sums, NULL);
    if (one != NULL)
        return run_one(&c, one);
    printf("%-22s %8s %6s %7s %8s %8s %7s %7s %7s %7s %7s %7s %7s %7s\n", "flow", "requests",
           "calls", "runs", "refused", "harmless", "cleaned", "foreign", "crashed", "hung",
           "status", "silent", "bytes", "left");
    if (c.n_flows > 1 && c.n_kills == 0)
        note_first(&c);
    return run_all(&c);
}
