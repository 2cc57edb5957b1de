/* Sequences that are known: their recurrences, which the On-Line Encyclopedia of Integer Sequences (oeis.org)
 * lists as signatures, and their first terms come out of counting paths. */
#include "tests/fixture.h"

#include "pathcount_recurrence.h"

CASE_CONTEXT(context)

RELEASE_BY_FREE(pc_recurrence)

enum { N_TERMS = 30, MOST_ORDER = 8 };

typedef struct known {
    const char *name; /* number in the encyclopedia, or what it is */
    const char
        *matrix; /* of adjacency: rows, digits between blanks, "/" after each row but the last */
    pc_query_kind kind; /* PC_QUERY_PAIRS, from and to, PC_QUERY_TRACE or PC_QUERY_TOTAL */
    uint64_t from, to;
    const char *signature, *initial;
} known;

#define FROM_TO(U, V) PC_QUERY_PAIRS, U, V
#define TRACE         PC_QUERY_TRACE, 0, 0
#define TOTAL         PC_QUERY_TOTAL, 0, 0
#define K4            "0 1 1 1/1 0 1 1/1 1 0 1/1 1 1 0"
#define K5            "0 1 1 1 1/1 0 1 1 1/1 1 0 1 1/1 1 1 0 1/1 1 1 1 0"
#define K6            "0 1 1 1 1 1/1 0 1 1 1 1/1 1 0 1 1 1/1 1 1 0 1 1/1 1 1 1 0 1/1 1 1 1 1 0"
#define C5            "0 1 0 0 1/1 0 1 0 0/0 1 0 1 0/0 0 1 0 1/1 0 0 1 0"
#define P4            "0 1 0 0/1 0 1 0/0 1 0 1/0 0 1 0"

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
#define CUBE                                                                                       \
    "0 1 1 0 1 0 0 0/"                                                                             \
    "1 0 0 1 0 1 0 0/"                                                                             \
    "1 0 0 1 0 0 1 0/"                                                                             \
    "0 1 1 0 0 0 0 1/"                                                                             \
    "1 0 0 0 0 1 1 0/"                                                                             \
    "0 1 0 0 1 0 0 1/"                                                                             \
    "0 0 1 0 1 0 0 1/"                                                                             \
    "0 0 0 1 0 1 1 0"
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
#define KING                                                                                       \
    "0 1 0 1 1 0 0 0 0/"                                                                           \
    "1 0 1 1 1 1 0 0 0/"                                                                           \
    "0 1 0 0 1 1 0 0 0/"                                                                           \
    "1 1 0 0 1 0 1 1 0/"                                                                           \
    "1 1 1 1 0 1 1 1 1/"                                                                           \
    "0 1 1 0 1 0 0 1 1/"                                                                           \
    "0 0 0 1 1 0 0 1 0/"                                                                           \
    "0 0 0 1 1 1 1 0 1/"                                                                           \
    "0 0 0 0 1 1 0 1 0"
