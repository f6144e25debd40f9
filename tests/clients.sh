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
cd "$(dirname "$0")/.."

optional=
if [ "${1:-}" = --if-possible ]; then
    optional=yes
    shift
fi
[ $# -gt 0 ] || set -- cargo test --locked --test doors
command=("$@")

if [ -n "${ROLECALL_CLIENTS:-}" ]; then
    if [ "$ROLECALL_CLIENTS" = off ]; then unset ROLECALL_CLIENTS; fi
    exec "${command[@]}"
fi

without() {
    echo "tests/clients.sh: no clients of other people: $1" >&2
    if [ -n "$optional" ]; then exec "${command[@]}"; fi
    exit 2
}

here=$PWD/tests/outside/clients
work=${CARGO_TARGET_DIR:-target}/clients
python=${PYTHON:-python3}
mkdir -p "$work"
work=$(cd "$work" && pwd)

# Once, and again when other versions are wanted.
install() {
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
        --only-binary :all: "$@" >"$work/log" 2>&1 \
        || { echo "pip could not install the packages: $(tail -n 1 "$work/log")"; return 1; }
}
prepare() {
    command -v "$python" >/dev/null || { echo "$python is not installed"; return 1; }
    rm -rf "$work/venv" "$work/installed"
    "$python" -m venv "$work/venv" >"$work/log" 2>&1 \
        || { echo "$python cannot make a virtual environment (Debian: python3-venv)"; return 1; }
    install -r "$here/requirements.txt" && install --no-deps -r "$here/alone.txt" || return 1
    wanted >"$work/installed"
}
wanted() { cat "$here/requirements.txt" "$here/alone.txt"; }
if ! wanted | cmp -s - "$work/installed"; then
    echo "tests/clients.sh: installing clients of other people below $work" >&2
    why=$(prepare) || without "$why"
fi
export ROLECALL_CLIENTS=$work/venv/bin/python
exec "${command[@]}"
