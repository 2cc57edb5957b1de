/* Runs one command line many times, each time with one fault in memory, and compares what it leaves:
 * exit status, standard output, files in the current folder. Loaded before the command (LD_PRELOAD),
 * which is compiled with -fsanitize-coverage=trace-pc: each basic block that begins is an event. So is each
 * call that takes or gives back memory; a command that is compiled without that option has only these.
 *
 * The command's main is entered once for each run, in a process made by fork(). The first run has no
 * fault: it records the events and gives the right answer. Half of the faults come at an event chosen
 * among all, the others at any event of a basic block chosen among all.
 *
 *   FAULTS_COUNT, FAULTS_FIRST   how many faults, and the number of the first one
 *   FAULTS_SEED                  with it and with the name of the flow a number determines its fault
 *   FAULTS_LOG                   the file that gets a line for each fault
 *   FAULTS_NAME                  the first column of that line
 *   FAULTS_WORK                  an empty folder for the results
 *   FAULTS_READERS               functions: when the last of them is left, the input was read
 *   FAULTS_EARLY                 percent of the faults that come before that */
#define _GNU_SOURCE
#include "faults.h"
#include "left.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_PROCESSES = 12,
    MOST_EVENTS = 1 << 22,
    STACK_FRAMES = 10,
    TIMEOUT_SECONDS = 4,
    PATIENCE_SECONDS = 120
};

typedef int (*main_fn)(int, char **, char **);

typedef struct shared_state {
    uint32_t n_processes;
    uint64_t n_events[MOST_PROCESSES], n_before_fork[MOST_PROCESSES];
    bool is_recording, is_hit;
    uint32_t process; /* where the fault comes */
    uint64_t event, random;
    uintptr_t pc, frames[STACK_FRAMES];
    fault_place place;
} shared_state;

static shared_state *shared;
static uintptr_t *trace; /* [MOST_PROCESSES][MOST_EVENTS] */
static bool is_running;  /* in a process of the command */
static uint32_t process;
static uint64_t n_events;
static pthread_t main_thread;
static uint64_t random_state;
uintptr_t fault_last_event;

/* ---- In the command -------------------------------------------------------------------------- */

__attribute__((noinline)) static void hit(uintptr_t pc, uintptr_t frame)
{
    shared->pc = pc;
    fault_call_stack(frame, shared->frames, STACK_FRAMES);
    uint64_t random = shared->random;
    fault_hit(&random, frame, &shared->place);
    shared->is_hit = true;
}

void fault_event(uintptr_t pc, uintptr_t frame)
{
    if (!is_running || pthread_self() != main_thread)
        return;
    uint64_t event = n_events++;
    if (shared->is_recording) {
        shared->n_events[process] = n_events;
        if (event < MOST_EVENTS)
            trace[(size_t)process * MOST_EVENTS + event] = pc;
    } else if (event == shared->event && process == shared->process)
        hit(pc, frame);
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (is_running && pthread_self() == main_thread)
        fault_last_event = (uintptr_t)__builtin_return_address(0);
    fault_event((uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0));
}

/* What one process does before it makes two is in the memory of both. */
static void note_fork(void)
{
    if (is_running && shared->is_recording && shared->n_before_fork[process] == 0)
        shared->n_before_fork[process] = n_events;
}

static void number_process(void)
{
    if (!is_running)
        return;
    process = __atomic_add_fetch(&shared->n_processes, 1, __ATOMIC_SEQ_CST);
    n_events = 0;
    random_state ^= process;
    if (process >= MOST_PROCESSES)
        is_running = false;
}

/* The same numbers and times in each run. */
ssize_t getrandom(void *bytes, size_t n, unsigned flags)
{
    if (!is_running)
        return syscall(SYS_getrandom, bytes, n, flags);
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)fault_random(&random_state);
    return (ssize_t)n;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!is_running)
        return (int)syscall(SYS_clock_gettime, clock, now);
    *now = (struct timespec){.tv_sec = 1700000000};
    return 0;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static int output_file, message_file;
static const char *work;

