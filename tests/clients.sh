#!/usr/bin/env bash
# Installs Python packages of other people that speak with rolecall, and runs a command that may use them.
#
#   tests/clients.sh [--if-possible] [COMMAND ...]
#
# The command is `cargo test --locked --test doors` unless one is given. It finds ROLECALL_CLIENTS, the path of
# a Python interpreter with the packages of tests/outside/clients (470 MB on disk, a minute to fetch).
#
# They go once into the cargo target folder. If that cannot be done, it says why and ends; with --if-possible it
# says why and runs the command without the variable. Where ROLECALL_CLIENTS is set already, nothing is
# installed; `off` says that no clients are wanted.
set -euo pipefail
variable=ROLECALL_CLIENTS
missing="no clients of other people"
default="cargo test --locked --test doors"
. "$(dirname "$0")/installed.sh"

here=$PWD/tests/outside/clients
installed "$here/requirements.txt" "$here/alone.txt"
export ROLECALL_CLIENTS=$work/venv/bin/python
exec "${command[@]}"
