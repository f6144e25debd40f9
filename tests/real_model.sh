#!/usr/bin/env bash
# Serves a tiny random model with the real server of llama.cpp, and runs a command that may talk to it.
#
#   tests/real_model.sh [--if-possible] [COMMAND ...]
#
# The command is `cargo test --locked --test outside real_model` unless one is given. It finds these variables:
#
#   ROLECALL_REAL_MODEL         address of the server, such as http://127.0.0.1:8123
#   ROLECALL_REAL_MODEL_LOCKED  address of one that wants the key ROLECALL_REAL_MODEL_KEY
#   ROLECALL_REAL_MODEL_START   a program: `START PORT` serves the same model there until its standard
#                               input closes
#
# Python packages (250 MB on disk) go once into the cargo target folder. If that cannot be done, it says why and
# ends; with --if-possible it says why and runs the command without the variables. Where
# ROLECALL_REAL_MODEL is set already, nothing is started; `off` says that no server is wanted.
set -euo pipefail
cd "$(dirname "$0")/.."

optional=
if [ "${1:-}" = --if-possible ]; then
    optional=yes
    shift
fi
[ $# -gt 0 ] || set -- cargo test --locked --test outside real_model
command=("$@")

if [ -n "${ROLECALL_REAL_MODEL:-}" ]; then
    if [ "$ROLECALL_REAL_MODEL" = off ]; then unset ROLECALL_REAL_MODEL; fi
    exec "${command[@]}"
fi

without() {
    echo "tests/real_model.sh: no real model server: $1" >&2
    if [ -n "$optional" ]; then exec "${command[@]}"; fi
    exit 2
}

here=$PWD/tests/outside/real_model
work=${CARGO_TARGET_DIR:-target}/real_model
python=${PYTHON:-python3}
mkdir -p "$work"
work=$(cd "$work" && pwd)
server=$work/venv/bin/python

# Once, and again when other versions are wanted.
prepare() {
    command -v "$python" >/dev/null || { echo "$python is not installed"; return 1; }
    rm -rf "$work/venv" "$work/model.gguf"
    "$python" -m venv "$work/venv" >"$work/log" 2>&1 \
        || { echo "$python cannot make a virtual environment (Debian: python3-venv)"; return 1; }
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
        --only-binary :all: -r "$here/requirements.txt" >"$work/log" 2>&1 \
        || { echo "pip could not install the packages: $(tail -n 1 "$work/log")"; return 1; }
    cp "$here/requirements.txt" "$work/installed"
}
if ! cmp -s "$here/requirements.txt" "$work/installed"; then
    echo "tests/real_model.sh: installing the server of llama.cpp below $work" >&2
    why=$(prepare) || without "$why"
fi
"$server" "$here/make_model.py" "$work/model.gguf" 2>"$work/log" \
    || without "the model could not be written: $(tail -n 1 "$work/log")"
printf '#!/bin/sh\nexec "%s" "%s" "%s" "$@"\n' "$server" "$here/serve.py" "$work/model.gguf" >"$work/start"
chmod +x "$work/start"

# Servers end when their standard input closes: with this script, however it ends.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkfifo "$scratch/alive"
exec {alive}<>"$scratch/alive"

# Prints the address of a server on a free port.
serve() {
    local name=$1 address
    shift
    "$work/start" 0 "$@" <"$scratch/alive" >"$scratch/$name" 2>"$work/$name.log" {alive}>&- &
    for _ in $(seq 100); do
        address=$(awk '$1 == "listening" { print $2 }' "$scratch/$name")
        if [ -n "$address" ]; then
            echo "$address"
            return
        fi
        sleep 0.1
    done
    echo "the server did not start: $(tail -n 1 "$work/$name.log")" >&2
    return 1
}
key=sk-only-for-tests
open=$(serve open) && locked=$(serve locked "$key") || without "see above"
export ROLECALL_REAL_MODEL=$open ROLECALL_REAL_MODEL_LOCKED=$locked ROLECALL_REAL_MODEL_KEY=$key
export ROLECALL_REAL_MODEL_START=$work/start
"${command[@]}"
