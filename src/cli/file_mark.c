/* Detects changes of a file by its times. These come from a clock with ticks, so two changes
 * within one tick have the same time. */
#define _GNU_SOURCE /* CLOCK_REALTIME_COARSE */
#include "src/cli/file_mark.h"

#include <time.h>

enum { MOST_WAITS = 250, WAIT_NANOSECONDS = 10000000, COARSEST_SECONDS = 2 };

static double seconds_between(struct timespec from, struct timespec to)
{
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

cli_file_mark cli_file_mark_of(const char *path)
{
    cli_file_mark mark;
    mark.is_there = stat(path, &mark.info) == 0;
    return mark;
}

/* CLOCK_REALTIME_COARSE is what file systems of this machine take their times from. A time in the
 * future was set by another machine, whose clock is not known. */
static bool is_recent(struct timespec changed)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    double age = seconds_between(changed, now);
    double tick = changed.tv_nsec == 0 ? COARSEST_SECONDS : 0;
    return age <= tick && age >= -1;
}

cli_file_mark cli_file_mark_settled(int file)
{
    const struct timespec pause = {.tv_nsec = WAIT_NANOSECONDS};
    cli_file_mark mark;
    mark.is_there = fstat(file, &mark.info) == 0;
    for (int n = 0; n < MOST_WAITS && mark.is_there && is_recent(mark.info.st_ctim); n++) {
        nanosleep(&pause, NULL);
        mark.is_there = fstat(file, &mark.info) == 0;
    }
    return mark;
}

static bool is_same_time(struct timespec one, struct timespec other)
{
    return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

bool cli_file_mark_equal(const cli_file_mark *one, const cli_file_mark *other)
{
    const struct stat *a = &one->info, *b = &other->info;
    return one->is_there && other->is_there && a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && is_same_time(a->st_mtim, b->st_mtim) &&
           is_same_time(a->st_ctim, b->st_ctim);
}
