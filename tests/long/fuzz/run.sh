#!/usr/bin/env bash
# Runs each fuzz target for so many seconds: tests/long/fuzz/run.sh SECONDS [TARGET...]
#
# Needs stable Rust and a C++ compiler (libFuzzer is C++ and comes with the crate libfuzzer-sys).
# Without a C++ compiler it says so and skips. What is found stays in `found/` below the cargo target
# folder of the fuzz targets, with the corpus beside it.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:-}
case "$seconds" in
'' | *[!0-9]*)
    echo "usage: tests/long/fuzz/run.sh SECONDS [TARGET...]" >&2
    exit 2
    ;;
esac
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(reader json_repair sse template values config game log shop booking travel openenv wire mcp)

command -v cargo >/dev/null || {
    echo "tests/long/fuzz/run.sh: cargo is not installed: get Rust from https://rustup.rs" >&2
    exit 2
}
command -v "${CXX:-c++}" >/dev/null || {
    echo "tests/long/fuzz/run.sh: skipped: no C++ compiler (${CXX:-c++}); install one such as g++" >&2
    exit 0
}

# What cargo-fuzz passes with `--sanitizer none`; nothing of it needs a nightly compiler. Only code for
# the target is instrumented: build scripts and macros have no libFuzzer to report to.
host=$(rustc -vV | sed -n 's/^host: //p')
flags="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
flags+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
flags+=" -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
flags+=" --cfg fuzzing -Cforce-frame-pointers"
# GNU ld drops the tables of code that is not used unless it is told not to.
[ "$(uname)" = Linux ] && flags+=" -Clink-dead-code"

folder=${CARGO_TARGET_DIR:-../../../target}/fuzz
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
export CARGO_TARGET_DIR=$folder
RUSTFLAGS="${RUSTFLAGS:-} $flags" cargo build --release --target "$host" \
    $(printf -- '--bin %s ' "${targets[@]}")

failed=0
for target in "${targets[@]}"; do
    corpus="$folder/corpus/$target"
    found="$folder/found/$target"
    mkdir -p "$corpus" "$found"
    echo "== $target, $seconds s"
    "$folder/$host/release/$target" "$corpus" "seeds/$target" \
        -max_total_time="$seconds" -max_len=4096 -dict="words/$target" -timeout=20 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$found/" >"$found/log" 2>&1 || {
        failed=1
        echo "   FAILED: see $found" >&2
    }
    grep -E 'cov: ' "$found/log" | tail -1
    grep -E 'stat::number_of_executed_units|stat::peak_rss_mb|panicked|SUMMARY' "$found/log" || true
done
exit $failed
