#!/usr/bin/env bash
# Runs every test of every crate. Needs a Rust toolchain and a C compiler. With Python and the network it also sets up
# a real model server, clients of other people and a server of queues below the cargo target folder
# (tests/real_model.sh, tests/clients.sh, tests/nats.sh); without, the tests of them say that they skip.
# ROLECALL_REAL_MODEL=off, ROLECALL_CLIENTS=off and ROLECALL_NATS_SERVER=off do without.
#
# Arguments go to `cargo test --workspace`. Without any, tests that wait for browsers, clients and servers run beside
# the others, and the end says everything that failed.
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

beside=(tests/real_model.sh --if-possible tests/clients.sh --if-possible tests/nats.sh --if-possible)
if [ $# -gt 0 ]; then exec "${beside[@]}" cargo test --locked --workspace "$@"; fi

# The programs `doors` and `outside` wait most of the time; their output is printed whole when the others are through.
# `faults` looks at clocks and is alone.
cargo test --locked --workspace --no-run
exec "${beside[@]}" bash -euo pipefail -c '
    tests() { cargo test --locked --workspace --no-fail-fast "$@"; }
    code=0
    waiting=$(mktemp)
    trap "rm -f $waiting" EXIT
    tests --test "[do]*" >"$waiting" 2>&1 &
    tests --lib --bins --test "[!dof]*" || code=$?
    wait $! || code=$?
    cat "$waiting"
    tests --test "f*" || code=$?
    tests --doc || code=$?
    exit $code
'
