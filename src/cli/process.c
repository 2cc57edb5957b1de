/* Ends the process with a message and an exit code, and prepares it before a command runs. */
#define _GNU_SOURCE /* on_exit, fopencookie, pthread_setattr_default_np */
#include "src/cli/process.h"

#include <errno.h>
#include <gmp.h>
#include <inttypes.h>
#include <jansson.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- Exit codes ------------------------------------------------------------------------------ */

/* Each failure prints one line on stderr and has one exit code. */

/* True when the sentence is about standard output, a pipe whose reader has ended. Such a reader
 * (`| head -n 1`) wants no more, so nobody is told; the exit code is that of SIGPIPE. */
static bool is_reader_gone(const char *format, va_list arguments)
{
    static const char about[] = "standard output: ";
    char sentence[sizeof about];
    struct pollfd output = {.fd = STDOUT_FILENO};
    vsnprintf(sentence, sizeof sentence, format, arguments);
    return strcmp(sentence, about) == 0 && poll(&output, 1, 0) == 1 &&
           (output.revents & POLLERR) != 0;
}

int cli_fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool is_silent = code == CLI_IO && is_reader_gone(format, arguments);
    va_end(arguments);
    if (is_silent)
        return CLI_SIGNAL + SIGPIPE;
    va_start(arguments, format);
    fputs("pathcount: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return code;
}

int cli_fail_for_memory(void)
{
    return cli_fail(CLI_UNAVAILABLE, "out of memory");
}

void *cli_need(void *memory)
{
    if (memory == NULL)
        exit(cli_fail_for_memory());
    return memory;
}

int cli_exit_of_status(pc_status status)
{
    static const int codes[] = {
        [PC_OK] = CLI_DONE,
        [PC_ERR_ARGUMENT] = CLI_USAGE,
        [PC_ERR_DATA] = CLI_BAD_DATA,
        [PC_ERR_NO_INPUT] = CLI_NO_INPUT,
        [PC_ERR_ENGINE] = CLI_UNAVAILABLE,
        [PC_ERR_MEMORY] = CLI_UNAVAILABLE,
        [PC_ERR_RANGE] = CLI_UNAVAILABLE,
        [PC_ERR_CERTIFY] = CLI_INTERNAL,
        [PC_ERR_CREATE] = CLI_NO_CREATE,
        [PC_ERR_IO] = CLI_IO,
        [PC_ERR_INTERNAL] = CLI_INTERNAL,
    };
    if (status == PC_ERR_CANCELLED)
        return cli_signals_pending() ? CLI_SIGNAL + cli_signals_pending() : CLI_UNAVAILABLE;
    return codes[status];
}

int cli_fail_status(const pc_context *context, pc_status status)
{
    int code = cli_exit_of_status(status);
    if (status == PC_ERR_CANCELLED)
        return cli_fail(code,
                        cli_signals_pending() ? "interrupted" : "the time of --time-limit is over");
    const char *message = pc_context_message(context);
    return cli_fail(code, "%s", message[0] != '\0' ? message : pc_status_text(status));
}

/* ---- Signals --------------------------------------------------------------------------------- */

/* The handler either ends the process at once or sets a flag that the progress callback reads.
 * Both are safe at any point of the program, also inside a blocking read of standard input. */

static volatile sig_atomic_t is_deferred;
static volatile sig_atomic_t pending;

static void on_signal(int number)
{
    static const char sentence[] = "\npathcount: interrupted\n";
    if (is_deferred) {
        pending = number;
        return;
    }
    ssize_t ignored = write(STDERR_FILENO, sentence, sizeof sentence - 1);
    (void)ignored;
    _exit(CLI_SIGNAL + number);
}

/* Signals that were ignored stay ignored. */
static void handle(void (*handler)(int))
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction action, old;
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        action.sa_handler = handler;
        action.sa_flags = SA_RESTART;
        sigfillset(&action.sa_mask);
        sigaction(ending[i], &action, NULL);
    }
}