static main_fn command;
static int n_arguments;
static char **arguments, **environment;

__attribute__((noinline)) static int enter(void)
{
    static char *copies[64]; /* can be hit, too */
    fault_memory_begin((uintptr_t)__builtin_frame_address(0));
    for (int i = 0; i < n_arguments && i < 63; i++)
        copies[i] = strdup(arguments[i]);
    main_thread = pthread_self();
    is_running = true;
    return command(n_arguments, copies, environment);
}

static void limit(int resource, rlim_t most)
{
    struct rlimit r = {most, most};
    setrlimit(resource, &r);
}

static sigset_t child_ended;

static void be_command(void)
{
    sigprocmask(SIG_UNBLOCK, &child_ended, NULL);
    setpgid(0, 0);
    if (chdir(work) != 0)
        _exit(99);
    dup2(output_file, STDOUT_FILENO);
    dup2(message_file, STDERR_FILENO);
    limit(RLIMIT_AS, 3ul << 30);
    limit(RLIMIT_FSIZE, 64ul << 20);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, TIMEOUT_SECONDS);
    exit(enter());
}

static left run_once(void)
{
    if (ftruncate(output_file, 0) != 0 || ftruncate(message_file, 0) != 0)
        must(NULL);
    lseek(output_file, 0, SEEK_SET);
    lseek(message_file, 0, SEEK_SET);
    lseek(STDIN_FILENO, 0, SEEK_SET);
    shared->n_processes = 0;
    shared->is_hit = false;
    shared->place = (fault_place){0};
    pid_t child = fork();
    if (child == 0)
        be_command();
    if (child < 0)
        must(NULL);
    bool has_fault = shared->event != UINT64_MAX;
    struct timespec most = {.tv_sec = has_fault ? TIMEOUT_SECONDS : PATIENCE_SECONDS};
    int status = 0;
    bool is_hung = false;
    while (waitpid(child, &status, WNOHANG) == 0)
        if (sigtimedwait(&child_ended, NULL, &most) < 0 && errno == EAGAIN) {
            is_hung = true;
            kill(-child, SIGKILL);
        }
    kill(-child, SIGKILL); /* what it may have left running */
    return left_collect(status, is_hung, output_file, message_file, work);
}

/* ---- The choice of events -------------------------------------------------------------------- */

typedef struct timeline {
    uint32_t n_processes;
    uint64_t n_events[MOST_PROCESSES], n_read[MOST_PROCESSES]; /* events until the input was read */
} timeline;

static timeline line;

static bool is_reader(uintptr_t pc)
{
    static uintptr_t begins[32], ends[32];
    static int n = -1;
    if (n < 0) {
        char *names = strdup(getenv("FAULTS_READERS") ? getenv("FAULTS_READERS") : "");
        n = 0;
        for (char *name = strtok(names, " "); name && n < 32; name = strtok(NULL, " "))
            n += fault_function_range(name, &begins[n], &ends[n]);
    }
    for (int i = 0; i < n; i++)
        if (pc > begins[i] && pc <= ends[i])
            return true;
    return false;
}

static bool is_twice(void)
{
    for (int i = 1; i < n_arguments; i++)
        if (strcmp(arguments[i], "--twice") == 0)
            return true;
    return false;
}

static void find_timeline(void)
{
    line.n_processes = shared->n_processes + 1;
    if (line.n_processes > MOST_PROCESSES)
        line.n_processes = MOST_PROCESSES;
    for (uint32_t p = 0; p < line.n_processes; p++) {
        uint64_t n = shared->n_events[p];
        line.n_events[p] = n < MOST_EVENTS ? n : MOST_EVENTS;
        line.n_read[p] = 0;
        for (uint64_t e = 0; e < line.n_events[p]; e++)
            if (is_reader(trace[(size_t)p * MOST_EVENTS + e]))
                line.n_read[p] = e + 1;
        if (is_twice() && p == 0 && line.n_read[p] < shared->n_before_fork[p])
            line.n_read[p] = shared->n_before_fork[p];
    }
}

