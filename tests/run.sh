#!/usr/bin/env bash
# Runs every test. Needs a Rust toolchain and a C compiler; sets up nothing else.
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

exec cargo test --locked "$@"