void cli_signals_install(void)
{
    handle(on_signal);
    /* These become errors of write(), which are reported like any other. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void cli_signals_restore(void)
{
    handle(SIG_DFL);
}

void cli_signals_defer(void)
{
    is_deferred = 1;
}

int cli_signals_pending(void)
{
    return pending;
}

/* ---- Errors as JSON --------------------------------------------------------------------------- */

/* With --json a command that fails prints {"error": {"exit_code": 65, "message": "..."}} on standard output, too. The
 * message is the last line of standard error that begins with the name of the program. */

enum { SENTENCE_BYTES = 2000 };

static bool is_json;
static char line[SENTENCE_BYTES],
    sentence[SENTENCE_BYTES]; /* what is written now, and the message */
static size_t n_line;

void cli_errors_as_json(void)
{
    is_json = true;
}

/* Follows what goes to standard error. */
static void note_errors(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n && is_json; i++)
        if (bytes[i] != '\n') {
            line[n_line] = bytes[i];
            n_line += n_line + 1 < sizeof line;
        } else {
            const char *colon = strstr(line, ": ");
            if (strncmp(line, "pathcount", strlen("pathcount")) == 0 && colon != NULL)
                strcpy(sentence, colon + 2);
            memset(line, 0, sizeof line);
            n_line = 0;
        }
}

static void tell_json(int code)
{
    if (!is_json || code == CLI_DONE || sentence[0] == '\0')
        return;
    is_json = false;
    json_t *text = json_string(sentence);
    for (char *c = sentence; text == NULL && *c != '\0'; c++) /* it is no UTF-8 */
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    json_t *whole = json_pack("{s:{s:i,s:o}}", "error", "exit_code", code, "message",
                              text != NULL ? text : json_string(sentence));
    json_dumpf(whole, stdout, JSON_ENSURE_ASCII);
    putchar('\n');
    json_decref(whole);
}

/* ---- Libraries that end the process ---------------------------------------------------------- */

/* GMP calls abort() when it gets no memory; it lets a program give it functions of its own, which
 * must not return without memory. jansson says in the same way that there is no memory and that a
 * text is none of UTF-8, so it gets such a function too. libgomp calls exit(1) when it gets no
 * memory or no thread; nothing else here calls exit() with that status before main has ended.
 *
 * All this may happen in any thread, while others go on. So the process ends at once: files
 * without a name vanish, and the next run that writes into the folder removes those with a name. */

static bool is_done;

static void *check_memory(void *memory, size_t bytes)
{
    if (memory == NULL)
        _exit(cli_fail(CLI_UNAVAILABLE, "no memory (%zu bytes)", bytes));
    return memory;
}

static void *allocate(size_t bytes)
{
    return check_memory(malloc(bytes), bytes);
}

static void *reallocate(void *memory, size_t old_bytes, size_t bytes)
{
    (void)old_bytes;
    return check_memory(realloc(memory, bytes), bytes);
}

static void release(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

static void on_ending(int code, void *unused)
{
    (void)unused;
    tell_json(code);
    if (code == EXIT_FAILURE && !is_done)
        _exit(cli_fail(CLI_UNAVAILABLE, "no memory, or no thread, for the OpenMP library; "
                                        "--threads 1 needs the least"));
}

void cli_endings_install(void)
{
    mp_set_memory_functions(allocate, reallocate, release);
    json_set_alloc_funcs(allocate, free);
    on_exit(on_ending, NULL);
}

void cli_endings_done(int code)
{
    tell_json(code);
    is_done = true;
}

/* ---- Guarded streams ------------------------------------------------------------------------- */

/* Some terminals also take commands from the single bytes 0x80 to 0x9F, which in valid UTF-8 only
 * stand within a character. Characters that control a terminal are written as \xNN.
 *
 * Replaces stdout and stderr by streams whose bytes pass through here, so the guard also covers
 * argp and other libraries. The workers of a batch inherit the guard of standard output, and they
 * write files, so it acts only while that is a terminal. */

enum { PIECE_BYTES = 1024, MOST_UNFINISHED = 3, ESCAPED_BYTES = 4 /* of "\x1b" */ };

typedef struct guard {
    int fd;
    FILE *below;                /* NULL: there is no guard */
    char rest[MOST_UNFINISHED]; /* of a character that comes in two writes */
    size_t n_rest;
} guard;

static guard output = {.fd = STDOUT_FILENO}, errors = {.fd = STDERR_FILENO};

bool cli_write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno != EINTR)
            return false;
        bytes += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* Bytes at the end that begin a character, but are not all of it, wait for the next piece. */
static bool write_piece(guard *g, const char *bytes, size_t n)
{
    char text[MOST_UNFINISHED + PIECE_BYTES], escaped[ESCAPED_BYTES * sizeof text + 1];
    char *to = escaped;
    size_t n_text = g->n_rest + n, back = 1;
    memcpy(text, g->rest, g->n_rest);
    memcpy(text + g->n_rest, bytes, n);
    while (back <= MOST_UNFINISHED && back <= n_text && (text[n_text - back] & 0xc0) == 0x80)
        back++;
    bool is_cut = back <= MOST_UNFINISHED && back <= n_text &&
                  cli_character_bytes(text[n_text - back]) > back;
    g->n_rest = is_cut ? back : 0;
    n_text -= g->n_rest;
    memcpy(g->rest, text + n_text, g->n_rest);
    for (size_t at = 0, length; at < n_text; at += length) {
        uint32_t code;
        length = cli_decode(text + at, n_text - at, &code);
        for (size_t i = at; i < at + length; i++)
            if (cli_controls_terminal(code))
                to += sprintf(to, "\\x%02x", (unsigned char)text[i]);
            else
                *to++ = text[i];
    }
    return cli_write_all(g->fd, escaped, (size_t)(to - escaped));
}