/* Cells of a column of 4 that dominoes of the columns before cover, none at first. */
#define COLUMNS                                                                                    \
    "1 1 1 1 1 0/"                                                                                 \
    "1 0 0 0 0 0/"                                                                                 \
    "1 0 0 0 1 0/"                                                                                 \
    "1 0 0 0 0 1/"                                                                                 \
    "1 0 1 0 0 0/"                                                                                 \
    "0 0 0 1 0 0"

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
    {"A078008 closed in K3", "0 1 1/1 0 1/1 1 0", FROM_TO(0, 0), "1 2", "1 0"},
    {"A054878 closed in K4", K4, FROM_TO(0, 0), "2 3", "1 0"},
    {"A015518 across K4", K4, FROM_TO(0, 3), "2 3", "0 1"},
    {"A109499 closed in K5", K5, FROM_TO(2, 2), "3 4", "1 0"},
    {"A015521 across K5", K5, FROM_TO(1, 4), "3 4", "0 1"},
    {"A109500 closed in K6", K6, FROM_TO(5, 5), "4 5", "1 0"},
    {"A015531 across K6", K6, FROM_TO(0, 1), "4 5", "0 1"},
    {"A054877 closed in the pentagon", C5, FROM_TO(0, 0), "1 3 -2", "1 0 2"},
    {"A001835 tilings of 3 x 2n", "3 2/1 1", FROM_TO(0, 0), "4 -1", "1 3"},
    {"A001906 Fibonacci of 2n", "2 1/1 1", FROM_TO(0, 1), "3 -1", "0 1"},
    {"A001519 Fibonacci of 2n-1", "2 1/1 1", FROM_TO(1, 1), "3 -1", "1 1"},
    {"A005248 Lucas of 2n", "2 1/1 1", TRACE, "3 -1", "2 3"},
    {"A001653", "5 2/2 1", FROM_TO(0, 0), "6 -1", "1 5"},
    {"A001541", "3 4/2 3", FROM_TO(0, 0), "6 -1", "1 3"},
    {"A001333", "1 2/1 1", FROM_TO(0, 0), "2 1", "1 1"},
    {"A001075", "2 3/1 2", FROM_TO(0, 0), "4 -1", "1 2"},
    {"A001353", "2 3/1 2", FROM_TO(1, 0), "4 -1", "0 1"},
    {"A006355 from 4 on, the path of 4", P4, TOTAL, "1 1", "4 6"},
    {"A029744 from 3 on, the path of 3", "0 1 0/1 0 1/0 1 0", TOTAL, "0 2", "3 4"},
    {"A091000 closed in the Petersen graph", PETERSEN, FROM_TO(0, 0), "2 5 -6", "1 0 3"},
    {"A091001 along an edge of it", PETERSEN, FROM_TO(0, 1), "2 5 -6", "0 1 0"},
    {"A091002 to others in it", PETERSEN, FROM_TO(0, 2), "2 5 -6", "0 0 1"},
    {"A054879 with zeros between, closed in the cube", CUBE, FROM_TO(0, 0), "0 10 0 -9", "1 0 3 0"},
    {"A109498 with zeros between, closed in the Heawood graph", HEAWOOD, FROM_TO(0, 0),
     "0 11 0 -18", "1 0 3 0"},
    {"A086349 from 9 on, a king's moves on 3 x 3 squares", KING, TOTAL, "2 12 8", "9 40 200"},
    {"A005178 from 1 on, domino tilings of 4 x n", COLUMNS, FROM_TO(0, 0), "1 5 1 -1", "1 1 5 11"},
};

/* The numbers of a text, in as many as there are. */
static int numbers_of(const char *text, long *number)
{
    int n = 0, used;
    for (; sscanf(text, "%ld%n", &number[n], &used) == 1; text += used)
        n++;
    return n;
}

static edge_set edges_of(const char *matrix)
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

static pc_status take_number(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    mpz_import(*(mpz_t *)user, rows->n_limbs, -1, sizeof *rows->limbs, 0, 0, rows->limbs);
    return PC_OK;
}

/* Whether the first terms are those that the signature makes of the initial ones. */
static bool has_terms(const pc_recurrence *recurrence, int order, const long *signature,
                      const long *initial)
{
    mpz_t term[N_TERMS], found;
    bool has = true;
    mpz_init(found);
    for (int i = 0; i < N_TERMS; i++) {
        mpz_init_set_si(term[i], i < order ? initial[i] : 0);
        for (int j = 1; j <= order && i >= order; j++) {
            mpz_mul_si(found, term[i - j], signature[j - 1]);
            mpz_add(term[i], term[i], found);
        }
        MUST(pc_recurrence_term(recurrence, (uint64_t)i, 0, take_number, &found));
        has = has && mpz_cmp(found, term[i]) == 0;
    }
    for (int i = 0; i < N_TERMS; i++)
        mpz_clear(term[i]);
    mpz_clear(found);
    return has;
}

static bool is_found(const known *k)
{
    long signature[MOST_ORDER], initial[MOST_ORDER];
    int order = numbers_of(k->signature, signature);
    OWNED(edge_set) edges = edges_of(k->matrix);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_recurrence) *recurrence = NULL;
    pc_query query = {.kind = k->kind, .n_asked = 1, .from = &k->from, .to = &k->to};
    pc_recurrence_info info;
    if (k->kind != PC_QUERY_PAIRS)
        query = (pc_query){.kind = k->kind};
    CU_ASSERT_EQUAL_FATAL(numbers_of(k->initial, initial), order);
    MUST(pc_recurrence_create(context, graph, &query, 0, &recurrence));
    pc_recurrence_get_info(recurrence, &info);
    bool is = info.order == (uint64_t)order && info.start == 0;
    for (int i = 0; i < order && is; i++) {
        char text[24], expected[24];
        MUST(pc_recurrence_text(recurrence, PC_RECURRENCE_COEFFICIENT, (uint64_t)i + 1, text,
                                sizeof text, NULL));
        snprintf(expected, sizeof expected, "%ld", signature[i]);
        is = strcmp(text, expected) == 0;
    }
    return is && has_terms(recurrence, order, signature, initial);
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
