/* Sequences that are known: their recurrences, which the On-Line Encyclopedia of Integer Sequences (oeis.org)
 * lists as signatures, and their first terms come out of counting paths. Those without a number are moves of a knight
 * and a king that were counted from square to square. */
#include "tests/support/fixture.h"

#include "pathcount_recurrence.h"

CASE_CONTEXT(context)

RELEASE_BY_FREE(pc_recurrence)

enum { N_TERMS = 30, MOST_ORDER = 33 };

typedef struct known {
    const char *name; /* number in the encyclopedia, or what it is */
    const char
        *graph; /* matrix of adjacency: rows, digits between blanks, "/" after each row but the
                          last; or a shape (below) and its sizes */
    pc_query_kind kind; /* PC_QUERY_PAIRS, from and to, PC_QUERY_TRACE or PC_QUERY_TOTAL */
    uint64_t from, to;
    const char *signature, *initial; /* as many zeros end the signature as terms come before it */
} known;

#define FROM_TO(U, V) PC_QUERY_PAIRS, U, V
#define TRACE         PC_QUERY_TRACE, 0, 0
#define TOTAL         PC_QUERY_TOTAL, 0, 0

#define PETERSEN                                                                                   \
    "0 1 0 0 1 1 0 0 0 0/"                                                                         \
    "1 0 1 0 0 0 1 0 0 0/"                                                                         \
    "0 1 0 1 0 0 0 1 0 0/"                                                                         \
    "0 0 1 0 1 0 0 0 1 0/"                                                                         \
    "1 0 0 1 0 0 0 0 0 1/"                                                                         \
    "1 0 0 0 0 0 0 1 1 0/"                                                                         \
    "0 1 0 0 0 0 0 0 1 1/"                                                                         \
    "0 0 1 0 0 1 0 0 0 1/"                                                                         \
    "0 0 0 1 0 1 1 0 0 0/"                                                                         \
    "0 0 0 0 1 0 1 1 0 0"
#define HEAWOOD                                                                                    \
    "0 1 0 0 0 1 0 0 0 0 0 0 0 1/"                                                                 \
    "1 0 1 0 0 0 0 0 0 0 1 0 0 0/"                                                                 \
    "0 1 0 1 0 0 0 1 0 0 0 0 0 0/"                                                                 \
    "0 0 1 0 1 0 0 0 0 0 0 0 1 0/"                                                                 \
    "0 0 0 1 0 1 0 0 0 1 0 0 0 0/"                                                                 \
    "1 0 0 0 1 0 1 0 0 0 0 0 0 0/"                                                                 \
    "0 0 0 0 0 1 0 1 0 0 0 1 0 0/"                                                                 \
    "0 0 1 0 0 0 1 0 1 0 0 0 0 0/"                                                                 \
    "0 0 0 0 0 0 0 1 0 1 0 0 0 1/"                                                                 \
    "0 0 0 0 1 0 0 0 1 0 1 0 0 0/"                                                                 \
    "0 1 0 0 0 0 0 0 0 1 0 1 0 0/"                                                                 \
    "0 0 0 0 0 0 1 0 0 0 1 0 1 0/"                                                                 \
    "0 0 0 1 0 0 0 0 0 0 0 1 0 1/"                                                                 \
    "1 0 0 0 0 0 0 0 1 0 0 0 1 0"
/* Cells of a column of 4 that dominoes of the columns before cover, none at first. */
#define COLUMNS                                                                                    \
    "1 1 1 1 1 0/"                                                                                 \
    "1 0 0 0 0 0/"                                                                                 \
    "1 0 0 0 1 0/"                                                                                 \
    "1 0 0 0 0 1/"                                                                                 \
    "1 0 1 0 0 0/"                                                                                 \
    "0 0 0 1 0 0"

