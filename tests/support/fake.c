/* Finding the fake engine, and telling it how to behave: by the environment. */
#include "tests/support/fake.h"

#include "src/core/context.h"
#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void make_processors_slow(pc_context *context)
{
    context->rates = pci_rates_default();
    context->rates.is_measured = true;
    for (int p = 0; p < PCI_N_PARTS; p++)
        context->rates.per_second[p] /= 300;
}

void use_beside(const char *file, const char *variable)
{
    char path[4096 + 32] = "";
    ssize_t length = readlink("/proc/self/exe", path, 4096);
    char *slash = length > 0 ? strrchr(path, '/') : NULL;
    if (slash)
        snprintf(slash + 1, 32, "%s", file);
    if (!slash || access(path, R_OK) != 0) {
        static char why[96]; /* outlives this call, which does not return */
        snprintf(why, sizeof why, "%.31s does not lie beside this program", file);
        test_skip(why);
    }
    set_variable(variable, path);
}

void use_fake(const char *behaviour)
{
    use_beside("fake_engine.so", "PATHCOUNT_CUDA_ENGINE");
    set_variable("FAKE_ENGINE", behaviour);
}
