#!/usr/bin/env bash
# Builds what is handed out, and tries each thing in an empty folder:
#
#   tests/package.sh [stripped] [static] [wheel]        all three unless some are named
#
#   stripped  the `release` profile, which strips symbols
#   static    one file that needs no library of the system: musl where its Rust target and compiler are
#             installed, else glibc; then names of hosts are looked up by a name of this machine
#   wheel     a Python wheel by maturin (python/wheel) with the program and the module, installed into a fresh
#             environment
#
# Each is built with the feature `full`. What cannot be built here for want of a tool says why and is passed over; what is
# built must work.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
python=${PYTHON:-python3}
host=$(rustc -vV | sed -n 's/^host: //p')
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

say() { printf 'tests/package.sh: %s\n' "$*"; }

# Plays a few games with a program in an empty folder, and tells its size.
try() {
    local name=$1 program=$2 folder
    folder=$(mktemp -d "$place/XXXXXX")
    (
        cd "$folder"
        "$program" run quickstart --limit 2 --quiet > table
        grep -q respact-helpful table
        "$program" replay quickstart > /dev/null
        "$program" init games > /dev/null
        [ -f games/configs/quickstart.toml ]
    )
    say "$name works: $(($(wc -c < "$program") / 1000000)) MB, $("$program" --version)"
}

stripped() {
    cargo build --release --locked --features full
    try stripped "$target/release/rolecall"
}

# The program must find a local server by its name, which is what static glibc cannot always do.
finds_names() {
    local program=$1 port found
    "$python" - "$place/port" <<'END' &
import http.server, json, sys, threading

class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"object": "list", "data": [{"id": "m", "object": "model"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    do_POST = do_GET
    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("", 0), Answer)
with open(sys.argv[1], "w") as file:
    file.write(str(server.server_port))
threading.Timer(120, server.shutdown).start()
server.serve_forever()
END
    local server=$!
    for _ in $(seq 100); do
        [ -s "$place/port" ] && break
        sleep 0.1
    done
    port=$(cat "$place/port")
    cat > "$place/model.toml" <<END
extends = "rolecall:/configs/household/react.toml"
[models.m]
base_url = "http://localhost:$port/v1"
model = "m"
END
    found=yes
    "$program" models probe m --config "$place/model.toml" > "$place/probed" 2>&1 || true
    grep -q "declare" "$place/probed" || found=
    kill "$server"
    wait "$server" 2>/dev/null || true
    if [ -z "$found" ]; then
        cat "$place/probed" >&2
        say "the static program cannot find localhost by its name" >&2
        return 1
    fi
}

static() {
    local musl=${host%-gnu}-musl flags=
    if rustup target list --installed 2>/dev/null | grep -qx "$musl" && command -v musl-gcc > /dev/null; then
        cargo build --release --locked --features full --target "$musl"
        host=$musl
    else
        say "static: no musl here (rustup target add $musl; musl-gcc), so glibc is linked in"
        flags="-C target-feature=+crt-static"
        RUSTFLAGS=$flags cargo build --release --locked --features full --target "$host"
    fi
    local program=$target/$host/release/rolecall
    if ldd "$program" 2>&1 | grep -q '=>'; then
        say "the static program needs libraries:" >&2
        ldd "$program" >&2
        return 1
    fi
    try static "$program"
    finds_names "$program"
}

wheel() {
    local made
    if ! "$python" -m venv "$place/venv" || ! "$place/venv/bin/pip" install -q 'maturin>=1.9,<2'; then
        say "wheel: passed over, no maturin can be installed"
        return 0
    fi
    mkdir "$place/wheel"
    cp -r python/src/rolecall "$place/wheel"
    sed "s|\.\./\.\./Cargo.toml|$PWD/Cargo.toml|" python/wheel/pyproject.toml > "$place/wheel/pyproject.toml"
    (cd "$place/wheel" && "$place/venv/bin/maturin" build --release --locked --out "$place/wheels")
    made=$(ls "$place"/wheels/rolecall-*.whl)
    "$python" -m venv "$place/fresh"
    "$place/fresh/bin/pip" install -q "$made"
    say "wheel: $(basename "$made")"
    try wheel "$place/fresh/bin/rolecall"
    (cd "$place" && fresh/bin/python -c 'import rolecall; assert rolecall.act("look"); print(rolecall.__version__)')
}

[ $# -gt 0 ] || set -- stripped static wheel
for what in "$@"; do
    case $what in
        stripped | static | wheel) "$what" ;;
        *)
            echo "usage: tests/package.sh [stripped] [static] [wheel]" >&2
            exit 2
            ;;
    esac
done
