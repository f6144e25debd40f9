"""Roles, users and environments that play in runs of rolecall (its protocol `rolecall/1`).

A participant is a class of yours; `serve(YourClass)` at the end of its file lets rolecall start that file
and ask it. What a role or user answers must follow from what it is shown (`turn.events`) and `turn.seed`:
a process that is started again is shown everything anew.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import sysconfig
from pathlib import Path
from typing import Any, ClassVar, Dict, Iterator, List, Mapping, Optional, Protocol, Sequence, Tuple, Type, Union

Json = Dict[str, Any]
Move = Json

__all__ = [
    "Cancelled", "ContextFull", "Environment", "Failed", "Fields", "Refused", "Role", "Turn", "Unavailable", "Unusable",
    "User", "act", "call", "finish", "judge", "learn", "observation", "plan", "score", "speak", "task", "think", "utterance",
]


class Fields:
    """A JSON object whose fields are attributes; a field that is not there is None."""

    __slots__ = ("_data",)

    def __init__(self, data: Optional[Mapping[str, Any]] = None) -> None:
        self._data = {} if data is None else data

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _fields(self._data.get(name))

    def __getitem__(self, name: str) -> Any:
        return _fields(self._data[name])

    def __contains__(self, name: object) -> bool:
        return name in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __eq__(self, other: object) -> bool:
        return self._data == (other._data if isinstance(other, Fields) else other)

    def __hash__(self) -> int:
        return hash(json.dumps(self._data, sort_keys=True))

    def __repr__(self) -> str:
        return f"Fields({self._data!r})"

    def json(self) -> Mapping[str, Any]:
        """The object as it was read."""
        return self._data


def _fields(value: Any) -> Any:
    if isinstance(value, dict):
        return Fields(value)
    if isinstance(value, list):
        return [_fields(part) for part in value]
    return value


def _given(**fields: Any) -> Json:
    """The fields that are not None or False."""
    return {name: value for name, value in fields.items() if value is not None and value is not False}


# Moves of a role.

def think(text: str) -> Move:
    """A thought: the world does not change, and the user hears nothing."""
    return {"kind": "think", "text": text}


def act(text: str) -> Move:
    """An action on the world, given by its text."""
    return {"kind": "act", "action": {"text": text}}


def call(tool: str, /, **arguments: Any) -> Move:
    """An action that is a call of a tool."""
    text = f"{tool} {json.dumps(arguments, ensure_ascii=False)}"
    return {"kind": "act", "action": {"text": text, "call": {"tool": tool, "arguments": arguments}}}


def speak(text: str, act: Optional[str] = None) -> Move:
    """Something said to the user, with the dialogue act that you declare, if any."""
    return {"kind": "speak", **_given(text=text, act=act)}


def plan(*steps: Union[str, Move, Json]) -> Move:
    """A plan: steps are texts of actions, `act(...)`, `call(...)`, or objects
    `{"description", "variable", "action"}`."""
    def step(given: Union[str, Json]) -> Json:
        if isinstance(given, str):
            return {"action": {"text": given}}
        return {"action": given["action"]} if given.get("kind") == "act" else given
    return {"kind": "plan", "steps": [step(given) for given in steps]}


def judge(clarify: bool, reason: Optional[str] = None) -> Move:
    """Whether the request must be clarified first."""
    return {"kind": "judge", "clarify": clarify, **_given(reason=reason)}


def learn(lesson: str) -> Move:
    """A lesson for later turns or trials."""
    return {"kind": "learn", "lesson": lesson}


def finish(answer: Any = None) -> Move:
    """The end of the task, with an answer: nothing, a text, or any JSON."""
    return {"kind": "finish", "answer": answer}


# What users say, what environments show, how they score, what their tasks are.

def utterance(text: str, *, act: Optional[str] = None, leaving: bool = False, satisfied: bool = False) -> Json:
    """What a user says; `leaving` ends the conversation, `satisfied` says that the user has what it wanted."""
    return _given(text=text, act=act, leaving=leaving, satisfied=satisfied)


def observation(text: str, *, data: Any = None, asks: Optional[str] = None, done: bool = False,
                invalid: bool = False) -> Json:
    """What a world shows. `done`: it accepts no further action; `invalid`: the action was not possible, and
    nothing changed; `asks`: the user is to be asked this first."""
    return _given(text=text, data=data, asks=asks, done=done, invalid=invalid)


def score(success: bool, reward: Optional[float] = None, detail: Any = None) -> Json:
    """How a trial went; the reward is 1 or 0 unless given."""
    reward = float(success) if reward is None else float(reward)
    return {"success": bool(success), "reward": reward, **_given(detail=detail)}


def task(id: str, text: str = "", *, kind: str = "task", groups: Optional[Mapping[str, str]] = None,
         data: Any = None, entrusted: Sequence[Tuple[str, str, Any]] = ()) -> Json:
    """A task. Everybody may see its text and data. `entrusted` are parts that only one seat may see, as
    (seat, label, value): the seat is "environment", "user", a role, or "conductor" for nobody."""
    public = {"id": str(id), "kind": kind, **_given(groups=groups or None, text=text or None, data=data)}
    parts = [{"audience": seat, "label": label, "value": value} for seat, label, value in entrusted]
    return {"public": public, "entrusted": parts}


class Failed(Exception):
    """The participant cannot go on, which says nothing about the agent."""

    kind = "failed"


class Unusable(Failed):
    """The answer cannot be used: the agent's own failure."""

    kind = "unusable"


