/* The folder of a trial has the folder work, where the command runs, and its stdout and stderr. Before a
 * run each file that the command is to make is there already, with other bytes. */
#include "tests/failures/trial.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, SECONDS = 60, NUMBER_BYTES = 24 };

static const char OLD[] = "old\n", MANIFEST[] = "out/manifest.jsonl", REPORT[] = "out/report.html";

const char *const verdict_names[N_VERDICTS] = {
    "refused", "harmless",     "cleaned",    "foreign",     "crashed",
    "hung",    "wrong status", "no message", "wrong bytes", "left behind"};

/* ---- Running --------------------------------------------------------------------------------- */

static volatile sig_atomic_t running; /* the process group of the run */
static volatile sig_atomic_t is_late;

static void on_alarm(int signal)
{
    (void)signal;
    is_late = 1;
    if (running > 0)
        kill(-running, SIGKILL);
}

static void redirect(const char *path, int flags, int descriptor)
{
    int file = open(path, flags, 0666);
    if (file < 0 || dup2(file, descriptor) < 0)
        _exit(126);
    close(file);
}

static void set_memory(const trial *t, const failure *what)
{
    char path[PATH_BYTES], number[NUMBER_BYTES];
    snprintf(path, sizeof path, "%s/table", t->folder);
    snprintf(number, sizeof number, "%lu", what->position);
    setenv("LD_PRELOAD", t->preload, 1);
    if (what->is_memory && (what->position > 0 || t->is_counting))
        setenv("FAKE_MEMORY_TABLE", path, 1);
    if (what->is_memory && what->position > 0)
        setenv(what->for_ever ? "FAKE_MEMORY" : "FAKE_MEMORY_ONCE", number, 1);
}

static bool is_setting(const char *word)
{
    size_t name = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    return name > 0 && word[name] == '=';
}

/* Libraries that draw may never end without memory: the command ends their process by this limit. */
static void limit_time(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = 1;
    setrlimit(RLIMIT_CPU, &limit);
}

static void exec_flow(const trial *t, const failure *what)
{
    char *arguments[FLOW_WORDS + 2] = {(char *)t->program};
    const char *input = "/dev/null";
    int n = 1;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/work", t->folder);
    if (chdir(path) != 0)
        _exit(126);
    for (char *const *word = t->flow->word; *word != NULL; word++)
        if (is_setting(*word))
            putenv(*word);
        else if ((*word)[0] == '<')
            input = *word + 1;
        else
            arguments[n++] = *word;
    redirect(input, O_RDONLY, STDIN_FILENO);
    redirect("../stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect("../stderr", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    set_memory(t, what);
    limit_time();
    personality(ADDR_NO_RANDOMIZE);
    if (!what->is_memory && !calls_trace_me())
        _exit(126);
    execv(t->program, arguments);
    _exit(126);
}

static pid_t start(trial *t, const failure *what)
{
    is_late = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        err(2, "fork");
    if (child == 0) {
        setpgid(0, 0);
        exec_flow(t, what);
    }
    setpgid(child, child);
    running = child;
    alarm(SECONDS);
    return child;
}

static void stop(pid_t child)
{
    alarm(0);
    kill(-child, SIGKILL);
    running = 0;
}

/* Returns the status of waitpid(). */
static int run(trial *t, const failure *what)
{
    int status = 0;
    pid_t child = start(t, what);
    if (what->is_memory) {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    } else {
        call_failure fails = {(int)what->position, what->kind, what->how, what->for_ever};
        status = calls_follow(child, &fails, t->log);
    }
    stop(child);
    return status;
}

/* Processes that the program forked end when it does; they become children of this one. */
static void run_and_kill(trial *t, long microseconds)
{
    const failure nothing = {.is_memory = true};
    const struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000};
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t child = start(t, &nothing);
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        ;
    stop(child);
}

/* ---- The folder ------------------------------------------------------------------------------ */

static file_list read_work(const trial *t)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/work", t->folder);
    return folder_read(path);
}

static bool has_old(const file_bytes *result)
{
    return strchr(result->name, '/') == NULL;
}

static void reset_work(const trial *t)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/work", t->folder);
    folder_empty(path);
    for (int r = 0; r < t->results.n; r++)
        if (has_old(&t->results.file[r]))
            file_write(path, t->results.file[r].name, OLD);
}

static file_bytes read_stream(const trial *t, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", t->folder, name);
    return file_read(path);
}

/* ---- Judging --------------------------------------------------------------------------------- */

static bool is_old(const file_bytes *file)
{
    return file->n == strlen(OLD) && memcmp(file->bytes, OLD, file->n) == 0;
}