/* The basic blocks that begin after the input was read: of each the process, and where its events lie in
 * `order`, which has the events of each process sorted by their basic blocks. */
enum { MOST_PLACES = 1 << 16 };

static struct basic_block {
    uint32_t process;
    uint64_t first, n;
} places[MOST_PLACES];
static size_t n_places;
static uint32_t *order[MOST_PROCESSES];

static int compare(const void *a, const void *b, void *user)
{
    const uintptr_t *pcs = user;
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    if (pcs[one] != pcs[other])
        return pcs[one] > pcs[other] ? 1 : -1;
    return (one > other) - (one < other);
}

static void find_places_of(uint32_t p)
{
    uintptr_t *pcs = trace + (size_t)p * MOST_EVENTS;
    uint64_t n = line.n_events[p] - line.n_read[p];
    order[p] = must(malloc((n + 1) * sizeof *order[p]));
    for (uint64_t i = 0; i < n; i++)
        order[p][i] = (uint32_t)(line.n_read[p] + i);
    qsort_r(order[p], n, sizeof *order[p], compare, pcs);
    for (uint64_t i = 0, first = 0; i < n && n_places < MOST_PLACES; i++)
        if (i + 1 == n || pcs[order[p][i + 1]] != pcs[order[p][i]]) {
            places[n_places++] = (struct basic_block){p, first, i + 1 - first};
            first = i + 1;
        }
}

static void find_places(void)
{
    for (uint32_t p = 0; p < line.n_processes; p++)
        find_places_of(p);
}

/* Any event of a basic block. */
static void choose_at_place(uint64_t *random)
{
    const struct basic_block *b = &places[fault_random(random) % n_places];
    shared->process = b->process;
    shared->event = order[b->process][b->first + fault_random(random) % b->n];
}

