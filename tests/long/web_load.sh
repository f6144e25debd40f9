#!/usr/bin/env bash
# What 200 viewers cost a run of 1,000 concurrent episodes whose model answers after 200 ms, served by another
# process: tests/long/web_load.sh [EPISODES [VIEWERS [REPEATS]]]. Prints a table, and fails where a bound is broken.
#
# Needs Python and /proc. The suite of tests plays a small part of it (`outside web`).
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --locked --quiet
program=$(realpath "${CARGO_TARGET_DIR:-target}/release/rolecall")
exec python3 -B tests/outside/web/load.py "$program" --episodes "${1:-1000}" --viewers "${2:-200}" \
    --repeats "${3:-3}" --bounds
