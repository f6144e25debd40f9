#!/usr/bin/env bash
# Kills runs at every write of their birth, at random writes and at random moments, goes on with them and compares:
# tests/long/kill.sh [HOW_MANY], 1000 of each if nothing is said. Prints a table for each. The builds are those of
# tests: others cannot be killed at a write.
set -euo pipefail
cd "$(dirname "$0")/../.."
many="${1:-1000}"
export ROLECALL_BIRTHS="$many" ROLECALL_KILLS_OF_KINDS="$many" ROLECALL_KILLS="$many"
exec cargo test --locked --test faults -- kill:: kill_resume --nocapture --test-threads 1
