/* The work of each part of a count. A formula follows the loop that it describes, and is simple on
 * purpose: pc_calibrate measures the rates through the same formulas, so what a formula
 * leaves out is contained in its rate. */
#include "src/plan/cost.h"

#include "src/cpu/row_ops.h"
#include "src/cpu/run.h"
#include "src/cpu/swept_rows.h"
#include "src/engine/engine.h"

#include <math.h>

enum {
    LINE = 64,        /* entries that rows of planes are padded to */
    BLOCK = 32,       /* of products: those on the diagonal of a symmetric one are done in full */
    ARC_BYTES = 20,   /* of a line in the time that finding it takes */
    ROW_BYTES = 3000, /* the same of a row */
    LOOK_BYTES = 100, /* the same of asking whether an arc's line is live, while few lines are */
    FEW_PART = 4,     /* of the lines */
    CARRIED = 7,      /* lines in the time that carries of one of several words take */
    MOST_SAMPLES = 4096,
    WORD_BITS = 64,
    EXTEND_LEAST = 8, /* residues that one is made of in the time that making it takes anyway ... */
    EXTEND_LEAST_PLAIN = 10, /* ... where they are too many for pairs */
    COLLECT_LEAST = 16 /* products of residues and limbs in the time that an entry takes anyway */
};

/* Threads are woken and joined in about so long, and in so much more for each. Every count takes
 * START_SECONDS: limits, and what memory there is. */
static const double WAKE_SECONDS = 8e-6, WAKE_THREAD_SECONDS = 1e-6, START_SECONDS = 0.03e-3;

/* Each thread makes the others so much slower, and all together no more than so many times, because
 * threads share cores, caches and memory, and wait for each other. Measured with 1 to 16 threads of
 * a Xeon of 16 virtual processors; rates are those of one of two threads. */
static const double SLOWER_BY_EACH = 0.03, MOST_SLOWER = 2.5;

/* A line from the cache that processors share takes so many times as long as one from a processor's
 * own. */
static const double SHARED_CACHE = 2.3;

/* Work of single exact vectors, in arcs of a pass: by a step for each arc, for each word of an arc
 * and for each row; by a round of checks to begin with, and for each word. */
static const double NARROW_ARC = 0.7, NARROW_ROW = 9;                   /* of one word */
static const double WIDE_ARC_WORD = 1, WIDE_ROW = 3, WIDE_ROW_WORD = 5; /* of several */
static const double CHECK_ARC = 0.46, CHECK_ROW = 13, CHECK_WORD = 2.4;

/* An arc that comes from memory takes so much more of what one takes whose number is one word. */
static const double FAR_ARC = 0.7;

/* A product of a residue and a limb, where they are too many for pairs, in the time of one of
 * pairs; and for very many, trees leave so many of them to GMP (src/residues/crt.h). */
static const double COLLECT_PLAIN = 1.35, TREE_PRODUCTS = 175e3, TREE_EXPONENT = 0.15;

static void add(pci_work *work, pci_part part, double units)
{
    work->units[part] += units;
}

double pci_cost_threads(int n_threads)
{
    double slower = fmin(1 + SLOWER_BY_EACH * (n_threads - 1), MOST_SLOWER);
    return n_threads * (1 + SLOWER_BY_EACH) / slower;
}

/* Returns how many times as long work takes with so many threads as with all threads of the
 * context. */
static double share_of_threads(const pc_context *context, int n_threads)
{
    return pci_cost_threads(pci_n_threads(context)) / pci_cost_threads(n_threads);
}

static double mean_degree(const pc_graph *graph)
{
    return graph->n ? (double)pci_graph_n_arcs(graph) / (double)graph->n : 0;
}

/* ---- Products -------------------------------------------------------------------------------- */

static void cost_square(const pc_plan_info *info, const pc_level *level, pci_work *work)
{
    double n = LINE * ceil((double)info->n_vertices / LINE), full = 2 * n * n * n;
    double part = info->symmetric ? fmin(1, 0.5 + BLOCK / (2 * n)) : 1;
    add(work, PCI_PART_PRODUCT, level->n_products * full * part);
    add(work, PCI_PART_PLANE,
        (2.0 * level->n_products + (level->n_moduli ? level->n_moduli : 1)) * n * n);
    add(work, PCI_PART_BATCH, level->n_products);
}

