#!/usr/bin/env bash
# Installs Python packages of other people that speak with rolecall, and runs a command that may use them.
#
#   tests/clients.sh [--if-possible] [COMMAND ...]
#
# The command is `cargo test --locked --test doors` unless one is given. It finds ROLECALL_CLIENTS, the path of
# a Python interpreter with the packages of tests/outside/clients (1.1 GB on disk, a minute to fetch), and
# ROLECALL_AXE, the file of axe-core, where npm is there to fetch it.
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

# What looks for barriers in pages: one file of npm's package, which npm has compared with its sum.
axe=axe-core@4.14.1
if [ ! -f "$work/$axe/package/axe.min.js" ]; then
    echo "$self: fetching $axe below $work" >&2
    mkdir -p "$work/$axe"
    if (cd "$work/$axe" && npm pack --silent "$axe" && tar -xzf ./*.tgz package/axe.min.js) >"$work/log" 2>&1; then
        rm -f "$work/$axe"/*.tgz
    else
        echo "$self: no axe-core, pages are tested without: $(tail -n 1 "$work/log")" >&2
    fi
fi
if [ -f "$work/$axe/package/axe.min.js" ]; then export ROLECALL_AXE=$work/$axe/package/axe.min.js; fi
exec "${command[@]}"
