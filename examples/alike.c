/* Which authors are most alike: PathSim over author - paper - venue - paper - author. Relations are
 * files of "row column" lines, multiplied in the order that takes least.
 *
 *     cc alike.c $(pkg-config --cflags --libs pathcount) -o alike
 *     ./alike graphs/writes.txt graphs/published.txt
 */
#include <pathcount_chain.h>

#include <stdio.h>

typedef struct best {
    double similarity;
    uint64_t from, to;
} best;

/* Keeps the most similar pair of two different rows. */
static pc_status find_best(void *user, const pc_rows *rows)
{
    best *found = user;
    for (uint64_t i = 0; i < rows->n_rows; i++)
        for (uint64_t j = rows->first_row + i + 1; j < rows->n_columns; j++) {
            double similarity = rows->values[i * rows->n_columns + j];
            if (similarity > found->similarity)
                *found = (best){similarity, rows->first_row + i, j};
        }
    return PC_OK;
}

int main(int argc, char **argv)
{
    pc_context *context = NULL;
    pc_relation *writes = NULL, *published = NULL;
    pc_chain *chain = NULL;
    best found = {0};

    if (argc != 3) {
        fprintf(stderr, "usage: alike AUTHOR-PAPER PAPER-VENUE\n");
        return 2;
    }
    if (pc_context_create(&context) != PC_OK) {
        fprintf(stderr, "alike: out of memory\n");
        return 1;
    }
    int failed = pc_relation_read(context, argv[1], NULL, &writes) ||
                 pc_relation_read(context, argv[2], NULL, &published);
    const pc_relation *factors[] = {writes, published, published, writes};
    const int transposed[] = {0, 0, 1, 1};
    failed = failed || pc_chain_create(context, 4, factors, transposed, 0, 0, &chain) ||
             pc_chain_rows(chain, PC_CHAIN_PATHSIM, find_best, &found);
    if (failed) {
        fprintf(stderr, "alike: %s\n", pc_context_message(context));
    } else {
        char from[64], to[64];
        pc_relation_info info;
        pc_relation_get_info(writes, &info);
        pc_labels_text(info.rows, found.from, from, sizeof from);
        pc_labels_text(info.rows, found.to, to, sizeof to);
        printf("%s and %s: %.4f\n", from, to, found.similarity);
    }

    pc_chain_free(chain);
    pc_relation_free(published);
    pc_relation_free(writes);
    pc_context_free(context);
    return failed;
}
