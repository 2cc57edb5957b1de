#!/bin/sh
# One graph on the nodes of a cluster: a job of Slurm that runs pathcount-mpi, one process on each node.
#
#   sbatch --nodes=64 slurm_parts.sh graph.sg CHECKPOINT --length 100 --total
#
# All nodes must find graph.sg (pathcount convert graph.mtx graph.sg) and the folder CHECKPOINT under the same names; the rest
# are options of pathcount. Vectors are saved in CHECKPOINT every five minutes. When the job is stopped at its limit of
# time, or a node fails, it is queued again and goes on from there, on another number of nodes too:
#
#   scontrol update jobid=JOB numnodes=32; scontrol requeue JOB
#
# Remove CHECKPOINT when the answer, slurm-JOB.out, is there. What a cluster would take is predicted beforehand by one process:
#
#   mpirun -n 1 pathcount-mpi graph.sg --length 100 --total --plan-for 64x16,256GB,100Gb
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=0
#SBATCH --time=24:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@60

[ $# -ge 3 ] || { echo "usage: sbatch --nodes=N $0 GRAPH CHECKPOINT OPTION..." >&2; exit 2; }
graph=$1 checkpoint=$2
shift 2
export OMP_NUM_THREADS="${SLURM_CPUS_PER_TASK:-1}"
trap 'scontrol requeue "$SLURM_JOB_ID"' TERM
srun --cpus-per-task="$OMP_NUM_THREADS" pathcount-mpi "$graph" --quiet \
    --checkpoint "$checkpoint" --resume "$@" &
wait $!
