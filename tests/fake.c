/* Finding the fake engine, and telling it how to behave: by the environment. */
#include "tests/fake.h"

#include "src/core/context.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void make_processors_slow(pc_context *context)
{
    context->rates = pci_rates_default;
    context->rates.is_measured = true;
    for (int p = 0; p < PCI_N_PARTS; p++)
        context->rates.per_second[p] /= 100;
}

void use_fake(const char *behaviour)
{
    char path[4096 + 32] = "";
    ssize_t length = readlink("/proc/self/exe", path, 4096);
    char *slash = length > 0 ? strrchr(path, '/') : NULL;
    if (slash)
        strcpy(slash, "/fake_engine.so");
    if (!slash || access(path, R_OK) != 0)
        test_skip("fake_engine.so does not lie beside this program");
    set_variable("PATHCOUNT_CUDA_ENGINE", path);
    set_variable("FAKE_ENGINE", behaviour);
}
