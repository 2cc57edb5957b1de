/* What every count asks of its options. */
#include "src/plan/options.h"

#include <inttypes.h>

enum { DEFAULT_CERTIFY_ROUNDS = 2, MAX_CERTIFY_ROUNDS = 64 };

pc_status pci_options_complete(pc_context *context, const pc_count_options *given,
                               pc_count_options *complete)
{
    pc_count_options options = given ? *given : (pc_count_options){0};
    int n_rounds = options.n_certify_rounds;
    if ((unsigned)options.arithmetic > PC_FLOAT)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown arithmetic %d", (int)options.arithmetic);
    if ((unsigned)options.method > PC_METHOD_RECURRENCE)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown method %d", (int)options.method);
    if (options.arithmetic == PC_MODULAR &&
        (options.modulus < 2 || options.modulus >= UINT64_C(1) << 63))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "modulus %" PRIu64 ": give one from 2 to 2^63 - 1", options.modulus);
    if (options.arithmetic != PC_MODULAR && options.modulus != 0)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "modulus is %" PRIu64 ", and arithmetic is not PC_MODULAR: set both, or "
                        "leave modulus 0",
                        options.modulus);
    if (n_rounds < PC_CERTIFY_NONE || n_rounds > MAX_CERTIFY_ROUNDS)
        return pci_fail(context, PC_ERR_ARGUMENT, "%d rounds of certificate: give 0 to %d",
                        n_rounds, MAX_CERTIFY_ROUNDS);
    options.n_certify_rounds = n_rounds == PC_CERTIFY_NONE ? 0
                               : n_rounds == 0             ? DEFAULT_CERTIFY_ROUNDS
                                                           : n_rounds;
    *complete = options;
    return PC_OK;
}
