/* Memory, processors and rates. A group's limit holds for all groups within it, so every group from that of the process up to the
 * mount point counts. Version 2 has one hierarchy, version 1 has one for memory; a machine may mount
 * both. In a container the mount shows a part of the hierarchy, which mountinfo names. */
#include "src/core/memory.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

enum { LINE_BYTES = 4096 };

/* The names that a version of groups gives to the controller and the files of a group. */
typedef struct pci_group_files {
    const char *controller, *limit, *used;
    const char *reclaimable; /* in memory.stat: what the system takes back when it needs it */
} group_files;

static const group_files first = {"memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                  "total_inactive_file "};
static const group_files second = {"", "memory.max", "memory.current", "inactive_file "};

/* The number after key in a file of the form "key number" lines (or of one number, key ""). */
static bool read_number(const char *folder, const char *name, const char *key, uint64_t *number)
{
    char path[PATH_MAX], line[256];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length < (int)sizeof path ? fopen(path, "r") : NULL;
    if (!file)
        return false;
    bool found = false;
    size_t key_length = strlen(key);
    while (!found && fgets(line, sizeof line, file))
        found = strncmp(line, key, key_length) == 0 &&
                sscanf(line + key_length, "%" SCNu64, number) == 1;
    fclose(file);
    return found;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t read_machine(const char *root, const char *key)
{
    uint64_t kilobytes;
    return read_number(root, "proc/meminfo", key, &kilobytes) ? kilobytes * 1024 : UINT64_MAX;
}

/* ---- Groups with a limit ----------------------------------------------------------------------- */

/* Adds the group at path below the mount point, and those that it is in, where they have a limit. */
static void add_groups(const char *root, const char *mount_point, const char *path,
                       const group_files *files, pci_memory_groups *groups)
{
    char folder[PATH_MAX];
    uint64_t limit;
    size_t top = strlen(root) + strlen(mount_point);
    int length = snprintf(folder, sizeof folder, "%s%s%s", root, mount_point, path);
    if (length >= (int)sizeof folder)
        return;
    for (char *end = folder + length; end; end = strrchr(folder + top, '/')) {
        *end = '\0';
        if (groups->n == PCI_MEMORY_GROUPS || strlen(folder) >= PCI_GROUP_BYTES ||
            !read_number(folder, files->limit, "", &limit) || limit >= groups->machine_bytes)
            continue;
        pci_memory_group *group = &groups->group[groups->n++];
        strcpy(group->folder, folder);
        group->files = files;
    }
}

/* Tells whether name stands in a list with commas, which may end a line. */
static bool has_name(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
        if (strncmp(list, name, length) == 0 && strchr(",\n", list[length]))
            return true;
    return false;
}

/* The group of the process, from a line "number:controllers:path" of /proc/self/cgroup. */
static bool find_group(const char *root, const group_files *files, char path[LINE_BYTES])
{
    char name[PATH_MAX], line[LINE_BYTES];
    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *file = fopen(name, "r");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        char *rest = line;
        strsep(&rest, ":");
        const char *controllers = strsep(&rest, ":");
        found = rest && has_name(controllers, files->controller);
        if (found)
            snprintf(path, LINE_BYTES, "%.*s", (int)strcspn(rest, "\n"), rest);
    }
    if (file)
        fclose(file);
    return found;
}

/* The part of path below the group that is mounted; "" when that is not above it. */
static const char *below(const char *mounted, const char *path)
{
    size_t length = strcmp(mounted, "/") == 0 ? 0 : strlen(mounted);
    bool is_below = strncmp(path, mounted, length) == 0 && path[length] == '/';
    return is_below && path[length + 1] && strncmp(path + length, "/..", 3) != 0 ? path + length
                                                                                 : "";
}

/* A line of mountinfo: "36 35 0:30 MOUNTED MOUNT_POINT ... - TYPE SOURCE OPTIONS". */
static void search_mount(const char *root, char *line, pci_memory_groups *groups)
{
    char path[LINE_BYTES], *type = strstr(line, " - cgroup");
    if (!type)
        return;
    *type = '\0';
    type += strlen(" - ");
    for (int f = 0; f < 3; f++)
        strsep(&line, " ");
    const char *mounted = strsep(&line, " "), *mount_point = strsep(&line, " ");
    const char *options = strrchr(type, ' ');
    const group_files *files =
        strncmp(type, "cgroup2 ", strlen("cgroup2 ")) == 0 ? &second : &first;
    if (mount_point && options && (files == &second || has_name(options + 1, files->controller)) &&
        find_group(root, files, path))
        add_groups(root, mount_point, below(mounted, path), files, groups);
}

void pci_memory_find_groups(const char *root, pci_memory_groups *groups)
{
    char name[PATH_MAX], line[LINE_BYTES];
    groups->machine_bytes = read_machine(root, "MemTotal:");
    groups->n = 0;
    snprintf(name, sizeof name, "%s/proc/self/mountinfo", root);
    FILE *file = fopen(name, "r");
    while (file && fgets(line, sizeof line, file))
        search_mount(root, line, groups);
    if (file)
        fclose(file);
}

/* ---- What they leave ----------------------------------------------------------------------------- */

pci_memory pci_memory_now(const char *root, const pci_memory_groups *groups)
{
    pci_memory memory = {groups->machine_bytes, read_machine(root, "MemAvailable:")};
    for (const pci_memory_group *group = groups->group; group < groups->group + groups->n;
         group++) {
        uint64_t limit, used, reclaimable = 0;
        if (!read_number(group->folder, group->files->limit, "", &limit) ||
            !read_number(group->folder, group->files->used, "", &used))
            continue;
        read_number(group->folder, "memory.stat", group->files->reclaimable, &reclaimable);
        uint64_t busy = used - least(used, reclaimable);
        memory.total = least(memory.total, limit);
        memory.available = least(memory.available, limit - least(limit, busy));
    }
    return memory;
}

/* ---- The processor -------------------------------------------------------------------------- */

enum { INFO_LINE_BYTES = 512 };

void pci_processor_name(char *name, size_t size)
{
    static const char key[] = "model name";
    char line[INFO_LINE_BYTES];
    struct utsname machine;
    const char *found = uname(&machine) == 0 ? machine.machine : "processor";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strncmp(line, key, strlen(key)) == 0 ? strchr(line, ':') : NULL;
        if (colon) {
            line[strcspn(line, "\n")] = '\0';
            found = colon + 1 + strspn(colon + 1, " ");
            break;
        }
    }
    snprintf(name, size, "%s", found);
    if (file)
        fclose(file);
}

