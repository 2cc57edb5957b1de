#!/bin/sh
# The tests that need an NVIDIA GPU:  sh tests/gpu.sh FOLDER [SUITE...]
# FOLDER holds the test program. Suites of whole counts run again with three parts on the GPU, which share the
# work as three joined GPUs do. Fails where a case was skipped, since then nothing was shown.

tests=$1/tests
shift
[ $# -gt 0 ] || set -- gpu_host gpu_tiles gpu_entrywise gpu_recombine gpu_aggregate gpu_products gpu_digits gpu_reduce gpu_engine gpu_classes quotient \
    gpu_ladder gpu_bench_ladder gpu_devices gpu_sweep_sums gpu_sweep
joined=
for suite; do
    case $suite in gpu_aggregate* | gpu_reduce* | gpu_engine* | quotient*) joined="$joined $suite" ;; esac
done
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

passes() {
    { "$tests" "$@"; echo "exit $?"; } | tee "$log"
    grep -qx 'exit 0' "$log" && grep -q ' 0 failed, 0 skipped$' "$log"
}

passes "$@" || exit 1
[ -z "$joined" ] && exit 0
export PATHCOUNT_CUDA_PARTS=3
echo "With $PATHCOUNT_CUDA_PARTS parts on the GPU:"
passes $joined
