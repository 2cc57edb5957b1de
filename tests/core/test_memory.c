/* Memory that is there, from files as Linux has them, in a folder that stands for the machine. */
#include "src/core/memory.h"

#include "tests/support/reading.h"
#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIB (UINT64_C(1) << 30)

typedef struct file {
    const char *path, *text;
} file;

/* A machine of 16 GiB, 12 of them available. */
static const char meminfo[] = "MemTotal:       16777216 kB\nMemFree:         1048576 kB\n"
                              "MemAvailable:   12582912 kB\nBuffers:              16 kB\n";

static void make_file(const char *root, const char *path, const char *text)
{
    char full[1024], command[1100];
    snprintf(full, sizeof full, "%s%s", root, path);
    char *slash = strrchr(full, '/');
    *slash = '\0';
    snprintf(command, sizeof command, "mkdir -p '%s'", full);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    *slash = '/';
    scratch_write(full, text, strlen(text));
}

/* The memory of a machine with meminfo and these files, the last of which has no path. */
static pci_memory memory_with(const file *files)
{
    char root[256], command[300];
    pci_memory_groups groups;
    scratch_folder(root, sizeof root);
    make_file(root, "/proc/meminfo", meminfo);
    for (; files->path; files++)
        make_file(root, files->path, files->text);
    pci_memory_find_groups(root, &groups);
    pci_memory memory = pci_memory_now(root, &groups);
    snprintf(command, sizeof command, "rm -r '%s'", root);
    CU_ASSERT_EQUAL(system(command), 0);
    return memory;
}

static void check_memory(const file *files, uint64_t total, uint64_t available)
{
    pci_memory memory = memory_with(files);
    CU_ASSERT_EQUAL(memory.total, total);
    CU_ASSERT_EQUAL(memory.available, available);
}

#define MOUNTS "/proc/self/mountinfo"
#define GROUPS "/proc/self/cgroup"
#define MOUNT2 "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"

TEST("without groups")
{
    static const file none[] = {{NULL, NULL}};
    static const file unlimited[] = {{MOUNTS, MOUNT2},
                                     {GROUPS, "0::/user\n"},
                                     {"/sys/fs/cgroup/user/memory.max", "max\n"},
                                     {"/sys/fs/cgroup/user/memory.current", "99999999\n"},
                                     {NULL, NULL}};
    check_memory(none, 16 * GIB, 12 * GIB);
    check_memory(unlimited, 16 * GIB, 12 * GIB);
}

TEST("nothing can be read")
{
    pci_memory_groups groups;
    pci_memory_find_groups("/nowhere", &groups);
    pci_memory memory = pci_memory_now("/nowhere", &groups);
    CU_ASSERT_EQUAL(memory.total, UINT64_MAX);
    CU_ASSERT_EQUAL(memory.available, UINT64_MAX);
}

/* 4 GiB, of which 3 are used, half a GiB of that for files that can be dropped. */
TEST("version 2")
{
    static const file files[] = {
        {MOUNTS, "22 1 8:1 / / rw - ext4 /dev/root rw\n" MOUNT2},
        {GROUPS, "0::/job\n"},
        {"/sys/fs/cgroup/job/memory.max", "4294967296\n"},
        {"/sys/fs/cgroup/job/memory.current", "3221225472\n"},
        {"/sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 536870912\nactive_file 7\n"},
        {NULL, NULL}};
    check_memory(files, 4 * GIB, 3 * GIB / 2);
}

/* The smallest limit and the one that leaves least are those of different groups. */
TEST("nested groups")
{
    static const file files[] = {{MOUNTS, MOUNT2},
                                 {GROUPS, "0::/outer/middle/inner\n"},
                                 {"/sys/fs/cgroup/outer/memory.max", "8589934592\n"},
                                 {"/sys/fs/cgroup/outer/memory.current", "8053063680\n"},
                                 {"/sys/fs/cgroup/outer/middle/memory.max", "max\n"},
                                 {"/sys/fs/cgroup/outer/middle/inner/memory.max", "2147483648\n"},
                                 {"/sys/fs/cgroup/outer/middle/inner/memory.current", "1048576\n"},
                                 {"/sys/fs/cgroup/beside/memory.max", "4096\n"},
                                 {"/sys/fs/cgroup/beside/memory.current", "4096\n"},
                                 {NULL, NULL}};
    check_memory(files, 2 * GIB, GIB / 2);
}

/* What a container sees: its own group is the root of what is mounted. */
TEST("in a container")
{
    static const file second[] = {{MOUNTS, MOUNT2},
                                  {GROUPS, "0::/\n"},
                                  {"/sys/fs/cgroup/memory.max", "1073741824\n"},
                                  {"/sys/fs/cgroup/memory.current", "2147483648\n"},
                                  {NULL, NULL}};
    static const file first[] = {
        {MOUNTS, "40 31 0:32 /docker/1 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"},
        {GROUPS, "5:cpu,cpuacct:/docker/1\n4:memory:/docker/1\n0::/\n"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n"},
        {"/sys/fs/cgroup/memory/memory.usage_in_bytes", "536870912\n"},
        {NULL, NULL}};
    static const file outside[] = {{MOUNTS, MOUNT2},
                                   {GROUPS, "0::/../other\n"},
                                   {"/sys/fs/cgroup/memory.max", "1073741824\n"},
                                   {"/sys/fs/cgroup/memory.current", "0\n"},
                                   {NULL, NULL}};
    check_memory(second, GIB, 0);
    check_memory(first, GIB, GIB / 2);
    check_memory(outside, GIB, GIB);
}

/* Version 1 beside a version 2 that has no controllers. */
TEST("version 1")
{
    static const file files[] = {
        {MOUNTS, "33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                 "35 31 0:32 / /groups rw,relatime - cgroup cgroup rw,freezer,memory\n"
                 "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"},
        {GROUPS, "9:name=systemd:/\n7:cpu:/elsewhere\n4:freezer,memory:/a/b\n0::/\n"},
        {"/sys/fs/cgroup/cpu/elsewhere/memory.limit_in_bytes", "4096\n"},
        {"/groups/memory.limit_in_bytes", "9223372036854771712\n"},
        {"/groups/a/memory.limit_in_bytes", "4294967296\n"},
        {"/groups/a/memory.usage_in_bytes", "3221225472\n"},
        {"/groups/a/memory.stat", "inactive_file 1\ntotal_inactive_file 1073741824\n"},
        {"/groups/a/b/memory.limit_in_bytes", "9223372036854771712\n"},
        {"/groups/a/b/memory.usage_in_bytes", "1073741824\n"},
        {NULL, NULL}};
    check_memory(files, 4 * GIB, 2 * GIB);
}
