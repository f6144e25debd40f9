#!/usr/bin/env bash
# Builds a static program, and plays a run with nothing else around it: in a container of examples/Containerfile
# where docker or podman works, else in an empty root folder (as root). Needs the Rust target
# x86_64-unknown-linux-musl and `musl-gcc` (Debian: musl-tools).
set -euo pipefail
cd "$(dirname "$0")/../.."
target=x86_64-unknown-linux-musl
command -v musl-gcc >/dev/null || { echo "no musl-gcc: nothing was built or started" >&2; exit 2; }
rustup target add "$target" >/dev/null 2>&1 || true
CC_x86_64_unknown_linux_musl=musl-gcc cargo build --release --locked --features full --quiet --target "$target"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp "${CARGO_TARGET_DIR:-target}/$target/release/rolecall" examples/Containerfile "$place"
for tool in docker podman; do
    if "$tool" info >/dev/null 2>&1; then
        "$tool" build --quiet --file "$place/Containerfile" --tag rolecall-test "$place"
        "$tool" run --rm rolecall-test run quickstart --limit 2 --shard 0/2 --logs /logs --name 0 --or-resume
        echo "played in a container of $tool"
        exit
    fi
done
echo "no container tool works here; played in an empty root folder instead" >&2
mkdir "$place/root" "$place/root/tmp"
cp "$place/rolecall" "$place/root"
chroot "$place/root" /rolecall run quickstart --limit 2 --shard 0/2 --logs /logs --name 0 --or-resume
