/* The libraries that find and load fonts crash, or never end, when there is no memory for them. So a process
 * of its own draws; it sends the bytes of the picture through a pipe. */
#define _GNU_SOURCE /* pipe2 */
#include "src/cli/look/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_END, WRITE_END, PIECE_BYTES = 1 << 16, MOST_SECONDS = 30, TAIL_BYTES = 16 };

static void limit(__rlimit_resource_t what, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(what, &limit) != 0 || limit.rlim_cur <= most)
        return;
    limit.rlim_cur = most;
    setrlimit(what, &limit);
}

/* Discards what the libraries print on standard error. It is not a message of this program, and
 * without memory it never ends. */
static void make_quiet(void)
{
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing >= 0)
        dup2(nothing, STDERR_FILENO);
}

static _Noreturn void draw_and_exit(cli_scene_fn *draw, const cli_scene *scene, cli_picture picture,
                                    const char *ending, int to)
{
    limit(RLIMIT_CPU, MOST_SECONDS); /* a picture takes less than a second */
    limit(RLIMIT_CORE, 0);
    make_quiet();
    FILE *stream = fdopen(to, "w");
    bool is_drawn = stream != NULL && draw(scene, picture, ending, stream) == PC_OK;
    _exit(is_drawn && fclose(stream) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* The last bytes of a picture. Without memory cairo may leave them out and report no error. */
typedef struct tail {
    char bytes[TAIL_BYTES];
} tail;

static void keep_tail(tail *t, const char *bytes, size_t n)
{
    size_t kept = n < TAIL_BYTES ? TAIL_BYTES - n : 0;
    memmove(t->bytes, t->bytes + TAIL_BYTES - kept, kept);
    memcpy(t->bytes + kept, bytes + n - (TAIL_BYTES - kept), TAIL_BYTES - kept);
}

static bool is_whole(const tail *t, const char *ending)
{
    const char *last = strcmp(ending, ".pdf") == 0   ? "%%EOF\n"
                       : strcmp(ending, ".svg") == 0 ? "</svg>\n"
                                                     : "IEND\xae\x42\x60\x82";
    size_t n = strlen(last);
    return memcmp(t->bytes + TAIL_BYTES - n, last, n) == 0;
}

static pc_status copy(int from, pc_output *file, tail *end)
{
    char piece[PIECE_BYTES];
    pc_status status = PC_OK;
    while (status == PC_OK) {
        ssize_t n = read(from, piece, sizeof piece);
        if (n == 0)
            break; /* whether the picture is whole is told by how the process ended */
        if (n > 0) {
            keep_tail(end, piece, (size_t)n);
            status = pc_output_write(file, piece, (size_t)n);
        } else if (errno != EINTR) {
            status = PC_ERR_NO_INPUT;
        }
    }
    return status;
}

static bool ends_well(pid_t process)
{
    int how;
    while (waitpid(process, &how, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(how) && WEXITSTATUS(how) == EXIT_SUCCESS;
}

pc_status cli_draw_apart(cli_scene_fn *draw, const cli_scene *scene, cli_picture picture,
                         const char *ending, pc_output *file)
{
    int ends[2];
    tail end = {{0}};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return PC_ERR_MEMORY;
    pid_t process = fork();
    if (process == 0) {
        close(ends[READ_END]); /* else what it writes would wait for itself as a reader */
        draw_and_exit(draw, scene, picture, ending, ends[WRITE_END]);
    }
    close(ends[WRITE_END]);
    pc_status status = process > 0 ? copy(ends[READ_END], file, &end) : PC_ERR_MEMORY;
    close(ends[READ_END]); /* if it is too long for the disk, the process gets an error too */
    bool is_drawn = process > 0 && ends_well(process) && is_whole(&end, ending);
    return status == PC_OK && !is_drawn ? PC_ERR_MEMORY : status;
}