/* Of the keys 0 to 9. */
#define KEYPAD                                                                                     \
    "0 0 0 0 1 0 1 0 0 0/"                                                                         \
    "0 0 0 0 0 0 1 0 1 0/"                                                                         \
    "0 0 0 0 0 0 0 1 0 1/"                                                                         \
    "0 0 0 0 1 0 0 0 1 0/"                                                                         \
    "1 0 0 1 0 0 0 0 0 1/"                                                                         \
    "0 0 0 0 0 0 0 0 0 0/"                                                                         \
    "1 1 0 0 0 0 0 1 0 0/"                                                                         \
    "0 0 1 0 0 0 1 0 0 0/"                                                                         \
    "0 1 0 1 0 0 0 0 0 0/"                                                                         \
    "0 0 1 0 1 0 0 0 0 0"

static const known table[] = {
    {"A000045 Fibonacci", "1 1/1 0", FROM_TO(0, 1), "1 1", "0 1"},
    {"A000032 Lucas", "1 1/1 0", TRACE, "1 1", "2 1"},
    {"A000129 Pell", "2 1/1 0", FROM_TO(0, 1), "2 1", "0 1"},
    {"A002203 companion Pell", "2 1/1 0", TRACE, "2 1", "2 2"},
    {"A006190", "3 1/1 0", FROM_TO(0, 1), "3 1", "0 1"},
    {"A001076", "4 1/1 0", FROM_TO(0, 1), "4 1", "0 1"},
    {"A052918", "5 1/1 0", FROM_TO(0, 0), "5 1", "1 5"},
    {"A005668", "6 1/1 0", FROM_TO(0, 1), "6 1", "0 1"},
    {"A054413", "7 1/1 0", FROM_TO(0, 0), "7 1", "1 7"},
    {"A001045 Jacobsthal", "1 1/2 0", FROM_TO(0, 1), "1 2", "0 1"},
    {"A014551 Jacobsthal-Lucas", "1 1/2 0", TRACE, "1 2", "2 1"},
    {"A006130", "1 1/3 0", FROM_TO(0, 0), "1 3", "1 1"},
    {"A006131", "1 1/4 0", FROM_TO(0, 0), "1 4", "1 1"},
    {"A015440", "1 1/5 0", FROM_TO(0, 0), "1 5", "1 1"},
    {"A002605", "2 1/2 0", FROM_TO(0, 1), "2 2", "0 1"},
    {"A015519", "2 1/7 0", FROM_TO(0, 1), "2 7", "0 1"},
    {"A030195", "3 1/3 0", FROM_TO(0, 1), "3 3", "0 1"},
    {"A015530", "4 1/3 0", FROM_TO(0, 1), "4 3", "0 1"},
    {"A000073 tribonacci", "1 1 1/1 0 0/0 1 0", FROM_TO(2, 0), "1 1 1", "0 0 1"},
    {"A001644 trace of it", "1 1 1/1 0 0/0 1 0", TRACE, "1 1 1", "3 1 3"},
    {"A000078 tetranacci", "1 1 1 1/1 0 0 0/0 1 0 0/0 0 1 0", FROM_TO(3, 0), "1 1 1 1", "0 0 0 1"},
    {"A073817 trace of it", "1 1 1 1/1 0 0 0/0 1 0 0/0 0 1 0", TRACE, "1 1 1 1", "4 1 3 7"},
    {"A001591 pentanacci", "1 1 1 1 1/1 0 0 0 0/0 1 0 0 0/0 0 1 0 0/0 0 0 1 0", FROM_TO(4, 0),
     "1 1 1 1 1", "0 0 0 0 1"},
    {"A000930 Narayana's cows", "1 0 1/1 0 0/0 1 0", FROM_TO(0, 0), "1 0 1", "1 1 1"},
    {"A001608 Perrin", "0 1 1/1 0 0/0 1 0", TRACE, "0 1 1", "3 0 2"},
    {"A000079 powers of 2", "2", TOTAL, "2", "1"},
    {"A000244 powers of 3", "3", TOTAL, "3", "1"},
    {"A000302 powers of 4", "4", TOTAL, "4", "1"},
    {"A078008 closed in K3", "complete 3", FROM_TO(0, 0), "1 2", "1 0"},
    {"A054878 closed in K4", "complete 4", FROM_TO(0, 0), "2 3", "1 0"},
    {"A015518 across K4", "complete 4", FROM_TO(0, 3), "2 3", "0 1"},
    {"A109499 closed in K5", "complete 5", FROM_TO(2, 2), "3 4", "1 0"},
    {"A015521 across K5", "complete 5", FROM_TO(1, 4), "3 4", "0 1"},
    {"A109500 closed in K6", "complete 6", FROM_TO(5, 5), "4 5", "1 0"},
    {"A015531 across K6", "complete 6", FROM_TO(0, 1), "4 5", "0 1"},
    {"A054877 closed in the pentagon", "cycle 5", FROM_TO(0, 0), "1 3 -2", "1 0 2"},
    {"A001835 tilings of 3 x 2n", "3 2/1 1", FROM_TO(0, 0), "4 -1", "1 3"},
    {"A001906 Fibonacci of 2n", "2 1/1 1", FROM_TO(0, 1), "3 -1", "0 1"},
    {"A001519 Fibonacci of 2n-1", "2 1/1 1", FROM_TO(1, 1), "3 -1", "1 1"},
    {"A005248 Lucas of 2n", "2 1/1 1", TRACE, "3 -1", "2 3"},
    {"A001653", "5 2/2 1", FROM_TO(0, 0), "6 -1", "1 5"},
    {"A001541", "3 4/2 3", FROM_TO(0, 0), "6 -1", "1 3"},
    {"A001333", "1 2/1 1", FROM_TO(0, 0), "2 1", "1 1"},
    {"A001075", "2 3/1 2", FROM_TO(0, 0), "4 -1", "1 2"},
    {"A001353", "2 3/1 2", FROM_TO(1, 0), "4 -1", "0 1"},
    {"A006355 from 4 on, the path of 4", "path 4", TOTAL, "1 1", "4 6"},
    {"A047849 with zeros between, closed in the hexagon", "cycle 6", FROM_TO(0, 0), "0 5 0 -4",
     "1 0 2 0"},
    {"A029744 from 3 on, the path of 3", "path 3", TOTAL, "0 2", "3 4"},
    {"A091000 closed in the Petersen graph", PETERSEN, FROM_TO(0, 0), "2 5 -6", "1 0 3"},
    {"A091001 along an edge of it", PETERSEN, FROM_TO(0, 1), "2 5 -6", "0 1 0"},
    {"A091002 to others in it", PETERSEN, FROM_TO(0, 2), "2 5 -6", "0 0 1"},
    {"A054879 with zeros between, closed in the cube", "cube 3", FROM_TO(0, 0), "0 10 0 -9",
     "1 0 3 0"},
    {"A092812 with zeros between, closed in the cube of 4 dimensions", "cube 4", FROM_TO(0, 0),
     "0 20 0 -64 0", "1 0 4 0 40"},
    {"A121822 with zeros between, closed in the cube of 5 dimensions", "cube 5", FROM_TO(0, 0),
     "0 35 0 -259 0 225", "1 0 5 0 65 0"},
    {"A109498 with zeros between, closed in the Heawood graph", HEAWOOD, FROM_TO(0, 0),
     "0 11 0 -18", "1 0 3 0"},
    {"A086349 from 9 on, a king's moves on 3 x 3 squares", "king 3 3", TOTAL, "2 12 8", "9 40 200"},
    {"A025598, a king's moves between neighbouring corners of a chessboard", "king 8 8",
     FROM_TO(0, 7),
     "11 15 -401 -50 5928 1988 -41440 -32940 123276 152922 -95958 -182484 -1692 71253 16821 -5535 "
     "-1377",
     "0 0 0 0 0 0 0 127 1568 17221 157710 1360107 11104632 87999275 681209386 5192306420 "
     "39117179936"},
    {"a king's moves on 2 x 5 squares", "king 2 5", TOTAL, "3 9 -11", "10 42 186"},
    {"a king's moves on 3 x 5 squares", "king 3 5", TOTAL, "0 24 48 -21 -96 -46",
     "15 76 428 2368 13282 74208"},
    {"A025599, a knight's moves from a corner of a chessboard", "knight 8 8", PC_QUERY_FROM, 0, 0,
     "3 27 -29 -162 42 276 16 -96", "1 2 12 64 404 2352 14396 85608"},
    {"A025600, a knight's moves from a corner of a chessboard to it", "knight 8 8", FROM_TO(0, 0),
     "0 106 0 -4676 0 116368 0 -1846978 0 19928020 0 -151610800 0 830630632 0 -3311903237 0 "
     "9631229218 0 -20313832964 0 30647054888 0 -32290800832 0 22871372416 0 -10230932480 0 "
     "2573688832 0 -273088512 0",
     "1 0 2 0 16 0 264 0 6828 0 218192 0 7555444 0 269039512 0 9671837852 0 348829877760 0 "
     "12595130308612 0 454944702478600 0 16435098767896556 0 593753325451468144 0 "
     "21450960845508768532 0 774978877336933136632 0 27998439320070791252028"},
    {"A327692, a knight's moves on the keys of a telephone", KEYPAD, TOTAL, "0 6 0 -4 0",
     "10 20 46 104 240"},
    {"a knight's moves on 3 x 4 squares", "knight 3 4", TOTAL, "1 5 -2 -4", "12 28 68 164"},
    {"a knight's moves on 4 x 4 squares", "knight 4 4", TOTAL, "2 6 -8", "16 48 152"},
    {"A005178 from 1 on, domino tilings of 4 x n", COLUMNS, FROM_TO(0, 0), "1 5 1 -1", "1 1 5 11"},
};

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* Arcs from vertex u to vertex v of a shape. The size is the last of its sizes. */
typedef long arcs_fn(long size, long u, long v);