/* A batch tells in these what became of each job. */
static bool tells_of_jobs(const file_bytes *file)
{
    return strcmp(file->name, MANIFEST) == 0 || strcmp(file->name, REPORT) == 0;
}

/* Pictures that are whole: libraries take other fonts when they cannot read the first ones. And pages that
 * are whole: they lack a picture that could not be read. */
static bool is_other_picture(const trial *t, const file_bytes *file)
{
    static const char *const ends[] = {"</svg>\n", "IEND\xae\x42\x60\x82", "%%EOF\n", "</html>\n"};
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        size_t n = strlen(ends[e]);
        if (t->flow->draws && file->n > n && memcmp(file->bytes + file->n - n, ends[e], n) == 0)
            return true;
    }
    return false;
}

/* A file that is there: whole, old, or not to be there. */
static verdict judge_file(trial *t, const file_bytes *found, bool is_done, verdict before)
{
    const file_bytes *result = file_list_find(&t->results, found->name);
    if (result == NULL) {
        snprintf(t->note, sizeof t->note, "%s", found->name);
        return LEFT_BEHIND;
    }
    bool may_differ =
        (!is_done && is_old(found)) || ((!is_done || t->is_resumed) && tells_of_jobs(found));
    if (may_differ || bytes_equal(found, result) || before > FOREIGN)
        return before;
    snprintf(t->note, sizeof t->note, "%s has %zu bytes", found->name, found->n);
    return is_other_picture(t, found) ? FOREIGN : WRONG_BYTES;
}

/* A report has pictures where the libraries that draw can be opened. */
static bool is_optional(const file_bytes *result)
{
    return strncmp(result->name, "out/", 4) == 0 && strstr(result->name, ".png") != NULL;
}

static verdict judge_files(trial *t, bool is_done)
{
    verdict v = is_done ? HARMLESS : REFUSED;
    file_list found = read_work(t);
    for (int f = 0; f < found.n; f++)
        v = judge_file(t, &found.file[f], is_done, v);
    for (int r = 0; r < t->results.n; r++) {
        const file_bytes *result = &t->results.file[r];
        if (!file_list_find(&found, result->name) && (is_done || has_old(result))) {
            snprintf(t->note, sizeof t->note, "%s is not there", result->name);
            v = is_optional(result) ? FOREIGN : WRONG_BYTES;
        }
    }
    file_list_free(&found);
    return v;
}

/* Whether a lack or an error may end with this status; t->note is the message. Without memory other
 * statuses need a message that says so. */
static bool is_refusal(const trial *t, const failure *what, int code)
{
    static const int codes[] = {1, 69, 65, 66, 73, 74};
    bool says_so = !what->is_memory || strstr(t->note, "Cannot allocate memory") != NULL;
    int n = says_so ? 6 : 2;
    for (int c = 0; c < n; c++)
        if (codes[c] == code)
            return true;
    return false;
}

/* A batch tells of each job that failed, and ends with status 1. */
static verdict judge_message(trial *t, const failure *what, int status)
{
    static const char beginning[] = "pathcount";
    bool is_message = !what->is_memory && t->log->is_message_lost;
    file_bytes errors = read_stream(t, "stderr");
    const char *last = errors.bytes;
    bool has_one = strncmp(errors.bytes, beginning, strlen(beginning)) == 0 ||
                   (WIFEXITED(status) && WEXITSTATUS(status) == 1 && errors.n > 0);
    for (const char *line = errors.bytes; (line = strchr(line, '\n')) != NULL && line[1]; line++) {
        last = line + 1;
        has_one = has_one || strncmp(last, beginning, strlen(beginning)) == 0;
    }
    snprintf(t->note, sizeof t->note, "%.*s", (int)strcspn(last, "\n"), last);
    file_free(&errors);
    return has_one || is_message ? REFUSED : NO_MESSAGE;
}

static void add_note(trial *t, const char *what, int number)
{
    size_t length = strlen(t->note);
    snprintf(t->note + length, sizeof t->note - length, " (%s %d)", what, number);
}

static verdict judge_output(trial *t)
{
    file_bytes output = read_stream(t, "stdout");
    bool is_right = t->flow->is_variable || bytes_equal(&output, &t->output);
    if (!is_right)
        snprintf(t->note, sizeof t->note, "the output has %zu bytes", output.n);
    file_free(&output);
    return is_right ? HARMLESS : WRONG_BYTES;
}

/* How the program ended, but for its files. */
static verdict judge_ending(trial *t, const failure *what, int status)
{
    if (is_late)
        return HUNG;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return judge_output(t);
    verdict v = judge_message(t, what, status);
    if (WIFSIGNALED(status)) {
        add_note(t, "signal", WTERMSIG(status));
        return CRASHED;
    }
    if (v == REFUSED && !is_refusal(t, what, WEXITSTATUS(status)))
        v = WRONG_STATUS;
    add_note(t, "status", WEXITSTATUS(status));
    return v;
}

