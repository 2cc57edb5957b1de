/* The peak, measured: independent accumulators in registers, nothing loaded, nothing stored, but with AMX.
 *
 * A multiplication and an addition are two operations. Every loop has twice as many accumulators
 * as the instruction's latency needs on the machines known today.
 *
 * AMX has eight tiles. Four sums and four operands take them all, so a product loads a tile for each
 * instruction that multiplies, however it is cut into blocks. The loop loads them too, from the first cache: where two
 * threads share a core, loads and products hinder each other. */
#include "tests/bench/bench.h"
#include "tests/bench/child.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__
#include <immintrin.h>
#include <sys/syscall.h>

enum { N_ACCUMULATORS = 12 };

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

/* A bit of a register of cpuid's leaf 7. */
static bool cpuid_7(unsigned subleaf, int reg, int bit)
{
    unsigned r[4];
    __asm__ volatile("cpuid"
                     : "=a"(r[0]), "=b"(r[1]), "=c"(r[2]), "=d"(r[3])
                     : "a"(7), "c"(subleaf));
    return r[reg] >> bit & 1;
}

static bool has_avxvnni(void)
{
    return has_avx2() && cpuid_7(1, 0, 4);
}

static bool has_avx512vnni(void)
{
    return __builtin_cpu_supports("avx512vnni");
}

/* The operating system must also be asked to save the tiles. */
static bool has_amx(void)
{
    enum { ARCH_REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    return has_avx512vnni() && cpuid_7(0, 3, 24) && cpuid_7(0, 3, 25) &&
           syscall(SYS_arch_prctl, ARCH_REQUEST_PERMISSION, TILE_DATA) == 0;
}

/* The loops are whole in assembly: compilers spill accumulators that they see as an array.
 * Registers hold what they happen to hold; integer instructions take the same time for all. */
#define CLOBBERED                                                                                  \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",       \
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc"

static double run_avx2(long n_rounds)
{
    long left = n_rounds;
    __asm__ volatile("1: .irp sum, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
                     "vpmaddubsw %%ymm14, %%ymm15, %%ymm13\n"
                     "vpmaddwd %%ymm13, %%ymm14, %%ymm13\n"
                     "vpaddd %%ymm13, %%ymm\\sum, %%ymm\\sum\n"
                     ".endr\n"
                     "dec %0\n"
                     "jnz 1b\n"
                     "vzeroupper"
                     : "+r"(left)
                     :
                     : CLOBBERED);
    return (double)n_rounds * N_ACCUMULATORS * 32 * 2;
}

static double run_avxvnni(long n_rounds)
{
    long left = n_rounds;
    __asm__ volatile("1: .irp sum, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
                     "%{vex%} vpdpbusd %%ymm14, %%ymm15, %%ymm\\sum\n"
                     ".endr\n"
                     "dec %0\n"
                     "jnz 1b\n"
                     "vzeroupper"
                     : "+r"(left)
                     :
                     : CLOBBERED);
    return (double)n_rounds * N_ACCUMULATORS * 32 * 2;
}

static double run_avx512vnni(long n_rounds)
{
    long left = n_rounds;
    __asm__ volatile("1: .irp sum, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
                     "vpdpbusd %%zmm14, %%zmm15, %%zmm\\sum\n"
                     ".endr\n"
                     "dec %0\n"
                     "jnz 1b\n"
                     "vzeroupper"
                     : "+r"(left)
                     :
                     : CLOBBERED);
    return (double)n_rounds * N_ACCUMULATORS * 64 * 2;
}

/* Layout of the operand of ldtilecfg. */
typedef struct tile_shapes {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t n_rows[16];
} tile_shapes;

__attribute__((target("amx-tile,amx-int8"))) static double run_amx(long n_rounds)
{
    /* Static: gcc 12 takes ldtilecfg to read eight bytes only, and drops stores to the others. */
    static const tile_shapes shapes = {.palette = 1,
                                       .row_bytes = {64, 64, 64, 64, 64, 64, 64, 64},
                                       .n_rows = {16, 16, 16, 16, 16, 16, 16, 16}};
    _Alignas(64) int8_t tiles[4][1024] = {0};
    _tile_loadconfig(&shapes);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (long r = 0; r < n_rounds; r++) {
        _tile_loadd(6, tiles[0], 64);
        _tile_loadd(4, tiles[1], 64);
        _tile_dpbsud(0, 4, 6);
        _tile_loadd(7, tiles[2], 64);
        _tile_dpbsud(1, 4, 7);
        _tile_loadd(5, tiles[3], 64);
        _tile_dpbsud(2, 5, 6);
        _tile_dpbsud(3, 5, 7);
    }
    _tile_release();
    return (double)n_rounds * 4 * 16 * 16 * 64 * 2;
}

const peak_loop peak_loops[] = {
    {"amx", "tdpbsud, a tile loaded for each", has_amx, run_amx},
    {"avx512vnni", "vpdpbusd, 512 bit", has_avx512vnni, run_avx512vnni},
    {"avxvnni", "vpdpbusd, 256 bit", has_avxvnni, run_avxvnni},
    {"avx2", "vpmaddubsw vpmaddwd vpaddd, 256 bit", has_avx2, run_avx2},
    {NULL, NULL, NULL, NULL},
};
#else
const peak_loop peak_loops[] = {{NULL, NULL, NULL, NULL}};
#endif

/* Rounds that take about 0.05 s in one thread. */
static long calibrate(const peak_loop *loop)
{
    long n_rounds = 1000;
    for (;;) {
        double start = now_seconds();
        loop->run(n_rounds);
        double seconds = now_seconds() - start;
        if (seconds > 0.01)
            return (long)((double)n_rounds * 0.05 / seconds) + 1;
        n_rounds *= 4;
    }
}

/* The sum of what each thread reaches in its own time: one that started late or was interrupted does
 * not count as time of the others, as it does between barriers. */
double peak_measure(const peak_loop *loop, int n_threads)
{
    long n_rounds = calibrate(loop);
    double rate = 0;
#pragma omp parallel num_threads(n_threads) reduction(+ : rate)
    {
        loop->run(n_rounds / 4 + 1); /* the clock settles, and the threads find their processors */
#pragma omp barrier
        double start = now_seconds(), operations = loop->run(n_rounds);
        rate += operations / (now_seconds() - start);
    }
    return rate;
}

double peak_of_kernel(const char *kernel, int n_threads)
{
    for (const peak_loop *loop = peak_loops; loop->kernel != NULL; loop++) {
        if (strcmp(loop->kernel, kernel) != 0 || !loop->is_available())
            continue;
        bench_times rates = {0};
        for (int r = 0; r < 5; r++)
            times_add(&rates, peak_measure(loop, n_threads));
        return times_median(&rates);
    }
    return 0;
}

/* ---- The heading: on what machine, from what sources, when ------------------------------------- */

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void find_cpu_model(char *model, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(model, size, "unknown");
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(model, size, "%s", strchr(line, ':') + 2);
            break;
        }
    fclose(file);
}

