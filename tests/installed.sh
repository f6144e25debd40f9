# Sourced by scripts beside it that install Python packages of other people and run a command that may use
# them. They set before:
#
#   variable  the name of the variable that the command finds; where it is set already, nothing is installed,
#             and `off` says that nothing is wanted
#   missing   what there is not, if it cannot be installed
#   default   the command, unless one is given
#
# Packages go once into the cargo target folder. If that cannot be done, the script says why and ends; with
# --if-possible as its first argument it says why and runs the command without the variable.
cd "$(dirname "$0")/.."
self=tests/$(basename "$0")
optional=
if [ "${1:-}" = --if-possible ]; then
    optional=yes
    shift
fi
[ $# -gt 0 ] || set -- $default
command=("$@")

if [ -n "${!variable:-}" ]; then
    if [ "${!variable}" = off ]; then unset "$variable"; fi
    exec "${command[@]}"
fi

without() {
    echo "$self: $missing: $1" >&2
    if [ -n "$optional" ]; then exec "${command[@]}"; fi
    exit 2
}

python=${PYTHON:-python3}
work=${CARGO_TARGET_DIR:-target}/$(basename "$0" .sh)
mkdir -p "$work"
work=$(cd "$work" && pwd)

# Installs what the files list, once, and again when other versions are wanted. What the second lists is
# installed without what it wants.
installed() {
    local why
    if cat "$@" | cmp -s - "$work/installed"; then return; fi
    echo "$self: installing packages below $work" >&2
    why=$(install "$@") || without "$why"
}
install() {
    command -v "$python" >/dev/null || { echo "$python is not installed"; return 1; }
    rm -rf "$work/venv" "$work/installed"
    "$python" -m venv "$work/venv" >"$work/log" 2>&1 \
        || { echo "$python cannot make a virtual environment (Debian: python3-venv)"; return 1; }
    fetch -r "$1" && { [ $# -lt 2 ] || fetch --no-deps -r "$2"; } || return 1
    cat "$@" >"$work/installed"
}
fetch() {
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
        --only-binary :all: "$@" >"$work/log" 2>&1 \
        || { echo "pip could not install the packages: $(tail -n 1 "$work/log")"; return 1; }
}