class ContextFull(Failed):
    """The prompt does not fit the window of the model."""

    kind = "context_full"


class Refused(Failed):
    """The model, or a filter, refused to answer."""

    kind = "refused"


class Unavailable(Failed):
    """Something that the participant depends on is not there now."""

    kind = "unavailable"


#: Failures by the name that they have between processes.
FAILURES: Dict[Any, Type[Failed]] = {one.kind: one for one in (Unusable, ContextFull, Refused, Unavailable)}


class Cancelled(BaseException):
    """Nobody waits for the answer any more: let it pass."""


class Asked(Protocol):
    """Where a turn's questions go: the call that rolecall waits for."""

    cancelled: bool

    def complete(self, request: Json) -> Json:
        """Asks a model."""


class Turn:
    """One turn of a role or user."""

    def __init__(self, data: Mapping[str, Any], events: List[Json], state: Dict[str, Any], asked: Asked) -> None:
        self.episode: str = data["episode"]
        self.seat: str = data["seat"]
        #: This seat's turn in the episode, from 0, and how often it was tried before.
        self.number: int = data.get("number", 0)
        self.attempt: int = data.get("attempt", 0)
        self.seed: int = data.get("seed", 0)
        #: Milliseconds that are left for the answer.
        self.deadline_ms: Optional[int] = data.get("deadline_ms")
        #: What is asked of a role: `.open` (kinds of moves), `.notice`, `.steps_left`, ...
        self.brief = Fields(data.get("brief"))
        #: What a user is told, with `.text`; empty for a role.
        self.question = Fields(data.get("question"))
        #: Everything this seat may see, oldest first, as in the log.
        self.events: List[Json] = events
        #: Yours, for this seat in this episode: a cache. It is empty again in a process that was started anew.
        self.state: Dict[str, Any] = state
        self._asked = asked
        self._random: Optional[random.Random] = None

    def last(self, kind: str) -> Any:
        """The content of the newest event of a kind (`observed`, `replied`, `told`, `moved`, ...), or None."""
        for event in reversed(self.events):
            message = event["message"]
            if isinstance(message, dict) and kind in message:
                return _fields(message[kind])
        return None

    @property
    def task(self) -> Fields:
        """The task as everybody may see it: `.id`, `.kind`, `.text`, `.data`."""
        opened = self.last("opened")
        return (opened and opened.task) or Fields()

    def entrusted(self, label: str) -> Any:
        """A part of the task that only this seat may see, or None."""
        for event in self.events:
            message = event["message"]
            if isinstance(message, dict) and message.get("entrusted", {}).get("label") == label:
                return _fields(message["entrusted"]["value"])
        return None

    def text(self) -> str:
        """What happened so far as this seat saw it, in lines, for a prompt."""
        lines = (_line(event, self.seat) for event in self.events if isinstance(event["message"], dict))
        return "\n".join(line for line in lines if line)

    def random(self) -> random.Random:
        """A generator that gives the same numbers whenever this turn is played."""
        if self._random is None:
            self._random = random.Random(self.seed)
        return self._random

    def cancelled(self) -> bool:
        """Whether nobody waits for the answer any more."""
        return self._asked.cancelled

    def complete(self, model: str, user: Optional[str] = None, *, system: Optional[str] = None,
                 messages: Optional[Sequence[Mapping[str, str]]] = None, prompt: Optional[str] = None,
                 **options: Any) -> "Reply":
        """Asks a model of the config by its name there: with messages (`system`, then `messages`, then `user`),
        or with one `prompt` that it continues. Options: `n`, `max_tokens`, `temperature`, `top_p`, `stop`,
        `logprobs`. The call is recorded, counted and replayed by rolecall."""
        request: Json = {"model": model, **_given(prompt=prompt), **{k: v for k, v in options.items() if v is not None}}
        if prompt is None:
            said = [("system", system)] if system is not None else []
            asked = [("user", user)] if user is not None else []
            request["messages"] = [{"role": role, "content": text} for role, text in said]
            request["messages"] += [dict(message) for message in messages or ()]
            request["messages"] += [{"role": role, "content": text} for role, text in asked]
        return Reply(self._asked.complete(request))


class Reply(Fields):
    """A model's reply: `.choices`, `.usage`, and the first choice's `.text`."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The text of the first choice."""
        choices = self._data.get("choices") or [{}]
        return str(choices[0].get("text", ""))

    @property
    def tool_calls(self) -> Any:
        """The calls of tools of the first choice."""
        choices = self._data.get("choices") or [{}]
        return _fields(choices[0].get("tool_calls", []))