/* The share of the entries of a symmetric matrix from which the others are copied, by chunks. */
static double share_of_entries(const pc_plan_info *info)
{
    return info->symmetric ? fmin(1, 0.5 + LINE / (2 * (double)info->n_vertices + 1)) : 1;
}

/* ---- Sweeps ---------------------------------------------------------------------------------- */

/* The part of so many bytes that is beyond the caches. */
static double far_share_of(const pc_context *context, double bytes)
{
    double cache_bytes = (double)pci_cache_bytes(context, pci_n_threads(context));
    return bytes > cache_bytes ? 1 - cache_bytes / bytes : 0;
}

/* Divides units that read from so many bytes: those within the cache belong to part `near`, the
 * others to the part after it. */
static void add_by_distance(const pc_context *context, pci_part near, double bytes, double units,
                            pci_work *work)
{
    double far_share = far_share_of(context, bytes);
    add(work, near, units * (1 - far_share));
    if (far_share > 0)
        add(work, near + 1, units * far_share);
}

/* Bytes of an entry of so many bits: a lane, after limbs with headroom for the largest degree, of
 * which nothing is known here but that it is beyond the mean. */
static double entry_bytes(const pc_graph *graph, double bits)
{
    double limb_bits = WORD_BITS - ceil(log2(3 * mean_degree(graph) + 4));
    double n_low = bits > WORD_BITS ? ceil((bits - WORD_BITS) / limb_bits) : 0;
    if (graph->weight)
        return 8 * (n_low + 1);
    double rest = bits - n_low * limb_bits; /* in the narrowest lane for it */
    return 8 * n_low + (rest <= 8 ? 1 : rest <= 16 ? 2 : rest <= 32 ? 4 : 8);
}

/* Returns the bits of entries after so many steps. A sum of residues has as many summands as a row
 * has arcs. */
static double swept_bytes(const pc_graph *graph, const pci_sweep_work *sweeps, uint64_t n_steps)
{
    if (sweeps->modulus)
        return entry_bytes(graph, log2((double)sweeps->modulus) + log2(mean_degree(graph) + 1));
    return entry_bytes(graph, sweeps->bits * (double)n_steps / (double)sweeps->length);
}

/* Vectors that begin at a vertex each reach more vertices with each step; what none has reached
 * costs nothing, but that all arcs of a directed graph are looked at. */
void pci_cost_sweeps(const pc_context *context, const pc_graph *graph, const pci_sweep_work *sweeps,
                     pci_work *work)
{
    double n = (double)graph->n, n_vectors = (double)sweeps->n_vectors;
    double widest = swept_bytes(graph, sweeps, sweeps->length),
           n_together = pci_swept_width(widest);
    double block = fmin(n_vectors, n_together), n_blocks = ceil(n_vectors / n_together);
    double reached = fmin(block * fmax(1, sweeps->n_starts), n), bytes = 0;
    uint64_t stride = 1 + sweeps->length / MOST_SAMPLES; /* of very many lengths, some */
    for (uint64_t l = 1; l <= sweeps->length && l + stride > l; l += stride) {
        double entry = swept_bytes(graph, sweeps, l);
        bool is_carried = entry > 8 || sweeps->modulus;
        double n_lines = (double)pci_graph_n_arcs(graph) + n * (is_carried ? CARRIED : 1);
        double beside = (double)pci_graph_n_arcs(graph) * ARC_BYTES + n * ROW_BYTES;
        bool looks = !graph->symmetric && reached < n / FEW_PART;
        bytes += (double)stride * (reached / (n + 1)) *
                 (n_lines * entry * n_vectors + beside * n_blocks);
        bytes +=
            looks ? (double)stride * n_blocks * (double)pci_graph_n_arcs(graph) * LOOK_BYTES : 0;
        reached = fmin(n, reached * (1 + mean_degree(graph)));
    }
    double blocks_bytes = 2 * n * block * widest, own_bytes = (double)context->own_cache_bytes;
    double own_share = blocks_bytes > own_bytes ? own_bytes / blocks_bytes : 1;
    pci_work lines = {{0}};
    add_by_distance(context, PCI_PART_SWEEP, blocks_bytes, bytes, &lines);
    add(work, PCI_PART_SWEEP,
        lines.units[PCI_PART_SWEEP] * (own_share + SHARED_CACHE * (1 - own_share)));
    add(work, PCI_PART_SWEEP_FAR, lines.units[PCI_PART_SWEEP_FAR]);
    add(work, PCI_PART_ROWS, n * n_vectors * sweeps->n_limbs);
}

