/* The benchmark of tests/fake_engine.c: rows that repeat what was asked for, the last result wrong if the
 * environment variable FAKE_ENGINE is "wrong". */
#include "src/engine/engine.h"
#include "pathcount_measure.h"
#include "src/measure/bench.h"

#include <stdlib.h>
#include <string.h>

/* PCI_BENCHMARK_BUILD */
const char pci_engine_cuda_bench_build[] = PCI_ENGINE_BUILD;

/* PCI_ENGINE_BENCH: a row of each kind for each size. */
pc_status pci_engine_cuda_bench(pc_context *context, const pc_bench_options *options,
                                const pci_bench_report *report);

pc_status pci_engine_cuda_bench(pc_context *context, const pc_bench_options *options,
                                const pci_bench_report *report)
{
    const char *behaviour = getenv("FAKE_ENGINE");
    bool is_wrong = behaviour && strcmp(behaviour, "wrong") == 0;
    report->machine(report->user, &(pc_bench_machine){.device = "fake GPU",
                                                      .major = 9,
                                                      .n_multiprocessors = 132,
                                                      .highest_mhz = 1980,
                                                      .found_mhz = 345,
                                                      .driver = "1.0",
                                                      .runtime = "1.1",
                                                      .library = "12.5",
                                                      .library_missing = "",
                                                      .kernel = "fake"});
    pc_bench_row row = {
        .section = "ceilings", .name = "copy", .unit = "GB/s", .verified = "", .note = "n / 7"};
    row.milliseconds = 0.25 * options->n_rounds;
    row.rate = options->parts;
    report->row(report->user, &row);
    for (uint32_t i = 0; i < options->n_sizes; i++) {
        row = (pc_bench_row){.section = "products",
                             .name = "plane",
                             .n = options->sizes[i],
                             .milliseconds = 12.5,
                             .rate = 1099.5,
                             .unit = "TOPS",
                             .ratio = {{"cublas-s8", 1.25}, {"plain", 40}},
                             .verified = "CPU",
                             .note = ""};
        report->row(report->user, &row);
        row = (pc_bench_row){.section = "products",
                             .name = "none",
                             .unit = "",
                             .verified = "",
                             .note = "it is fake"};
        report->row(report->user, &row);
    }
    return is_wrong ? pci_fail(context, PC_ERR_CERTIFY, "fake result is wrong") : PC_OK;
}

/* PCI_ENGINE_LADDER: rows that repeat what was asked for. */
pc_status pci_engine_cuda_ladder(pc_context *context, const pc_ladder_options *options,
                                 const pci_ladder_report *report);

pc_status pci_engine_cuda_ladder(pc_context *context, const pc_ladder_options *options,
                                 const pci_ladder_report *report)
{
    const char *behaviour = getenv("FAKE_ENGINE");
    bool is_wrong = behaviour && strcmp(behaviour, "wrong") == 0;
    report->machine(report->user, &(pc_bench_machine){.device = "fake GPU",
                                                      .driver = "1.0",
                                                      .runtime = "1.1",
                                                      .library = "",
                                                      .library_missing = "it is fake",
                                                      .kernel = "fake"});
    pc_ladder_row row = {.kernel = "GPU9",
                         .source = "Fake, Faker, Figure 1.99",
                         .computes = "2 x 3 of C",
                         .n = options->n,
                         .block_x = 512,
                         .block_y = 2,
                         .registers = options->n_rounds,
                         .shared_bytes = 49152,
                         .occupancy = 0.375,
                         .transactions = 8.5e9,
                         .volume_bytes = 412.25e9,
                         .milliseconds = 12.5,
                         .gflops = 10995,
                         .of_library = 0.21875,
                         .speedup = 1.5,
                         .seed_device = "C1060",
                         .seed_gflops = 26,
                         .verified = "nothing",
                         .note = ""};
    report->row(report->user, &row);
    for (uint32_t k = 0; k < options->n_kernels; k++)
        report->row(report->user, &(pc_ladder_row){.kernel = options->kernels[k],
                                                   .source = "Fake, slide \"A title\"",
                                                   .computes = "",
                                                   .n = options->n,
                                                   .seed_device = "",
                                                   .verified = "",
                                                   .note = "it is fake"});
    return is_wrong ? pci_fail(context, PC_ERR_CERTIFY, "fake result is wrong") : PC_OK;
}
