#!/usr/bin/env bash
# Plays generated household games in the original program and compares every step with rolecall.
#
#   tests/original/household.sh [GAMES_PER_SPLIT [STEPS]]
#
# Sets up a Python environment with `alfworld` and `textworld` below target/original (needs the
# network once) and takes some seconds a game. No part of the ordinary tests.
set -euo pipefail
cd "$(dirname "$0")/../.."

games=${1:-24}
steps=${2:-40}
work=target/original
python=${PYTHON:-python3.11}

missing() {
    echo "tests/original/household.sh: $1 is not installed: $2" >&2
    exit 2
}
command -v cargo >/dev/null || missing cargo "get Rust from https://rustup.rs"
command -v "$python" >/dev/null || missing "$python" "install Python 3.11, or name one with PYTHON=..."

mkdir -p "$work"
if [ ! -x "$work/venv/bin/python" ]; then
    "$python" -m venv "$work/venv"
fi
# Without the packages that only the pictures and the learning of the original need.
"$work/venv/bin/pip" install --quiet --no-deps alfworld==0.4.2
"$work/venv/bin/pip" install --quiet textworld==1.7.0 fast_downward_textworld==20.6.4

cargo build --release --locked -p rolecall -p rolecall-conformance
rolecall=${CARGO_TARGET_DIR:-target}/release/rolecall
rm -rf "$work/games" "$work/recordings"
for split in train seen unseen; do
    "$rolecall" data generate household --out "$work/games" --split "$split" --count "$games"
done
"$work/venv/bin/python" tests/original/household.py "$work/games" "$work/recordings" --steps "$steps"
"$rolecall-conformance" household --oracle "$work/recordings" --data "$work/games"