static void choose_among_all(uint64_t *random, bool is_early)
{
    uint64_t total = 0;
    for (uint32_t p = 0; p < line.n_processes; p++)
        total += is_early ? line.n_read[p] : line.n_events[p] - line.n_read[p];
    uint64_t event = total > 0 ? fault_random(random) % total : 0;
    for (uint32_t p = 0; p < line.n_processes; p++) {
        uint64_t n = is_early ? line.n_read[p] : line.n_events[p] - line.n_read[p];
        if (event < n) {
            shared->process = p;
            shared->event = event + (is_early ? 0 : line.n_read[p]);
            return;
        }
        event -= n;
    }
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static bool choose(uint64_t number)
{
    uint64_t random = number_of("FAULTS_SEED", 1) * 0x9e3779b97f4a7c15u ^ number;
    for (const char *name = getenv("FAULTS_NAME"); *name; name++)
        random = 31 * random + (unsigned char)*name;
    fault_random(&random);
    bool is_early = fault_random(&random) % 100 < number_of("FAULTS_EARLY", 2);
    if (is_early || fault_random(&random) % 2 == 0)
        choose_among_all(&random, is_early);
    else
        choose_at_place(&random);
    shared->random = random;
    return is_early;
}

/* ---- The log --------------------------------------------------------------------------------- */

/* Writes an address as OBJECT+OFFSET; nothing for other objects than ours. */
static void log_address(FILE *log, uintptr_t pc, const char *before)
{
    Dl_info info;
    if (pc == 0 || !dladdr((void *)(pc - 1), &info))
        return;
    const char *name = strrchr(info.dli_fname, '/');
    name = name ? name + 1 : info.dli_fname;
    if (strstr(name, "pathcount") || strstr(name, "inject"))
        fprintf(log, "%s%s+%#lx", before, name, pc - 1 - (uintptr_t)info.dli_fbase);
}

static void log_addresses(FILE *log, const uintptr_t *pcs, int n)
{
    fputc('\t', log);
    for (int i = 0; i < n; i++)
        log_address(log, pcs[i], i > 0 ? " " : "");
}

static void log_fault(FILE *log, uint64_t number, bool is_early, const char *outcome,
                      const char *detail)
{
    const fault_place *place = &shared->place;
    fprintf(log, "%s\t%lu\t%s\t%s\t%s\t%u\t%lu\t", getenv("FAULTS_NAME"), number,
            is_early ? "early" : "late", outcome, detail, shared->process, shared->event);
    log_address(log, shared->pc, "");
    fprintf(log, "\t%s\t%s%u\t%lu/%lu\t%#lx>%#lx\t%s", place->region, place->kind, place->n_bytes,
            place->offset, place->block_bytes, place->before, place->after,
            place->name ? place->name : "-");
    log_addresses(log, place->owner, OWNER_FRAMES);
    log_addresses(log, shared->frames, STACK_FRAMES);
    fputc('\n', log);
    fflush(log); /* before the next fork */
}

/* ---- The server ------------------------------------------------------------------------------ */

static int open_scratch(const char *name)
{
    int file = memfd_create(name, MFD_CLOEXEC);
    if (file < 0)
        must(NULL);
    return file;
}

static void *share(size_t n)
{
    void *at = (void *)syscall(SYS_mmap, NULL, n, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
    return at != MAP_FAILED ? at : must(NULL);
}

static bool is_shown(void)
{
    const char *wish = getenv("FAULTS_SHOW");
    return wish && *wish;
}

/* What the command printed, and its files. */
static void show(const left *l)
{
    char messages[4096];
    ssize_t n = pread(message_file, messages, sizeof messages, 0);
    fprintf(stderr, "status %#x\n%.*s", l->status, (int)(n > 0 ? n : 0), messages);
    fwrite(l->bytes, 1, l->n_bytes, stderr);
}

static left record(void)
{
    shared->is_recording = true;
    shared->event = UINT64_MAX; /* no fault */
    left right = run_once();
    find_timeline();
    shared->is_recording = false;
    left again = run_once();
    char detail[64];
    if (strcmp(left_judge(&again, &right, detail), "harmless") != 0) {
        fprintf(stderr, "faults: %s: two runs without a fault differ: %s\n", getenv("FAULTS_NAME"),
                detail);
        _exit(2);
    }
    free(again.bytes);
    return right;
}

static int serve(int argc, char **argv, char **envp)
{
    n_arguments = argc;
    arguments = argv;
    environment = envp;
    work = getenv("FAULTS_WORK");
    FILE *log = must(fopen(getenv("FAULTS_LOG"), "ae"));
    output_file = open_scratch("output");
    message_file = open_scratch("messages");
    shared = share(sizeof *shared);
    trace = share((size_t)MOST_PROCESSES * MOST_EVENTS * sizeof *trace);
    fault_statics_find();
    pthread_atfork(note_fork, NULL, number_process);
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, NULL);
    left right = record();
    find_places();
    if (is_shown())
        fprintf(
            stderr,
            "%s: status %#x, %zu bytes, %u processes, events %lu (%lu to read), %zu places\n%.*s\n",
            getenv("FAULTS_NAME"), right.status, right.n_bytes, line.n_processes, line.n_events[0],
            line.n_read[0], n_places, (int)right.n_bytes, right.bytes);
    uint64_t first = number_of("FAULTS_FIRST", 0), count = number_of("FAULTS_COUNT", 100);
    for (uint64_t number = first; number < first + count; number++) {
        char detail[64];
        bool is_early = choose(number);
        left l = run_once();
        const char *outcome = left_judge(&l, &right, detail);
        /* Flows with many processes cannot be repeated, so what escaped is shown at once. */
        if (is_shown() || strcmp(outcome, "ESCAPED") == 0)
            show(&l);
        if (shared->is_hit)
            log_fault(log, number, is_early, outcome, detail);
        free(l.bytes);
    }
    fclose(log);
    _exit(0);
}

typedef int (*start_fn)(main_fn, int, char **, void (*)(void), void (*)(void), void (*)(void),
                        void *);

int __libc_start_main(main_fn main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(main_fn main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    start_fn start = (start_fn)dlsym(RTLD_NEXT, "__libc_start_main");
    command = main;
    return start(getenv("FAULTS_LOG") ? serve : main, argc, argv, init, fini, rtld_fini, stack_end);
}