static void cost_swept_level(const pc_context *context, const pc_graph *graph,
                             const pc_plan_info *info, const pc_level *level, pci_work *work)
{
    bool has_blocks = info->n_blocks && info->n_levels == 1; /* a hybrid sweeps vertices first */
    pci_sweep_work sweeps = {.n_vectors = has_blocks ? info->n_blocks : info->n_vertices,
                             .n_starts =
                                 has_blocks ? (double)info->n_vertices / (double)info->n_blocks : 1,
                             .length = level->length,
                             .bits = level->bound_bits,
                             .modulus = info->n_levels == 1 ? info->modulus : 0,
                             .n_limbs = (uint32_t)(level->bound_bits / WORD_BITS) + 1};
    pci_cost_sweeps(context, graph, &sweeps, work);
    if (info->n_levels > 1) /* words become planes */
        add(work, PCI_PART_EXTEND,
            (double)info->n_vertices * (double)info->n_vertices * (level->n_moduli + 1));
}

/* ---- All of it ------------------------------------------------------------------------------- */

void pci_cost_level(const pc_context *context, const pc_graph *graph, const pc_plan_info *info,
                    uint32_t level, pci_work *work)
{
    const pc_level *this = &info->levels[level], *before = this - (level > 0);
    double n = (double)info->n_vertices, n_blocks = (double)info->n_blocks;
    if (this->is_swept) {
        cost_swept_level(context, graph, info, this, work);
        return;
    }
    if (level == 0) {
        add(work, PCI_PART_PLANE, n * n);
        return;
    }
    if (before->n_moduli && this->n_moduli > before->n_moduli && !this->is_by_digits) {
        double n_least = before->n_moduli > PCI_MAX_PAIRED ? EXTEND_LEAST_PLAIN : EXTEND_LEAST;
        add(work, PCI_PART_EXTEND,
            n * n * share_of_entries(info) * (this->n_moduli - before->n_moduli) *
                (1 + before->n_moduli / n_least));
    }
    if (this->is_step)
        add(work, PCI_PART_STEP, this->n_products * n * (n + (double)pci_graph_n_arcs(graph)));
    if (this->is_diagonal) {
        add(work, PCI_PART_PLANE, n * n * this->n_moduli);
    } else if (this->is_reduced) {
        /* Rows and columns are summed first, in as many reads as a step of one arc a vertex. */
        add(work, PCI_PART_PRODUCT,
            this->n_products * 2 * n_blocks * n_blocks * n * (info->symmetric ? 0.5 : 1));
        add(work, PCI_PART_PLANE, 3.0 * this->n_products * n * n);
    } else if (!this->is_step) {
        cost_square(info, this, work);
    }
}

static void cost_passes(const pc_context *context, const pc_graph *graph, double n_passes,
                        int n_threads, pci_work *work)
{
    double n_operations = (double)pci_graph_n_arcs(graph) + (double)graph->n;
    add_by_distance(context, PCI_PART_PASS, (double)graph->n * 2 * sizeof(double),
                    n_passes * n_operations * share_of_threads(context, n_threads), work);
}

void pci_cost_passes(const pc_context *context, const pc_graph *graph, double n_passes,
                     pci_work *work)
{
    int n_threads = pci_threads_for(context, (double)pci_graph_n_arcs(graph) + (double)graph->n);
    cost_passes(context, graph, n_passes, n_threads, work);
}

void pci_cost_serial_passes(const pc_context *context, const pc_graph *graph, double n_passes,
                            pci_work *work)
{
    cost_passes(context, graph, n_passes, 1, work);
}

void pci_cost_single(const pc_context *context, const pc_graph *graph,
                     const pci_single_work *single, pci_work *work)
{
    double n = (double)graph->n, n_arcs = (double)pci_graph_n_arcs(graph), n_words = 1;
    double slower = 1 + FAR_ARC * far_share_of(context, n_arcs * sizeof(uint32_t));
    double units = single->n_rounds * (CHECK_ARC * n_arcs * slower + CHECK_ROW * n);
    uint64_t stride = 1 + single->n_steps / MOST_SAMPLES; /* of very many steps, some */
    for (uint64_t l = 1; l <= single->n_steps && l + stride > l; l += stride) {
        double before = n_words;
        n_words = fmax(1, ceil(single->growth_bits * (double)l / WORD_BITS));
        double step =
            n_words > 1 ? n_arcs * WIDE_ARC_WORD * before + n * (WIDE_ROW + WIDE_ROW_WORD * n_words)
                        : n_arcs * NARROW_ARC * slower + n * NARROW_ROW;
        double check = single->n_rounds * CHECK_WORD * n * n_words;
        int step_threads = pci_threads_for(context, (n_arcs + n) * before),
            check_threads = pci_threads_for(context, 4 * n * n_words);
        units += (double)stride * (step * share_of_threads(context, step_threads) +
                                   check * share_of_threads(context, check_threads));
    }
    add_by_distance(context, PCI_PART_PASS, n * 2 * sizeof(uint64_t) * n_words, units, work);
}

