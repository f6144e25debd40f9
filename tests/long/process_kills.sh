#!/usr/bin/env bash
# Kills a role in another process at random while a run goes on, and compares the log with that of a run that
# nobody disturbed: tests/long/process_kills.sh [KILLS [EPISODES [SEED]]]; 1000, 200 and 1 unless they are said.
#
# Needs Python. The suite of tests plays a part of it (`doors processes`).
set -euo pipefail
cd "$(dirname "$0")/../.."
kills=${1:-1000} episodes=${2:-200} seed=${3:-1}
cargo build --release --locked --quiet
program=$(realpath "${CARGO_TARGET_DIR:-target}/release/rolecall")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export PYTHONPATH=$PWD/python/src
cd "$place"

cat >walker.py <<'PY'
import time
from rolecall import Role, act, serve, speak

class Walker(Role):
    "Walks about for ever, and asks now and then; each turn takes a moment."
    def take_turn(self, turn):
        time.sleep(0.002)
        if turn.number % 50 == 7:
            return speak(f"Where is it? (turn {turn.number}, {len(turn.events)} events)")
        return act(turn.random().choice(["look", "inventory", "go to fridge 1", f"go to shelf {turn.number % 9}"]))

serve(Walker)
PY
cat >kills.toml <<TOML
extends = "household/respact"
[roles.executor]
implementation = "process"
command = ["python3", "walker.py"]
env = ["PYTHONPATH"]
[tasks]
limit = $((episodes / 2))
[limits]
steps = $((kills * 150 / episodes + 50))
[run]
concurrency = 4
TOML
play() { "$program" run kills.toml --set repeats=2 --no-report --name "$1" --quiet >/dev/null; }

play undisturbed
echo "undisturbed: $("$program" logs canonical logs/undisturbed | wc -l) events"
python3 - "$program" "$kills" "$seed" <<'PY'
import os, random, signal, subprocess, sys, time
program, kills, chance = sys.argv[1], int(sys.argv[2]), random.Random(int(sys.argv[3]))
run = subprocess.Popen([program, "run", "kills.toml", "--set", "repeats=2", "--no-report", "--name", "killed",
                        "--quiet"], stdout=subprocess.DEVNULL)
done, began = 0, time.time()
while run.poll() is None and done < kills:
    children = open(f"/proc/{run.pid}/task/{run.pid}/children").read().split()
    for task in os.listdir(f"/proc/{run.pid}/task"):
        children += open(f"/proc/{run.pid}/task/{task}/children").read().split()
    for child in set(children):
        try:
            os.kill(int(child), signal.SIGKILL)
            done += 1
        except ProcessLookupError:
            pass
    time.sleep(chance.uniform(0.0, 0.12))
code = run.wait()
print(f"killed {done} times in {time.time() - began:.0f} s, exit code {code}")
sys.exit(code or done < kills)
PY
restarts=$(grep -o '"restarts":[0-9]*' logs/killed/timings.jsonl | cut -d: -f2 | paste -sd+ | bc)
echo "turns that saw it die: $restarts"
cmp <("$program" logs canonical logs/undisturbed) <("$program" logs canonical logs/killed)
"$program" logs verify logs/killed
echo "the same log"
