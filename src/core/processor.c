/* The processor's name, as Linux tells it. */
#include "src/core/processor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

enum { LINE_BYTES = 512 };

void pci_processor_name(char *name, size_t size)
{
    static const char key[] = "model name";
    char line[LINE_BYTES];
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
    if (!file)
        return 0;
    if (fscanf(file, "%" SCNu64 "K", &kibibytes) != 1)
        kibibytes = 0;
    fclose(file);
    return kibibytes << 10;
}