void pci_cost_around(const pc_context *context, const pc_graph *graph, const pc_plan_info *info,
                     int n_rounds, pci_work *work)
{
    double rows = info->n_blocks ? (double)info->n_blocks : (double)info->n_vertices;
    const pc_level *last = &info->levels[info->n_levels ? info->n_levels - 1 : 0];
    bool by_levels = info->modulus && info->n_levels && !last->is_swept;
    if (by_levels) /* residues have no limits, and each level is certified by the one before */
        add(work, PCI_PART_CERTIFY, rows * rows * info->n_levels * 2 * n_rounds);
    else
        pci_cost_passes(context, graph, (double)info->length * (1 + n_rounds), work);
    if (pci_plan_is_diagonal(info))
        return; /* P is certified on the device */
    add(work, PCI_PART_CERTIFY, rows * rows * info->n_limbs * n_rounds);
    if (!info->n_levels || last->is_swept || last->is_direct)
        return;
    double n_products = (double)last->n_moduli * info->n_limbs;
    if (last->n_moduli > PCI_MAX_PAIRED)
        n_products *= COLLECT_PLAIN * fmin(1, pow(TREE_PRODUCTS / n_products, TREE_EXPONENT));
    if (last->n_moduli > PCI_N_NARROW) /* all rows at once: see pci_plan_block_rows */
        n_products *= share_of_entries(info);
    add(work, PCI_PART_COLLECT, rows * rows * (n_products + COLLECT_LEAST));
}

double pci_cost_level_seconds(const pc_context *context, const pc_graph *graph,
                              const pc_plan_info *info, uint32_t level)
{
    pci_work work = {{0}};
    pci_cost_level(context, graph, info, level, &work);
    int n_threads = info->levels[level].is_swept ? pci_n_threads(context)
                                                 : pci_run_n_threads(context, info->n_vertices);
    return pci_cost_seconds(context, &work) * share_of_threads(context, n_threads);
}

void pci_cost_plan(const pc_context *context, const pc_graph *graph, int n_rounds,
                   pc_plan_info *info)
{
    pci_work around = {{0}};
    pci_cost_around(context, graph, info, n_rounds, &around);
    info->predicted_seconds = START_SECONDS + pci_cost_seconds(context, &around);
    for (uint32_t l = 0; l < info->n_levels; l++) {
        info->levels[l].predicted_seconds = pci_cost_level_seconds(context, graph, info, l);
        info->predicted_seconds += info->levels[l].predicted_seconds;
    }
}

/* Rates of an H100 with 64 vectors of an R-MAT graph of 2^18 vertices: bytes of lines added up, and
 * of rows to the host. */
static const double SWEPT_BYTES_PER_SECOND = 5e12, ROW_BYTES_PER_SECOND = 25e9;

double pci_cost_device_sweep_seconds(const pci_work *work)
{
    double bytes = work->units[PCI_PART_SWEEP] + work->units[PCI_PART_SWEEP_FAR];
    return bytes / SWEPT_BYTES_PER_SECOND +
           work->units[PCI_PART_ROWS] * sizeof(uint64_t) / ROW_BYTES_PER_SECOND;
}

double pci_cost_query_seconds(const pc_context *context, const pci_work *work)
{
    return START_SECONDS + pci_cost_seconds(context, work);
}

double pci_cost_seconds(const pc_context *context, const pci_work *work)
{
    double alone = 0, n_kinds = 0;
    for (int p = 0; p < PCI_N_PARTS; p++) {
        alone += work->units[p] / context->rates.per_second[p];
        n_kinds += work->units[p] > 0;
    }
    int n_threads = pci_threads_for(context, alone * 1e9);
    double wake = n_threads > 1 ? WAKE_SECONDS + WAKE_THREAD_SECONDS * n_threads : 0;
    return alone / pci_cost_threads(n_threads) + wake * n_kinds;
}