static long complete(long size, long u, long v)
{
    (void)size;
    return u != v;
}

static long cycle(long size, long u, long v)
{
    return (u - v + size) % size == 1 || (v - u + size) % size == 1;
}

static long path(long size, long u, long v)
{
    (void)size;
    return labs(u - v) == 1;
}

static long cube(long size, long u, long v)
{
    (void)size;
    return __builtin_popcountl((unsigned long)(u ^ v)) == 1;
}

/* The square of the distance of two squares in rows of n squares. */
static long distance(long n, long u, long v)
{
    long down = u / n - v / n, right = u % n - v % n;
    return down * down + right * right;
}

static long king(long size, long u, long v)
{
    return distance(size, u, v) == 1 || distance(size, u, v) == 2;
}

static long knight(long size, long u, long v)
{
    return distance(size, u, v) == 5;
}

static const struct shape {
    const char *name;
    arcs_fn *arcs;
    bool of_sets; /* 2^size vertices, else the product of the sizes */
} shapes[] = {{"complete", complete, false}, {"cycle", cycle, false}, {"path", path, false},
              {"cube", cube, true},          {"king", king, false},   {"knight", knight, false}};

static edge_set edges_of_shape(const char *text)
{
    char name[16];
    long rows = 1, size = 0;
    size_t s = 0;
    if (sscanf(text, "%15s %ld %ld", name, &rows, &size) == 2) {
        size = rows;
        rows = 1;
    }
    while (s < sizeof shapes / sizeof *shapes && strcmp(shapes[s].name, name) != 0)
        s++;
    CU_ASSERT_FATAL(s < sizeof shapes / sizeof *shapes);
    long n = shapes[s].of_sets ? 1L << size : rows * size;
    edge_set edges = edge_set_empty((uint64_t)n, true);
    for (long i = 0; i < n * n; i++) {
        long n_arcs = shapes[s].arcs(size, i / n, i % n);
        if (n_arcs > 0)
            edge_set_add(&edges, (uint64_t)(i / n), (uint64_t)(i % n), (uint64_t)n_arcs);
    }
    return edges;
}