bool trial_is_foreign(const char *library)
{
    static const char *const ours[] = {"pathcount",  "libpathcount", "libgmp", "libgomp",
                                       "libjansson", "libnettle",    "libc.so"};
    for (size_t o = 0; library != NULL && o < sizeof ours / sizeof *ours; o++)
        if (strncmp(library, ours[o], strlen(ours[o])) == 0)
            return false;
    return library != NULL;
}

static verdict judge(trial *t, const failure *what, int status)
{
    t->note[0] = '\0';
    t->asker =
        what->is_memory && what->position > 0 ? t->table->request[what->position - 1].object : NULL;
    verdict ending = judge_ending(t, what, status);
    char note[sizeof t->note];
    memcpy(note, t->note, sizeof note);
    verdict files = judge_files(t, ending == HARMLESS);
    if (files >= FOREIGN)
        return files;
    memcpy(t->note, note, sizeof note);
    bool is_loader = strstr(note, "thread-local data") != NULL; /* it ends the program itself */
    bool is_theirs = ending > FOREIGN && ((ending != WRONG_BYTES && trial_is_foreign(t->asker)) ||
                                          is_loader || (what->is_memory && t->flow->is_foreign));
    return is_theirs ? FOREIGN : ending;
}

/* ---- Trials ---------------------------------------------------------------------------------- */

static bool run_clean(trial *t)
{
    const failure nothing = {.is_memory = true};
    reset_work(t);
    int status = run(t, &nothing);
    if (status == 0)
        return true;
    judge_message(t, &nothing, status);
    add_note(t, "undisturbed, status", status);
    return false;
}

bool trial_prepare(trial *t)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    if (!run_clean(t))
        return false;
    t->results = read_work(t);
    t->output = read_stream(t, "stdout");
    if (!run_clean(t))
        return false;
    file_bytes output = read_stream(t, "stdout");
    bool is_same = t->flow->is_variable || bytes_equal(&output, &t->output);
    file_free(&output);
    if (!is_same)
        snprintf(t->note, sizeof t->note, "two undisturbed runs print different things");
    return is_same && judge_files(t, true) == HARMLESS;
}

/* A batch that was begun goes on with --resume; its manifest then has more lines. */
static bool has_begun_batch(const trial *t)
{
    file_list found = read_work(t);
    const file_bytes *manifest = file_list_find(&found, MANIFEST);
    bool has_lines = manifest != NULL && manifest->n > 0;
    file_list_free(&found);
    return has_lines;
}

/* Whether an undisturbed run after this one makes the folder as it should be. */
static bool is_cleaned(trial *t)
{
    const failure nothing = {.is_memory = true};
    static char resume[] = "--resume";
    flow again = *t->flow;
    const flow *once = t->flow;
    char note[sizeof t->note];
    int n = 0;
    memcpy(note, t->note, sizeof note);
    while (again.word[n] != NULL)
        n++;
    if (n < FLOW_WORDS && has_begun_batch(t))
        again.word[n] = resume;
    t->flow = &again;
    t->is_resumed = true;
    bool is_right = run(t, &nothing) == 0 && judge_files(t, true) <= HARMLESS;
    t->is_resumed = false;
    t->flow = once;
    memcpy(t->note, note, sizeof note);
    return is_right;
}

verdict trial_run(trial *t, const failure *what)
{
    reset_work(t);
    verdict v = judge(t, what, run(t, what));
    return v == LEFT_BEHIND && is_cleaned(t) ? CLEANED : v;
}

verdict trial_kill(trial *t, const failure *what, long microseconds)
{
    reset_work(t);
    t->note[0] = '\0';
    if (what->position > 0)
        run(t, what);
    else
        run_and_kill(t, microseconds);
    verdict v = judge_files(t, false);
    if (v >= FOREIGN && v != LEFT_BEHIND)
        return v;
    if (!is_cleaned(t))
        return LEFT_BEHIND;
    return v == LEFT_BEHIND ? CLEANED : HARMLESS;
}

unsigned long trial_count_requests(trial *t)
{
    const failure nothing = {.is_memory = true};
    reset_work(t);
    t->is_counting = true;
    run(t, &nothing);
    t->is_counting = false;
    return t->table->n_requests;
}

int trial_count_calls(trial *t)
{
    const failure nothing = {0};
    reset_work(t);
    run(t, &nothing);
    return t->log->n < CALLS_MOST ? t->log->n : CALLS_MOST;
}

void trial_free(trial *t)
{
    file_list_free(&t->results);
    file_free(&t->output);
}
