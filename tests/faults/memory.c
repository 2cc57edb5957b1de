/* Knows the memory of the program: live blocks of the heap, anonymous mappings, the stack of the main
 * thread, static variables of the command and its library. Hits one place of it.
 *
 * Half of the faults of the heap choose a block first and a byte of it then: small blocks, such as
 * options, plans and accumulators, are hit as often as large ones. The others choose among all bytes. */
#define _GNU_SOURCE
#include "faults.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Live blocks ----------------------------------------------------------------------------- */

enum { MOST_BLOCKS = 1 << 16, N_SLOTS = 1 << 17 };

typedef struct block {
    uintptr_t at;
    size_t n_bytes;
    uintptr_t owner[OWNER_FRAMES];
    uint32_t next; /* in its slot; 0: none, else 1 + index */
} block;

static block blocks[MOST_BLOCKS];
static uint32_t slots[N_SLOTS]; /* 0: empty, else 1 + index of the first block */
static uint32_t n_blocks;
static bool is_watching;
static uintptr_t stack_top;
static pthread_spinlock_t lock;

static uint32_t slot_of(uintptr_t at)
{
    return (uint32_t)((at >> 4) * 0x9e3779b1u) & (N_SLOTS - 1);
}

void fault_call_stack(uintptr_t frame, uintptr_t *frames, int n_frames)
{
    memset(frames, 0, (size_t)n_frames * sizeof *frames);
    for (int i = 0; i < n_frames; i++) {
        const uintptr_t *at = (const uintptr_t *)frame;
        if (frame % 8 != 0 || frame + 16 > stack_top)
            return;
        frames[i] = at[1];
        if (at[0] <= frame)
            return;
        frame = at[0];
    }
}

static void add_block(void *at, size_t n_bytes, uintptr_t frame)
{
    if (!is_watching || !at || n_bytes == 0)
        return;
    pthread_spin_lock(&lock);
    if (n_blocks < MOST_BLOCKS) {
        block *b = &blocks[n_blocks++];
        uint32_t *slot = &slots[slot_of((uintptr_t)at)];
        *b = (block){.at = (uintptr_t)at, .n_bytes = n_bytes, .next = *slot};
        *slot = n_blocks;
        uintptr_t here = (uintptr_t)__builtin_frame_address(0);
        if (frame > here && frame < stack_top)
            fault_call_stack(frame, b->owner, OWNER_FRAMES - 1);
        b->owner[OWNER_FRAMES - 1] = fault_last_event; /* other libraries keep no chain of frames */
    }
    pthread_spin_unlock(&lock);
}

static uint32_t *link_to(uintptr_t at)
{
    uint32_t *link = &slots[slot_of(at)];
    while (*link != 0 && blocks[*link - 1].at != at)
        link = &blocks[*link - 1].next;
    return link;
}

static void remove_block(void *at)
{
    if (!is_watching || !at)
        return;
    pthread_spin_lock(&lock);
    uint32_t *link = link_to((uintptr_t)at);
    if (*link != 0) {
        uint32_t index = *link - 1, last = n_blocks - 1;
        *link = blocks[index].next;
        if (index != last) {
            *link_to(blocks[last].at) = index + 1;
            blocks[index] = blocks[last];
        }
        n_blocks--;
    }
    pthread_spin_unlock(&lock);
}

void fault_memory_begin(uintptr_t stack_end)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    stack_top = stack_end;
    is_watching = true;
}

/* ---- Allocations ----------------------------------------------------------------------------- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

#define FRAME   ((uintptr_t)__builtin_frame_address(0))
#define EVENT() fault_event((uintptr_t)__builtin_return_address(0), FRAME)

void *malloc(size_t n)
{
    EVENT();
    void *at = __libc_malloc(n);
    add_block(at, n, FRAME);
    return at;
}

void *calloc(size_t n, size_t size)
{
    EVENT();
    void *at = __libc_calloc(n, size);
    add_block(at, n * size, FRAME);
    return at;
}

void *realloc(void *old, size_t n)
{
    EVENT();
    remove_block(old);
    void *at = __libc_realloc(old, n);
    add_block(at, n, FRAME);
    return at;
}

void free(void *at)
{
    EVENT();
    remove_block(at);
    __libc_free(at);
}

void *aligned_alloc(size_t alignment, size_t n)
{
    EVENT();
    void *at = __libc_memalign(alignment, n);
    add_block(at, n, FRAME);
    return at;
}

void *memalign(size_t alignment, size_t n)
{
    return aligned_alloc(alignment, n);
}

int posix_memalign(void **place, size_t alignment, size_t n)
{
    *place = aligned_alloc(alignment, n);
    return *place ? 0 : 12;
}

void *mmap(void *wish, size_t n, int protection, int flags, int file, off_t offset)
{
    void *at = (void *)syscall(SYS_mmap, wish, n, protection, flags, file, offset);
    if (at != MAP_FAILED && (flags & MAP_ANONYMOUS) && (protection & PROT_WRITE))
        add_block(at, n, FRAME);
    return at;
}

int munmap(void *at, size_t n)
{
    remove_block(at);
    return (int)syscall(SYS_munmap, at, n);
}

/* ---- Static variables and functions ---------------------------------------------------------- */

enum { MOST_SYMBOLS = 1 << 14 };

typedef struct symbol {
    const char *name;
    uintptr_t at;
    size_t n_bytes;
    bool is_function;
} symbol;

static symbol symbols[MOST_SYMBOLS];
static uint32_t n_symbols, variables[MOST_SYMBOLS], n_variables;

static bool is_writable_section(const Elf64_Shdr *section, const char *name)
{
    return (section->sh_flags & SHF_WRITE) && !(section->sh_flags & SHF_TLS) &&
           (strcmp(name, ".data") == 0 || strcmp(name, ".bss") == 0);
}

