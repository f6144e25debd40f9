#!/usr/bin/env bash
# Plays the protocol of leases and commits in made-up worlds of crashes, partitions, pauses, jumping clocks and lost
# answers: tests/long/machines.sh [WORLDS], 100000 if nothing is said. Prints how often what happened. A world that
# goes wrong is named by its seed; the same seed is the same world.
set -euo pipefail
cd "$(dirname "$0")/../.."
export ROLECALL_WORLDS="${1:-100000}"
time cargo test --locked --profile quick --test core -- machines::every_job --nocapture --test-threads 1
