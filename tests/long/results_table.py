#!/usr/bin/env python3
"""The rows of docs/results.md, from runs that `rolecall` reads: tests/long/results_table.py PROGRAM RUN ...

A run is one of the configs in configs/results, or a cast by rules on the same tasks. Printed as Markdown; shares in
percent, tokens and seconds for an episode, the cached share as the server tells it.
"""

import json
import subprocess
import sys

HEADLINES = {"dialogue": "f1", "booking": "log_success", "shop": "reward", "travel": "success", "household": "success"}


def asked(program, run):
    told = subprocess.run([program, "report", run, "--json"], capture_output=True, text=True, check=False)
    # A run that is not at its end is told with status 1.
    return json.loads(told.stdout)


def number(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


def row(report, cell, run):
    name = run.rstrip("/").rsplit("/", 1)[-1]
    world = next(world for world in HEADLINES if world in name)
    metrics, intervals = cell["metrics"], cell["intervals"]
    figure = HEADLINES[world] if HEADLINES[world] in metrics else "reward"
    low, high = (intervals.get(figure) or [None, None])[:2]
    share = lambda key: number(100 * metrics[key] if key in metrics else None, 0)
    answers = sum(shares["n"] for key, shares in cell.get("shares", {}).items() if key.startswith("unreadable."))
    servers = [server for server in report.get("servers", []) if server["cell"] == cell["cell"]]
    calls = sum(server["requests"] for server in servers)
    total = lambda key: sum(server[key] or 0 for server in servers)
    seconds = total("latency_ms") / 1000 / max(cell["episodes"], 1)
    cached = 100 * total("cached_tokens") / total("prompt_tokens") if total("prompt_tokens") else None
    return [
        name,
        str(cell["n"]),
        f"{100 * metrics[figure]:.1f}",
        "-" if low is None else f"{100 * low:.1f} to {100 * high:.1f}",
        number(metrics["steps"]),
        number(metrics["questions"]),
        str(answers) if calls else "-",
        *(share(key) if calls else "-" for key in ["repaired", "echo", "cut", "refused", "unreadable"]),
        number(metrics.get("prompt_tokens"), 0),
        number(metrics.get("completion_tokens"), 0),
        number(cached, 0),
        number(seconds, 0) if calls else "-",
    ]


HEADS = "run|n|score|95 % interval|steps|questions|answers|repaired %|echoes %|cut %|refused %|unreadable %|tokens in|out|cached %|s"


def main():
    program, *runs = sys.argv[1:]
    heads = HEADS.split("|")
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for run in runs:
        report = asked(program, run)
        for cell in report["cells"]:
            print("| " + " | ".join(row(report, cell, run)) + " |")


main()