static void take_symbols(const char *file, const Elf64_Shdr *sections, const char *names,
                         const Elf64_Shdr *table, uintptr_t base)
{
    const Elf64_Sym *all = (const Elf64_Sym *)(file + table->sh_offset);
    const char *text = file + sections[table->sh_link].sh_offset;
    for (size_t i = 0; i < table->sh_size / sizeof *all && n_symbols < MOST_SYMBOLS; i++) {
        const Elf64_Sym *s = &all[i];
        int type = ELF64_ST_TYPE(s->st_info);
        if (s->st_size == 0 || s->st_shndx == SHN_UNDEF || s->st_shndx >= SHN_LORESERVE)
            continue;
        const Elf64_Shdr *in = &sections[s->st_shndx];
        bool is_variable = type == STT_OBJECT && is_writable_section(in, names + in->sh_name);
        if (!is_variable && type != STT_FUNC)
            continue;
        if (is_variable)
            variables[n_variables++] = n_symbols;
        symbols[n_symbols++] =
            (symbol){text + s->st_name, base + s->st_value, s->st_size, !is_variable};
    }
}

static int take_object(struct dl_phdr_info *info, size_t size, void *user)
{
    const char *path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    struct stat found;
    (void)size, (void)user;
    if (*info->dlpi_name && !strstr(path, "libpathcount"))
        return 0;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &found) != 0)
        return 0;
    char *file = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (file == MAP_FAILED)
        return 0;
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + head->e_shoff);
    const char *names = file + sections[head->e_shstrndx].sh_offset;
    for (int i = 0; i < head->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB)
            take_symbols(file, sections, names, &sections[i], info->dlpi_addr);
    return 0;
}

void fault_statics_find(void)
{
    dl_iterate_phdr(take_object, NULL);
}

bool fault_function_range(const char *name, uintptr_t *begin, uintptr_t *end)
{
    for (uint32_t i = 0; i < n_symbols; i++)
        if (symbols[i].is_function && strcmp(symbols[i].name, name) == 0) {
            *begin = symbols[i].at;
            *end = symbols[i].at + symbols[i].n_bytes;
            return true;
        }
    return false;
}

/* ---- One fault ------------------------------------------------------------------------------- */

enum { STACK_PERCENT = 20, STATIC_PERCENT = 10, ZERO_PERCENT = 20, RANDOM_PERCENT = 20 };

static const block *choose_block(uint64_t *random)
{
    uint64_t total = 0;
    if (fault_random(random) % 2 == 0)
        return &blocks[fault_random(random) % n_blocks];
    for (uint32_t i = 0; i < n_blocks; i++)
        total += blocks[i].n_bytes;
    uint64_t byte = fault_random(random) % total;
    for (uint32_t i = 0;; i++) {
        if (byte < blocks[i].n_bytes)
            return &blocks[i];
        byte -= blocks[i].n_bytes;
    }
}

/* The function whose frame has the address; frame: that of the function with the fault, at pc. */
static uintptr_t owner_on_stack(uintptr_t address, uintptr_t frame, uintptr_t pc)
{
    while (frame % 8 == 0 && frame < address && frame + 16 <= stack_top) {
        const uintptr_t *at = (const uintptr_t *)frame;
        if (at[0] <= frame)
            return 0;
        pc = at[1];
        frame = at[0];
    }
    return pc;
}

static void choose_region(uint64_t *random, uintptr_t stack_begin, fault_place *place)
{
    uint64_t percent = fault_random(random) % 100;
    if (percent < STACK_PERCENT || n_blocks == 0) {
        place->region = "stack";
        place->block = stack_begin;
        place->block_bytes = stack_top - stack_begin;
    } else if (percent < STACK_PERCENT + STATIC_PERCENT && n_variables > 0) {
        const symbol *s = &symbols[variables[fault_random(random) % n_variables]];
        place->region = "static";
        place->block = s->at;
        place->block_bytes = s->n_bytes;
        place->name = s->name;
    } else {
        const block *b = choose_block(random);
        place->region = "heap";
        place->block = b->at;
        place->block_bytes = b->n_bytes;
        memcpy(place->owner, b->owner, sizeof b->owner);
    }
}

/* A single bit, or a word of 1, 4 or 8 bytes that becomes 0 or anything. */
void fault_hit(uint64_t *random, uintptr_t frame, fault_place *place)
{
    static const uint32_t sizes[] = {1, 4, 8, 8};
    choose_region(random, frame + 16, place);
    uint64_t percent = fault_random(random) % 100,
             offset = fault_random(random) % place->block_bytes;
    uint32_t size = sizes[fault_random(random) % 4];
    offset -= offset % size;
    bool is_bit = percent >= ZERO_PERCENT + RANDOM_PERCENT || offset + size > place->block_bytes;
    uint64_t value = 0, change = fault_random(random);
    unsigned char *at = (unsigned char *)place->block + offset;
    if (strcmp(place->region, "stack") == 0)
        place->owner[0] =
            owner_on_stack((uintptr_t)at, *(uintptr_t *)frame, ((uintptr_t *)frame)[1]);
    size = is_bit ? 1 : size;
    memcpy(&value, at, size);
    place->before = value;
    if (is_bit || (percent < ZERO_PERCENT && value == 0)) {
        place->kind = "bit";
        value ^= 1u << change % 8;
    } else {
        place->kind = percent < ZERO_PERCENT ? "zero" : "random";
        value = percent < ZERO_PERCENT ? 0 : change;
    }
    place->after = size == 8 ? value : value & ((1ull << 8 * size) - 1);
    place->offset = offset;
    place->n_bytes = size;
    memcpy(at, &value, size);
}
