#!/usr/bin/env bash
# Plays the protocols of leases and commits, in a folder and over NATS, in made-up worlds of crashes, partitions, pauses,
# jumping clocks and lost answers: tests/long/machines.sh [WORLDS], 100000 of each if nothing is said. Prints how often
# what happened. A world that goes wrong is named by its seed; the same seed is the same world.
set -euo pipefail
cd "$(dirname "$0")/../.."
export ROLECALL_WORLDS="${1:-100000}"
cargo test --locked --profile quick --test core --no-run
for kind in folder server; do
    time cargo test --locked --profile quick --quiet --test core -- --nocapture \
        "machines::every_job_is_committed_exactly_once_whatever_befalls_the_workers_of_a_$kind"
done
