/* pc_devices: the devices of this machine, and how large a graph each can take. The CUDA engine
 * describes the GPUs. The largest graph is found by trying plans, for GPUs and for the
 * processors. */
#include "src/plan/engines.h"
#include "pathcount_measure.h"
#include "src/count/square.h"
#include "src/core/memory.h"

#include <math.h>
#include <string.h>

enum {
    COUNT_BITS = 64,
    MATRICES = 3, /* two factors and their product */
    CERTIFY_ROUNDS = 2
};

typedef struct listing {
    const pc_context *context; /* the caller's: its devices are the chosen ones */
    pc_context own;            /* a copy, to plan for one device or another */
    pc_graph graph;            /* so many vertices, no arcs: what plans are tried for */
    bool has_cuda; /* the engine opens on the caller's devices, "auto" being the first */
    pc_device_fn tell;
    void *user;
} listing;

/* ---- How large a graph fits ------------------------------------------------------------------ */

static uint64_t largest_in_theory(uint64_t memory_bytes)
{
    uint64_t most = memory_bytes / (MATRICES * COUNT_BITS / 8), n = (uint64_t)sqrt((double)most);
    return n * n > most ? n - 1 : n;
}

/* Whether paths can be counted in a graph of n vertices, as plans have it: A as one plain plane, a
 * square in residues for 64 bits, and its square. */
static bool fits(listing *listing, uint64_t n)
{
    const pci_engine *engine = &pci_engine_cpu;
    pci_moduli moduli;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    listing->graph.n = n;
    pci_question question = {.context = &listing->own,
                             .graph = &listing->graph,
                             .kind = pci_kind_row(PC_QUERY_MATRIX),
                             .query = {.kind = PC_QUERY_MATRIX, .length = 4},
                             .options.n_certify_rounds = CERTIFY_ROUNDS,
                             .moduli = &moduli,
                             .available_bytes = pci_memory_available(&listing->own)};
    pc_plan_info dense = pci_info_of(&question);
    dense.n_levels = 3;
    for (int l = 0; l < 3; l++)
        dense.levels[l] = (pc_level){.length = 1u << l, .bound_bits = l ? COUNT_BITS : 0};
    if (listing->own.devices.kind == PCI_DEVICE_CUDA &&
        pci_engine_cuda(&listing->own, &engine) != PC_OK)
        return false;
    pci_plan plan = {0};
    question.dense = &dense;
    return pci_square_plan(&question, 0, engine, &plan) == PC_OK && plan.status == PC_OK;
}

static uint64_t largest_in_plans(listing *listing, pci_devices devices)
{
    uint64_t fitting = 0, too_large = PCI_MAX_DENSE_VERTICES + 1;
    listing->own.devices = devices;
    while (too_large - fitting > 1) {
        uint64_t n = fitting + (too_large - fitting) / 2;
        if (fits(listing, n))
            fitting = n;
        else
            too_large = n;
    }
    return fitting;
}

/* ---- The processors -------------------------------------------------------------------------- */

static void tell_processors(listing *listing)
{
    char name[PCI_PROCESSOR_NAME_BYTES];
    pci_engine_info info;
    const pci_devices *wanted = &listing->context->devices;
    pci_processor_name(name, sizeof name);
    pc_device device = {
        .engine = pci_engine_cpu.name, .index = -1, .name = name, .missing = "", .kernel = ""};
    if (pci_engine_cpu.describe(&listing->own, &info) != PC_OK) {
        device.missing = listing->own.message;
    } else {
        device.is_chosen = wanted->kind == PCI_DEVICE_CPU ||
                           (wanted->kind == PCI_DEVICE_AUTO && !listing->has_cuda);
        device.kernel = info.kernel;
        device.memory_bytes = pci_memory_now("", &listing->context->groups).total;
        device.free_bytes = pci_memory_available(listing->context);
        device.n_multiprocessors = pci_n_threads(listing->context);
        device.largest_n_theory = largest_in_theory(device.memory_bytes);
        device.largest_n_plan = largest_in_plans(listing, (pci_devices){.kind = PCI_DEVICE_CPU});
    }
    listing->tell(listing->user, &device);
}

/* ---- GPUs ------------------------------------------------------------------------------------ */

static bool is_wanted(const pci_devices *wanted, int index)
{
    bool is_named = wanted->all || (wanted->kind == PCI_DEVICE_AUTO && index == 0);
    for (int d = 0; d < wanted->n; d++)
        is_named = is_named || wanted->index[d] == index;
    return is_named;
}

/* The engine tells of a GPU. */
static void tell_gpu(void *user, const pc_device *told)
{
    listing *listing = user;
    pc_device device = *told;
    if (!*told->missing) {
        pci_devices alone = {.kind = PCI_DEVICE_CUDA, .n = 1, .index = {told->index}};
        device.is_chosen = listing->has_cuda && is_wanted(&listing->context->devices, told->index);
        device.largest_n_theory = largest_in_theory(told->memory_bytes);
        device.largest_n_plan = largest_in_plans(listing, alone);
    }
    listing->tell(listing->user, &device);
}

/* Opens the engine on the devices of the caller. If these cannot be had, it is opened on the first
 * GPU, as there may be others to list. *engine stays NULL, and the message says why, when that
 * fails too. */
static void find_cuda(listing *listing, const pci_engine **engine)
{
    pc_status status = pci_engine_cuda(&listing->own, engine);
    listing->has_cuda = status == PC_OK;
    if (status != PC_OK && listing->own.devices.kind == PCI_DEVICE_CUDA) {
        listing->own.devices = (pci_devices){.kind = PCI_DEVICE_AUTO};
        pci_engine_cuda(&listing->own, engine);
    }
}

static void tell_missing(const listing *listing, const char *why)
{
    pc_device none = {.engine = "cuda", .name = "", .missing = why, .kernel = ""};
    listing->tell(listing->user, &none);
}

pc_status pc_devices(pc_context *context, pc_device_fn tell, void *user)
{
    if (!context || !tell)
        return pci_fail_null(context, "tell");
    char why[sizeof context->message];
    const pci_engine *cuda = NULL; /* stays so without a CUDA engine */
    size_t n_words = PCI_MAX_DENSE_VERTICES + 1;
    listing listing = {.context = context, .own = *context, .tell = tell, .user = user};
    listing.graph.symmetric = true;
    listing.graph.row_start = pci_alloc_zero(context, n_words, sizeof *listing.graph.row_start);
    if (!listing.graph.row_start)
        return pci_fail_memory(context, "the rows of a graph", n_words * sizeof(uint64_t));
    find_cuda(&listing, &cuda);
    memcpy(why, listing.own.message, sizeof why);
    tell_processors(&listing);
    if (!cuda)
        tell_missing(&listing, why);
    else if (cuda->list_devices(&listing.own, tell_gpu, &listing) != PC_OK)
        tell_missing(&listing, listing.own.message);
    pci_free(context, listing.graph.row_start);
    return PC_OK;
}
