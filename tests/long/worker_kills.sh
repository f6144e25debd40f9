#!/usr/bin/env bash
# Kills workers of a folder queue, workers and the server of a NATS queue, and workers with models, and compares
# with runs of one process: tests/long/worker_kills.sh [KILLS [EPISODES]]; 100 and 1000 unless they are said. The
# suite plays a part of it (`faults workers`).
set -euo pipefail
cd "$(dirname "$0")/../.."
export ROLECALL_WORKER_KILLS=${1:-100} ROLECALL_WORKER_EPISODES=${2:-1000}
tests/nats.sh --if-possible cargo test --locked --test faults workers:: -- --nocapture