static ssize_t write_guarded(void *cookie, const char *bytes, size_t n)
{
    guard *g = cookie;
    bool is_written = true;
    if (g == &errors)
        note_errors(bytes, n);
    if (g == &output && !isatty(g->fd))
        return cli_write_all(g->fd, bytes, n) ? (ssize_t)n : 0;
    for (size_t at = 0; at < n && is_written; at += PIECE_BYTES)
        is_written = write_piece(g, bytes + at, n - at < PIECE_BYTES ? n - at : PIECE_BYTES);
    return is_written ? (ssize_t)n : 0;
}

static bool put_in_place(guard *g, FILE **stream, int buffering)
{
    FILE *made = fopencookie(g, "w", (cookie_io_functions_t){.write = write_guarded});
    if (made == NULL)
        return false;
    setvbuf(made, NULL, buffering, 0);
    g->below = *stream;
    *stream = made;
    return true;
}

bool cli_guard_streams(void)
{
    return put_in_place(&errors, &stderr, _IONBF) &&
           (!isatty(STDOUT_FILENO) || put_in_place(&output, &stdout, _IOLBF));
}

FILE *cli_stderr_below(void)
{
    return errors.below != NULL ? errors.below : stderr;
}

/* ---- The stack ------------------------------------------------------------------------------- */

/* Kernels keep tables on the stack, up to 1.3 MB. A stack that is too small ends the process
 * without a message, so lower limits than 2 MB are raised: that of the first thread, which the
 * kernel asks when the stack grows, and that of new threads, which the C library took from it
 * when the process started. The OpenMP library takes the size of its threads from its own
 * variables, before main; where these say less, nothing can be done but to refuse. */

static const uint64_t LEAST_BYTES = 2 << 20;

/* False when the limits forbid it. */
static bool raise_limits(void)
{
    struct rlimit limit;
    pthread_attr_t usual;
    size_t n_bytes = 0;
    bool is_done = true;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < LEAST_BYTES) {
        limit.rlim_cur = LEAST_BYTES;
        if (limit.rlim_max < LEAST_BYTES)
            limit.rlim_max = LEAST_BYTES; /* the superuser may */
        is_done = setrlimit(RLIMIT_STACK, &limit) == 0;
    }
    if (!is_done || pthread_getattr_default_np(&usual) != 0)
        return is_done;
    if (pthread_attr_getstacksize(&usual, &n_bytes) == 0 && n_bytes < LEAST_BYTES)
        is_done = pthread_attr_setstacksize(&usual, LEAST_BYTES) == 0 &&
                  pthread_setattr_default_np(&usual) == 0;
    pthread_attr_destroy(&usual);
    return is_done;
}

/* True when a variable of the OpenMP library says fewer bytes: a number of KB, or of what its
 * last letter names. That library ignores other texts, too. */
static bool says_less(const char *name)
{
    static const char units[] = "bkmg";
    const char *text = getenv(name);
    char *end;
    double n_bytes = text != NULL ? (double)strtoull(text, &end, 10) : 0;
    if (text == NULL || end == text)
        return false;
    end += strspn(end, " \t");
    const char *unit = *end != '\0' ? strchr(units, *end | 0x20) : units + 1;
    for (; unit != NULL && unit > units; unit--)
        n_bytes *= 1024;
    return unit != NULL && n_bytes > 0 && n_bytes < (double)LEAST_BYTES;
}

int cli_stack_reserve(void)
{
    static const char *const variables[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};
    if (!raise_limits())
        return cli_fail(CLI_UNAVAILABLE,
                        "the stack may not have the %" PRIu64
                        " MB that counting takes: raise its limit (ulimit -s 8192)",
                        LEAST_BYTES >> 20);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (says_less(variables[i]))
            return cli_fail(
                CLI_UNAVAILABLE,
                "the environment variable %s=%s gives threads less stack than the %" PRIu64
                " MB that counting takes: give 2M or more, or leave it out",
                variables[i], getenv(variables[i]), LEAST_BYTES >> 20);
    return CLI_DONE;
}
