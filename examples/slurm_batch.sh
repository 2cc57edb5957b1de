#!/bin/sh
# Many datasets on the nodes of a cluster: an array job of Slurm, each task of which runs one shard of a batch.
#
#   sbatch --array=1-50 slurm_batch.sh GRAPHS RESULTS --length 8 --total
#
# GRAPHS is a folder that all nodes see, RESULTS one that they share; the rest are options of pathcount batch. A task that
# was stopped goes on where it was when it is queued again. When all tasks have ended, join their manifests:
#
#   cat RESULTS/manifest.*-of-50.jsonl > RESULTS/manifest.jsonl
#
# Other schedulers have the same two numbers under other names: PBS_ARRAY_INDEX, LSB_JOBINDEX, SGE_TASK_ID.
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --time=04:00:00
#SBATCH --requeue

[ $# -ge 3 ] || { echo "usage: sbatch --array=1-N $0 GRAPHS RESULTS OPTION..." >&2; exit 2; }
graphs=$1 results=$2
shift 2
exec pathcount batch "$graphs" --out "$results" --resume --quiet \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --jobs "${SLURM_CPUS_PER_TASK:-1}" "$@"