uint64_t pci_processor_cache_bytes(int level)
{
    char path[64];
    uint64_t kibibytes = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", level);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%" SCNu64 "K", &kibibytes) != 1)
        kibibytes = 0;
    if (file)
        fclose(file);
    return kibibytes << 10;
}

/* ---- Rates ------------------------------------------------------------------------------------- */

const pci_rate_row pci_rate_rows[PCI_N_PARTS] = {
    [PCI_PART_PRODUCT] = {"product", "int8 operations", 4.65e11, 1e12, 6e10},
    [PCI_PART_PLANE] = {"plane", "entries of planes around products", 7e9, 1.2e9, 1.5e9},
    [PCI_PART_BATCH] = {"batch", "products, however small", 1e6, 8e5, 2.7e5},
    [PCI_PART_EXTEND] = {"extend", "residues made of others", 3.3e9, 1.5e9, 1.8e9},
    [PCI_PART_STEP] = {"step", "bytes of planes stepped", 2.7e10, 1.4e10, 1.1e10},
    [PCI_PART_COLLECT] = {"collect", "residues times words of results", 1.35e10, 7e9, 2.8e9},
    [PCI_PART_CERTIFY] = {"certify", "words of results checked", 1.9e9, 5e8, 1.2e9},
    [PCI_PART_PASS] = {"pass", "arcs of one vector in cache", 1.5e9, 7.5e8, 9e8},
    [PCI_PART_PASS_FAR] = {"pass_far", "arcs of one vector in memory", 2.9e8, 2.9e8, 2.9e8},
    [PCI_PART_SWEEP] = {"sweep", "bytes of vectors in cache", 1.6e11, 8e10, 7.2e10},
    [PCI_PART_SWEEP_FAR] = {"sweep_far", "bytes of vectors in memory", 2.7e10, 8e9, 6e9},
    [PCI_PART_ROWS] = {"rows", "words of rows swept", 1.5e9, 4.5e8, 4.5e8},
};

pci_rates pci_rates_default(void)
{
    pci_rates rates = {.is_measured = false};
    bool has_amx = false, has_avx512 = false;
#ifdef __x86_64__
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    const unsigned amx_int8 = 1u << 25;
    has_amx = __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (edx & amx_int8);
    has_avx512 = __builtin_cpu_supports("avx512vnni");
#endif
    for (int p = 0; p < PCI_N_PARTS; p++) {
        const pci_rate_row *part = &pci_rate_rows[p];
        rates.per_second[p] = has_amx      ? part->with_amx
                              : has_avx512 ? part->with_avx512
                                           : part->without_avx512;
    }
    return rates;
}
