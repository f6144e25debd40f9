"""Reads what runs have written: see docs/logs.md of rolecall."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Union

Json = Dict[str, Any]

__all__ = ["read", "results"]


def read(run: Union[str, "os.PathLike[str]"]) -> Dict[str, List[Json]]:
    """The events of a run's folder: for each episode (`cell:task:repeat`) its events in order."""
    folder = _folder(run)
    episodes: Dict[str, List[Json]] = {}
    for line in _lines(folder, "events", ["logs", "canonical"]):
        event = json.loads(line)
        episodes.setdefault(event["episode"], []).append(event)
    for events in episodes.values():
        events.sort(key=lambda event: int(event["seq"]))
    return episodes


def results(run: Union[str, "os.PathLike[str]"]) -> List[Json]:
    """The results of a run's folder: one for each episode that is over."""
    return [json.loads(line) for line in _lines(_folder(run), "results", ["show", "--json"])]


def _folder(run: Union[str, "os.PathLike[str]"]) -> Path:
    folder = Path(run)
    if not (folder / "run.toml").is_file():
        raise FileNotFoundError(f"`{folder}` is no folder of a run: it has no run.toml")
    return folder


def _lines(folder: Path, series: str, printing: List[str]) -> Iterator[bytes]:
    """The lines of a series of files; printed by the program if some cannot be read here."""
    closed = {file.name[: len(f"{series}-000001")] for file in folder.glob(f"{series}-*.jsonl*")
              if file.name.endswith((".jsonl", ".jsonl.zst"))}
    for name in sorted(closed):
        plain = folder / f"{name}.jsonl"
        # Both are there for a moment, and the compressed one may be half written.
        text = plain.read_bytes() if plain.exists() else _unpacked(folder / f"{name}.jsonl.zst")
        if text is None:
            yield from _printed(folder, printing)
            return
        yield from _whole_lines(text)
    newest = folder / f"{series}.jsonl"
    if newest.exists():
        yield from _whole_lines(newest.read_bytes())


def _whole_lines(text: bytes) -> Iterator[bytes]:
    # A last line without its end was cut off.
    return (line for line in text[: text.rfind(b"\n") + 1].split(b"\n") if line)


def _unpacked(file: Path) -> Optional[bytes]:
    """The lines of a compressed segment; None if Python cannot read it here."""
    try:
        from compression import zstd  # type: ignore[import-not-found]  # Python 3.14
        with zstd.open(file) as stream:
            return bytes(stream.read())
    except ImportError:
        pass
    try:
        import zstandard  # type: ignore[import-not-found,unused-ignore]
        with file.open("rb") as source:
            return bytes(zstandard.ZstdDecompressor().stream_reader(source, read_across_frames=True).read())
    except ImportError:
        return None


def _printed(folder: Path, printing: List[str]) -> Iterator[bytes]:
    program = os.environ.get("ROLECALL") or shutil.which("rolecall")
    if program is None:
        raise RuntimeError(f"the log in `{folder}` is compressed: use Python 3.14, or `pip install zstandard`, or put "
                           "the program `rolecall` on the PATH")
    done = subprocess.run([program, *printing, str(folder)], stdout=subprocess.PIPE, check=True)
    yield from _whole_lines(done.stdout)
