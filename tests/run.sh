#!/usr/bin/env bash
# Runs every test. Needs a Rust toolchain and a C compiler. With Python and the network it also sets up
# a real model server, clients of other people and a server of queues below the cargo target folder
# (tests/real_model.sh, tests/clients.sh, tests/nats.sh); without, the tests of them say that they skip.
# ROLECALL_REAL_MODEL=off, ROLECALL_CLIENTS=off and ROLECALL_NATS_SERVER=off do without.
#
# Set ROLECALL_ORACLE and ROLECALL_DATA to folders with recordings and official data to run the
# conformance tests too; without them those tests say that they skip.
set -euo pipefail
cd "$(dirname "$0")/.."

missing() {
    echo "tests/run.sh: $1 is not installed: $2" >&2
    exit 2
}
command -v cargo >/dev/null || missing cargo "get Rust from https://rustup.rs"
command -v cc >/dev/null || missing cc "install a C compiler such as gcc"

exec tests/real_model.sh --if-possible tests/clients.sh --if-possible tests/nats.sh --if-possible \
    cargo test --locked "$@"