static edge_set edges_of_matrix(const char *matrix)
{
    uint64_t n = 1, i = 0, j = 0;
    for (const char *c = matrix; *c; c++)
        n += *c == '/';
    edge_set edges = edge_set_empty(n, true);
    for (const char *c = matrix; *c; c++) {
        if (*c >= '1' && *c <= '9')
            edge_set_add(&edges, i, j, (uint64_t)(*c - '0'));
        j += *c == ' ';
        if (*c == '/') {
            i++;
            j = 0;
        }
    }
    return edges;
}

/* ---- Terms ----------------------------------------------------------------------------------- */

/* The numbers of a text between single blanks; returns how many. */
static int numbers_of(const char *text, mpz_t *number)
{
    char copy[1024], *left = copy;
    int n = 0;
    CU_ASSERT_FATAL(snprintf(copy, sizeof copy, "%s", text) < (int)sizeof copy);
    for (char *word; (word = strsep(&left, " "));)
        CU_ASSERT_EQUAL_FATAL(mpz_init_set_str(number[n++], word, 10), 0);
    return n;
}

static void clear(int n, mpz_t *number)
{
    for (int i = 0; i < n; i++)
        mpz_clear(number[i]);
}

static pc_status take_number(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    mpz_import(*(mpz_t *)user, rows->n_limbs, -1, sizeof *rows->limbs, 0, 0, rows->limbs);
    return PC_OK;
}

