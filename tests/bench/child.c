/* Starting programs and talking to them through pipes. */
#define _GNU_SOURCE /* pipe2 */
#include "tests/bench/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool spawn(child *c, const char *const *arguments, int to_child[2], int from_child[2])
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to_child[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from_child[1], STDOUT_FILENO);
    int error =
        posix_spawnp(&c->process, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0;
}

bool child_start(child *c, const char *const *arguments)
{
    int to_child[2], from_child[2];
    signal(SIGPIPE, SIG_IGN); /* a child that died is seen by the failing write */
    if (pipe2(to_child, O_CLOEXEC) != 0)
        return false;
    if (pipe2(from_child, O_CLOEXEC) != 0) {
        close(to_child[0]);
        close(to_child[1]);
        return false;
    }
    bool started = spawn(c, arguments, to_child, from_child);
    close(to_child[0]);
    close(from_child[1]);
    c->in = fdopen(to_child[1], "w");
    c->out = fdopen(from_child[0], "r");
    if (!started) {
        fclose(c->in);
        fclose(c->out);
    }
    return started;
}

bool child_write_line(child *c, const char *line)
{
    return fprintf(c->in, "%s\n", line) > 0 && fflush(c->in) == 0;
}

bool child_read_line(child *c, char *line, size_t size)
{
    if (fgets(line, (int)size, c->out) == NULL)
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

bool child_end(child *c)
{
    int status = -1;
    fclose(c->in);
    fclose(c->out);
    return waitpid(c->process, &status, 0) == c->process && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

bool child_ask(const char *const *arguments, char *line, size_t size)
{
    child c;
    if (!child_start(&c, arguments))
        return false;
    bool answered = child_read_line(&c, line, size);
    return child_end(&c) && answered;
}

const char *child_python(const char *package)
{
    static const char *const candidates[] = {"python3", "/usr/bin/python3"};
    char code[128];
    snprintf(code, sizeof code,
             "import importlib.util as u; print('yes' if u.find_spec('%s') else 'no')", package);
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        const char *const arguments[] = {candidates[i], "-c", code, NULL};
        char line[16];
        if (child_ask(arguments, line, sizeof line) && strcmp(line, "yes") == 0)
            return candidates[i];
    }
    return NULL;
}

uint64_t own_peak_bytes(void)
{
    unsigned long long kib = 0;
    char line[128];
    FILE *status = fopen("/proc/self/status", "r");
    if (status == NULL)
        return 0;
    while (fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmHWM: %llu", &kib) == 1)
            break;
    fclose(status);
    return kib * 1024;
}
