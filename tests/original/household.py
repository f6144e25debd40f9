"""Plays household games in the original program and records every step.

The recordings have the form that `rolecall-conformance household` reads: one JSON object a line.
Each game is played twice: its walkthrough, and after it has been won seeded random admissible
commands; then random commands from the start, some of which are not admissible.

    household.py DATA OUT [--games N] [--steps N] [--seed N]

DATA is a tree of games, OUT a new folder for the recordings. Needs `alfworld` and `textworld` with
its planner; `household.sh` beside this file sets up both and compares afterwards.
"""

import argparse
import collections
import contextlib
import io
import json
import os
import random
import sys

# The only parts of the two packages that a game needs. `AlfredTWEnv` adds a thread per game.
with contextlib.redirect_stdout(io.StringIO()):
    import textworld
    from alfworld.agents.environment.alfred_tw_env import AlfredDemangler, AlfredTWEnv
    from textworld.envs.pddl import PddlEnv

TASK_TYPES = [1, 2, 3, 4, 5, 6]


def listed_games(data):
    """The games that the original finds below a folder, by its own rules."""
    config = {
        "env": {"goal_desc_human_anns_prob": 0, "task_types": TASK_TYPES},
        "dataset": {"data_path": data, "num_train_games": -1},
    }
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return sorted(AlfredTWEnv(config, train_eval="train").game_files)


def spoilt(rng, commands):
    """Something an agent could write by mistake that is not admissible."""
    command = rng.choice(commands)
    wrong = rng.choice(
        [
            command.upper(),
            command.replace(" ", "  ", 1) if " " in command else command + ".",
            command + " 1",
            "put " + command,
            "take the " + command,
            "open everything",
            "",
        ]
    )
    return wrong if wrong.strip() not in commands else command + "."


# Commands are mostly walks; this share of picks leaves them out, so that things get moved.
STAY = 0.7


def choose(rng, commands):
    deeds = [command for command in commands if not command.startswith(("go ", "examine ", "help"))]
    return rng.choice(deeds if deeds and rng.random() < STAY else commands)


class Recorder:
    """Plays one game and writes down every step."""

    def __init__(self, path, name, sink):
        infos = textworld.EnvInfos(won=True, admissible_commands=True, extras=["walkthrough"])
        self.env = AlfredDemangler(PddlEnv(infos), shuffle=False)
        self.env.load(path)
        self.walkthrough = self.env.unwrapped.walkthrough
        self.name, self.sink, self.steps = name, sink, 0

    def reset(self, episode):
        self.episode, self.number = episode, 0
        self.state = self.env.reset()
        self.write("reset", None, {})

    def step(self, kind, command):
        self.number += 1
        self.state, score, done = self.env.step(command)
        self.write(kind, command, {"score": score, "done": done})

    def write(self, kind, command, more):
        self.steps += 1
        line = {
            "game": self.name,
            "episode": self.episode,
            "step": self.number,
            "kind": kind,
            "command": command,
            "observation": self.state.feedback,
            "admissible_commands": self.state["admissible_commands"],
            "won": bool(self.state["won"]),
        }
        self.sink.write(json.dumps({**line, **more}) + "\n")

    def play(self, rng, steps):
        self.reset("walkthrough")
        early = bool(self.state["won"])
        for command in self.walkthrough:
            early = early or bool(self.state["won"])
            self.step("walk", command)
        solved = bool(self.state["won"]) and not early
        for _ in range(steps // 2):
            self.step("random", choose(rng, self.state["admissible_commands"]))
        self.reset("random")
        for _ in range(steps):
            commands = self.state["admissible_commands"]
            if rng.random() < 0.25:
                self.step("inv:spoilt", spoilt(rng, commands))
            else:
                self.step("random", choose(rng, commands))
        return solved


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data")
    parser.add_argument("out")
    parser.add_argument("--games", type=int, default=0, help="play only the first N; 0: all")
    parser.add_argument("--steps", type=int, default=40, help="steps of each random episode")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = listed_games(options.data)
    if options.games:
        files = files[: options.games]
    if not files:
        sys.exit(f"no game below {options.data}")
    os.makedirs(options.out)
    types, steps, unsolved = collections.Counter(), 0, []
    for index, path in enumerate(files):
        name = os.path.relpath(path, options.data)
        types[os.path.basename(os.path.dirname(os.path.dirname(path))).split("-")[0]] += 1
        with open(os.path.join(options.out, f"{index:04}.jsonl"), "w") as sink:
            recorder = Recorder(path, name, sink)
            solved = recorder.play(random.Random(options.seed * 1_000_003 + index), options.steps)
        steps += recorder.steps
        if not solved:
            unsolved.append(name)
    for name, count in sorted(types.items()):
        print(f"{count:5} {name}")
    print(f"{len(files)} games, {steps} steps recorded")
    for name in unsolved:
        print(f"not won at the last step of its walkthrough: {name}")
    sys.exit(1 if unsolved else 0)


if __name__ == "__main__":
    main()
