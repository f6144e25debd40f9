"""For tests of your participants: turns to hand them, and the program to play them with."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from .log import read, results
from .roles import Json, Turn

__all__ = ["Run", "play", "turn"]


class _NoCall:
    cancelled = False

    def __init__(self, reply: Callable[[Json], Union[str, Json]]) -> None:
        self._reply = reply

    def complete(self, request: Json) -> Json:
        reply = self._reply(request)
        return {"choices": [{"text": reply}], "usage": {}} if isinstance(reply, str) else reply


def _no_model(request: Json) -> str:
    raise AssertionError(f"the model {request['model']!r} is asked: give `turn` a `reply`")


def turn(*messages: Mapping[str, Any], open: Sequence[str] = ("think", "act", "speak"), seat: str = "executor",
         number: int = 0, seed: int = 0, question: Optional[str] = None, brief: Optional[Json] = None,
         reply: Callable[[Json], Union[str, Json]] = _no_model) -> Turn:
    """A turn whose seat has seen these messages, such as `{"observed": {"text": "You see a fridge 1."}}`.
    `reply` answers instead of models: it gets the request and returns a text."""
    events = [{"seq": seq, "from": "conductor", "to": seat, "message": dict(message)}
              for seq, message in enumerate(messages)]
    data = {"episode": "test:0:0", "seat": seat, "number": number, "seed": seed,
            "brief": {"open": list(open), **(brief or {})},
            "question": None if question is None else {"text": question}}
    return Turn(data, events, {}, _NoCall(reply))


class Run:
    """A run that was played: its `folder`, its `results`, and the events of its `episodes`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results: List[Json] = results(folder)
        self.episodes: Dict[str, List[Json]] = read(folder)


def play(config: Union[str, "os.PathLike[str]"], *options: str, logs: Optional[str] = None) -> Run:
    """Plays a config with `rolecall run` (the program in the variable ROLECALL, or the one on the PATH). `python3`
    in the config is the Python that runs this test."""
    program = os.environ.get("ROLECALL") or shutil.which("rolecall")
    if program is None:
        raise RuntimeError("the program `rolecall` is not on the PATH: install it, or name it in the variable ROLECALL")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(logs or place)
        # Children are started without the variables of this process, and must find this package all the same.
        python3 = Path(place) / "bin" / "python3"
        python3.parent.mkdir()
        found = shlex.quote(str(Path(__file__).resolve().parent.parent))
        python3.write_text(f'#!/bin/sh\nPYTHONPATH={found} exec {shlex.quote(sys.executable)} "$@"\n')
        python3.chmod(0o755)
        path = os.pathsep.join([str(python3.parent), os.environ.get("PATH", "")])
        done = subprocess.run([program, "run", str(config), "--logs", str(folder), "--name", "played", "--quiet",
                               *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "PATH": path})
        if done.returncode != 0:
            raise AssertionError(f"rolecall run {config} failed:\n{done.stdout}")
        return Run(folder / "played")