def _line(event: Json, seat: str) -> str:
    (kind, value), = event["message"].items()
    if kind == "opened":
        return str(value["task"].get("text", ""))
    if kind == "observed":
        return str(value["text"])
    if kind == "replied":
        return f"{'you' if seat == 'user' else 'user'}: {value['text']}"
    if kind == "told" and seat == "user":
        return f"agent: {value['text']}"
    if kind == "moved":
        by = "" if event.get("from") == seat else f"{event.get('from')} "
        if value["kind"] == "act":
            return f"{by}> {value['action']['text']}"
        return f"{by}{value['kind']}: {_words(value)}"
    return ""


def _words(move: Json) -> str:
    for name in ("text", "lesson", "reason"):
        if isinstance(move.get(name), str):
            return str(move[name])
    if "steps" in move:
        return "; ".join(step["action"]["text"] for step in move["steps"])
    return json.dumps(move.get("answer"), ensure_ascii=False)


class Participant:
    """What roles, users and environments have in common. `__init__` takes nothing; the attributes below that
    have no value in your class are there already when it runs."""

    #: Equal turns give equal answers. If not, answers are written down before they are used, and a replay
    #: takes them from the log.
    deterministic: ClassVar[bool] = True
    #: It asks models, people or services by itself, not by `turn.complete`.
    external: ClassVar[bool] = False
    #: A word for the version of your code, for `run.toml`; the code's hash is there besides.
    version: ClassVar[str] = "0"
    #: How many calls are worked on at once. 1 if your code must not run in several threads.
    threads: ClassVar[int] = 256

    #: The table `parameters` of the config.
    parameters: Mapping[str, Any] = {}
    #: The texts of the persona, if the config names one: `.prompt`, `.exemplars`.
    persona: Fields = Fields()
    #: The seat that it plays.
    seat: str = ""


class Role(Participant):
    """An agent of the cast. One object plays in all episodes at once."""

    def take_turn(self, turn: Turn) -> Union[Move, Sequence[Move]]:
        """Your move, one of `turn.brief.open`; several where `turn.brief.several`."""
        raise NotImplementedError("a role has a method take_turn(self, turn)")


class User(Participant):
    """Who answers when the agent speaks. One object plays in all episodes at once."""

    def reply(self, turn: Turn) -> Union[str, Json]:
        """Answers `turn.question`: a text, or `utterance(...)`."""
        raise NotImplementedError("a user has a method reply(self, turn)")


class Environment(Participant):
    """A world with its tasks. One object has the tasks; each world is an object of its own.

    What a world shows must follow from its task, the seed and the actions: it is set up again, and the same
    actions performed, where a process was lost."""

    #: Tools that agents may call instead of writing commands: `{"name", "description", "parameters"}`.
    tools: ClassVar[Sequence[Json]] = ()

    def tasks(self) -> Sequence[Union[str, Json]]:
        """All tasks, in order: `task(...)`, or a text."""
        raise NotImplementedError("an environment has a method tasks(self)")

    def begin(self, task: Fields, begun: Fields) -> Union[str, Json]:
        """Sets the world up and shows it. `task` has `.id`, `.text`, `.data` and `.entrusted` (by label);
        `begun` has `.seed`, `.trial`, `.round`, `.keep_world`."""
        raise NotImplementedError("an environment has a method begin(self, task, begun)")

    def perform(self, action: Fields) -> Union[str, Json]:
        """Performs `action.text` (or `action.call`) and shows what comes of it: a text, or `observation(...)`."""
        raise NotImplementedError("an environment has a method perform(self, action)")

    def assess(self) -> Union[bool, float, Json]:
        """Whether the task is solved, its reward (1 is solved), or `score(...)`."""
        raise NotImplementedError("an environment has a method assess(self)")

    def hear(self, said: Fields, reply: Fields) -> Union[None, str, Json]:
        """Hears what the user was told and replied. Only asked if your class has this method."""
        return None


def digest_of(kind: type) -> str:
    """A hash of the code of a class: of the files of it and its bases, and of every module that was loaded
    from the folder of its own file. Installed packages are left out."""
    def source(module: Any) -> Optional[Path]:
        name = getattr(module, "__file__", None)
        path = Path(name).resolve() if isinstance(name, str) and name.endswith(".py") else None
        return None if path is None or not path.is_file() or _is_installed(path) else path

    own = source(sys.modules.get(kind.__module__))
    files = {source(sys.modules.get(part.__module__)) for part in kind.__mro__}
    if own is not None:
        loaded = (source(module) for module in list(sys.modules.values()))
        files |= {path for path in loaded if path is not None and own.parent in path.parents}
    hashed = hashlib.sha256(kind.__name__.encode())
    for path in sorted(path for path in files if path is not None):
        hashed.update(path.read_bytes())
    return f"sha256:{hashed.hexdigest()}"


def _is_installed(path: Path) -> bool:
    here = Path(__file__).resolve().parent
    library = Path(sysconfig.get_paths()["stdlib"]).resolve()
    return "site-packages" in path.parts or here in path.parents or library in path.parents
