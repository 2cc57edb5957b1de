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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, SECONDS = 60, NUMBER_BYTES = 24 };

static const char OLD[] = "old\n", MANIFEST[] = "manifest.jsonl";

const char *const verdict_names[N_VERDICTS] = {"refused",    "harmless",    "cleaned",
                                               "crashed",    "hung",        "wrong status",
                                               "no message", "wrong bytes", "left behind"};

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
    if (what->is_memory)
        setenv("FAKE_MEMORY_TABLE", path, 1);
    if (what->is_memory && what->position > 0)
        setenv(what->for_ever ? "FAKE_MEMORY" : "FAKE_MEMORY_ONCE", number, 1);
}

static bool is_setting(const char *word)
{
    size_t name = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    return name > 0 && word[name] == '=';
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
    personality(ADDR_NO_RANDOMIZE);
    if (!what->is_memory && !calls_trace_me())
        _exit(126);
    execv(t->program, arguments);
    _exit(126);
}

/* Returns the status of waitpid(). */
static int run(trial *t, const failure *what)
{
    int status = 0;
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
    if (what->is_memory) {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    } else {
        call_failure fails = {(int)what->position, what->kind, what->how, what->for_ever};
        status = calls_follow(child, &fails, t->log);
    }
    alarm(0);
    kill(-child, SIGKILL);
    running = 0;
    return status;
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

/* A file that is there: whole, old, or not to be there. */
static verdict judge_file(trial *t, const file_bytes *found, bool is_done, verdict before)
{
    const file_bytes *result = file_list_find(&t->results, found->name);
    if (result == NULL) {
        snprintf(t->note, sizeof t->note, "%s", found->name);
        return LEFT_BEHIND;
    }
    bool is_right = bytes_equal(found, result);
    bool may_differ = !is_done && (is_old(found) || strstr(found->name, MANIFEST) != NULL);
    if (is_right || may_differ)
        return before;
    snprintf(t->note, sizeof t->note, "%s has %zu bytes", found->name, found->n);
    return WRONG_BYTES;
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
            v = WRONG_BYTES;
        }
    }
    file_list_free(&found);
    return v;
}

/* The statuses that a lack or an error may end with. */
static bool is_refusal(const failure *what, int code)
{
    const int of_calls[] = {1, 65, 66, 69, 73, 74}, of_memory[] = {1, 69};
    const int *codes = what->is_memory ? of_memory : of_calls;
    int n = what->is_memory ? 2 : 6;
    for (int c = 0; c < n; c++)
        if (codes[c] == code)
            return true;
    return false;
}

static verdict judge_message(trial *t, const failure *what)
{
    static const char beginning[] = "pathcount";
    bool is_message = !what->is_memory && t->log->is_message_lost;
    file_bytes errors = read_stream(t, "stderr");
    const char *last = errors.bytes;
    bool has_one = strncmp(errors.bytes, beginning, strlen(beginning)) == 0;
    for (const char *line = errors.bytes; (line = strchr(line, '\n')) != NULL && line[1]; line++) {
        last = line + 1;
        has_one = has_one || strncmp(last, beginning, strlen(beginning)) == 0;
    }
    snprintf(t->note, sizeof t->note, "%.*s", (int)strcspn(last, "\n"), last);
    file_free(&errors);
    return has_one || is_message ? REFUSED : NO_MESSAGE;
}

static verdict judge(trial *t, const failure *what, int status)
{
    verdict v = REFUSED;
    t->note[0] = '\0';
    if (is_late)
        return HUNG;
    bool is_done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!is_done)
        v = judge_message(t, what);
    if (WIFSIGNALED(status)) {
        size_t length = strlen(t->note);
        snprintf(t->note + length, sizeof t->note - length, " signal %d", WTERMSIG(status));
        return CRASHED;
    }
    if (v == REFUSED)
        v = judge_files(t, is_done);
    if (is_done && v == HARMLESS) {
        file_bytes output = read_stream(t, "stdout");
        if (!bytes_equal(&output, &t->output)) {
            snprintf(t->note, sizeof t->note, "the output has %zu bytes", output.n);
            v = WRONG_BYTES;
        }
        file_free(&output);
    }
    if (!is_done && v == REFUSED && !is_refusal(what, WEXITSTATUS(status))) {
        size_t length = strlen(t->note);
        snprintf(t->note + length, sizeof t->note - length, " status %d", WEXITSTATUS(status));
        v = WRONG_STATUS;
    }
    return v;
}

/* ---- Trials ---------------------------------------------------------------------------------- */

static bool run_clean(trial *t)
{
    const failure nothing = {.is_memory = true};
    reset_work(t);
    int status = run(t, &nothing);
    if (status == 0)
        return true;
    judge_message(t, &nothing);
    size_t length = strlen(t->note);
    snprintf(t->note + length, sizeof t->note - length, " (status %d, undisturbed)", status);
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
    bool is_same = bytes_equal(&output, &t->output);
    file_free(&output);
    if (!is_same)
        snprintf(t->note, sizeof t->note, "two undisturbed runs print different things");
    return is_same && judge_files(t, true) == HARMLESS;
}

/* Whether an undisturbed run after this one makes the folder as it should be. */
static bool is_cleaned(trial *t)
{
    const failure nothing = {.is_memory = true};
    char note[sizeof t->note];
    memcpy(note, t->note, sizeof note);
    bool is_right = run(t, &nothing) == 0 && judge_files(t, true) == HARMLESS;
    memcpy(t->note, note, sizeof note);
    return is_right;
}

verdict trial_run(trial *t, const failure *what)
{
    reset_work(t);
    verdict v = judge(t, what, run(t, what));
    return v == LEFT_BEHIND && is_cleaned(t) ? CLEANED : v;
}

unsigned long trial_count_requests(trial *t)
{
    const failure nothing = {.is_memory = true};
    reset_work(t);
    run(t, &nothing);
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
