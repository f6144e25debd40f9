#!/usr/bin/env bash
# Kills runs at random moments, resumes them and compares: tests/long/kill.sh [HOW_MANY], 1000 if nothing is
# said.
set -euo pipefail
cd "$(dirname "$0")/../.."
export ROLECALL_KILLS="${1:-1000}"
exec cargo test --locked --release --test faults kill_resume -- --nocapture
