/* Plans that are looked at and not run. */
#ifndef TESTS_PLANS_H
#define TESTS_PLANS_H

#include "pathcount.h"

/* What a plan of the query tells. */
pc_status plan_query(pc_context *context, const pc_graph *graph, const pc_query *query,
                     const pc_count_options *options, pc_plan_info *info);

/* What a plan of the matrix between blocks tells; partition NULL: between vertices. */
pc_status plan_blocks(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                      uint64_t length, const pc_count_options *options, int keeps,
                      pc_plan_info *info);

pc_status plan_matrix(pc_context *context, const pc_graph *graph, uint64_t length,
                      const pc_count_options *options, int keeps, pc_plan_info *info);

/* What ran last on the context; PC_ERR_ARGUMENT when nothing did. */
pc_status plan_last(const pc_context *context, pc_plan_info *info);

#endif
