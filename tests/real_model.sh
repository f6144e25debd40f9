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
variable=ROLECALL_REAL_MODEL
missing="no real model server"
default="cargo test --locked --test outside real_model"
. "$(dirname "$0")/installed.sh"

here=$PWD/tests/outside/real_model
server=$work/venv/bin/python
installed "$here/requirements.txt"
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