/* Whether the first terms are those that the signature makes of the initial ones. */
static bool has_terms(const pc_recurrence *recurrence, int order, mpz_t *signature, mpz_t *initial)
{
    int n = order > N_TERMS ? order : N_TERMS;
    mpz_t term[MOST_ORDER + N_TERMS], found;
    bool has = true;
    mpz_init(found);
    for (int i = 0; i < n; i++) {
        mpz_init(term[i]);
        if (i < order)
            mpz_set(term[i], initial[i]);
        for (int j = 1; j <= order && i >= order; j++)
            mpz_addmul(term[i], term[i - j], signature[j - 1]);
        MUST(pc_recurrence_term(recurrence, (uint64_t)i, 0, take_number, &found));
        has = has && mpz_cmp(found, term[i]) == 0;
    }
    clear(n, term);
    mpz_clear(found);
    return has;
}

static bool has_signature(const pc_recurrence *recurrence, int order, mpz_t *signature)
{
    pc_recurrence_info info;
    int start = 0;
    while (mpz_sgn(signature[order - 1 - start]) == 0)
        start++;
    order -= start;
    pc_recurrence_get_info(recurrence, &info);
    bool has = info.order == (uint64_t)order && info.start == (uint64_t)start;
    for (int i = 0; i < order && has; i++) {
        char text[64], expected[64];
        MUST(pc_recurrence_text(recurrence, PC_RECURRENCE_COEFFICIENT, (uint64_t)i + 1, text,
                                sizeof text, NULL));
        gmp_snprintf(expected, sizeof expected, "%Zd", signature[i]);
        has = strcmp(text, expected) == 0;
    }
    return has;
}

static bool is_found(const known *k)
{
    mpz_t signature[MOST_ORDER], initial[MOST_ORDER];
    int order = numbers_of(k->signature, signature);
    bool is_matrix = k->graph[0] >= '0' && k->graph[0] <= '9';
    OWNED(edge_set) edges = is_matrix ? edges_of_matrix(k->graph) : edges_of_shape(k->graph);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_recurrence) *recurrence = NULL;
    pc_query query = {.kind = k->kind};
    if (k->kind == PC_QUERY_PAIRS || k->kind == PC_QUERY_FROM)
        query = (pc_query){.kind = k->kind, .n_asked = 1, .from = &k->from, .to = &k->to};
    CU_ASSERT_EQUAL_FATAL(numbers_of(k->initial, initial), order);
    MUST(pc_recurrence_create(context, graph, &query, 0, &recurrence));
    bool is = has_signature(recurrence, order, signature) &&
              has_terms(recurrence, order, signature, initial);
    clear(order, signature);
    clear(order, initial);
    return is;
}

TEST("of the encyclopedia")
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bool is = is_found(&table[i]);
        if (!is)
            printf("    %s\n", table[i].name);
        CU_ASSERT_TRUE(is);
    }
}