static void find_commit(char *commit, size_t size)
{
    const char *const arguments[] = {"sh", "-c", "git describe --always --dirty 2>/dev/null", NULL};
    if (!child_ask(arguments, commit, size))
        snprintf(commit, size, "unknown");
}

static void describe(const char *what, const char *text)
{
    printf("%-10s %s\n", what, text);
    report_set_text("run", "machine", what, text);
}

void machine_describe(const bench_options *options)
{
    char text[256];
    double load[1];
    find_cpu_model(text, sizeof text);
    describe("CPU", text);
    snprintf(text, sizeof text, "%ld processors, %d threads used", sysconf(_SC_NPROCESSORS_ONLN),
             options->n_threads);
    describe("cores", text);
    describe("compiler", COMPILER);
    find_commit(text, sizeof text);
    describe("commit", text);
    time_t now = time(NULL);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", gmtime(&now));
    describe("date", text);
    if (getloadavg(load, 1) == 1 &&
        load[0] >= 0.5) { /* figures taken beside other work mean little */
        printf("%-10s %.1f: other programs were running, figures will be off\n", "load", load[0]);
        report_set("run", "machine", "load", load[0]);
    }
    for (const peak_loop *loop = peak_loops; loop->kernel != NULL; loop++) {
        double peak = peak_of_kernel(loop->kernel, options->n_threads);
        if (peak == 0)
            continue;
        printf("%-10s %.2f TOPS with %d threads (%s)\n", "peak", peak * 1e-12, options->n_threads,
               loop->text);
        report_set("run", "peak_ops_per_second", loop->kernel, peak);
    }
    fflush(stdout);
}
