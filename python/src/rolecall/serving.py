"""`serve`: answers rolecall in the protocol `rolecall/1`."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
from collections import OrderedDict
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Callable, Dict, List, Optional, Tuple, Type

from .roles import Environment, Fields, Json, Participant, Role, Turn, User, digest_of
from .wire import BAD_PARAMS, INVALID_REQUEST, NEED_VIEW, NO_METHOD, Call, Connection, Refused, Workers

__all__ = ["serve"]

PROTOCOL = 1
#: Seats in episodes whose views are kept; whoever was quiet for longest is sent its view again.
MOST_VIEWS = 4096

Kind = Type[Participant]


class Session(Connection):
    """One connection that plays a class of the user's."""

    def __init__(self, kinds: Tuple[Kind, ...], source: BinaryIO, sink: BinaryIO) -> None:
        super().__init__(source, sink)
        self.kinds = kinds
        self.setup: Json = {}
        self.kind: Optional[Kind] = None
        self.player: Any = None
        self.digest = ""
        self.views: "OrderedDict[Tuple[str, str], Tuple[List[Json], Dict[str, Any]]]" = OrderedDict()
        self.worlds: Dict[str, Environment] = {}
        self.listing = threading.Lock()
        self.opened: Optional[List[Json]] = None

    def answer(self, call: Call, method: str, params: Json) -> Any:
        """The result of a request."""
        if method == "initialize":
            return self.initialize(params)
        methods: Dict[Kind, Dict[str, Callable[[Call, Json], Any]]] = {
            Role: {"take_turn": self.take_turn},
            User: {"reply": self.reply},
            Environment: {"tasks": self.tasks, "open": self.open, "begin": self.begin, "perform": self.perform,
                          "assess": self.assess, "hear": self.hear},
        }
        if self.kind is None:
            raise Refused(INVALID_REQUEST, "`initialize` comes first")
        own = next(table for kind, table in methods.items() if issubclass(self.kind, kind))
        if method not in own:
            raise Refused(NO_METHOD, f"no method `{method}`")
        return own[method](call, params)

    def initialize(self, params: Json) -> Json:
        protocol, wanted = params.get("protocol"), params.get("kind")
        if not isinstance(protocol, int) or protocol < 1:
            raise Refused(BAD_PARAMS, "`protocol` must be a number from 1")
        found = [kind for kind in self.kinds if wanted in (None, _sort(kind))]
        if not found:
            there = ", ".join(f"`{kind.__name__}` is {_article(_sort(kind))}" for kind in self.kinds)
            raise Refused(BAD_PARAMS, f"{_article(str(wanted))} is wanted here, and {there}")
        self.setup, self.kind, self.opened = params, found[0], None
        self.views.clear()
        self.worlds.clear()
        self.workers = Workers(self.kind.threads)
        self.player, self.digest = self.make(), digest_of(self.kind)
        return {"protocol": min(PROTOCOL, protocol), "name": self.kind.__name__, "version": str(self.player.version),
                "deterministic": bool(self.player.deterministic), "external": bool(self.player.external),
                "digest": self.digest}

    def make(self) -> Any:
        """A new object of the class."""
        assert self.kind is not None
        made = self.kind.__new__(self.kind)
        made.parameters = self.setup.get("parameters") or {}
        made.persona = Fields(self.setup.get("persona"))
        made.seat = str(self.setup.get("seat") or "")
        made.__init__()  # type: ignore[misc]
        return made

    def turn(self, call: Call, params: Json) -> Turn:
        """The turn with the whole view."""
        try:
            key, view = (str(params["episode"]), str(params["seat"])), params["view"]
            since, events = view["since"], view["events"]
            if not isinstance(events, list) or not isinstance(since, int) or since < 0:
                raise TypeError("`view` must have a number `since` and a list `events`")
            for event in events:
                event["message"]
        except (KeyError, TypeError) as error:
            raise Refused(BAD_PARAMS, f"no turn: {error!r}") from None
        with self.lock:
            known, state = self.views.get(key, ([], {}))
            if since > len(known):
                raise Refused(NEED_VIEW, "the view is not here any more", {"need": "view"})
            if since == 0:
                state = {}
            # A new list: a turn that was cancelled may still read the old one.
            known = known[:since] + events
            self.views[key] = (known, state)
            self.views.move_to_end(key)
            if len(self.views) > MOST_VIEWS:
                self.views.popitem(last=False)
        return Turn(params, known, state, call)

    def take_turn(self, call: Call, params: Json) -> Json:
        moves = self.player.take_turn(self.turn(call, params))
        if isinstance(moves, dict) and "moves" in moves:
            return moves
        listed = [moves] if isinstance(moves, dict) else moves
        if not isinstance(listed, (list, tuple)) or not all(isinstance(m, dict) and "kind" in m for m in listed):
            raise TypeError(f"take_turn must return moves such as act(\"look\"), not {moves!r:.200}")
        return {"moves": listed}

    def reply(self, call: Call, params: Json) -> Json:
        return _shown(self.player.reply(self.turn(call, params)), "reply", "utterance")

    def tasks(self, _: Call, params: Json) -> Json:
        listed = self.listed()
        start, stop = params.get("from", 0), params.get("to", 0)
        if not isinstance(start, int) or not isinstance(stop, int):
            raise Refused(BAD_PARAMS, "`from` and `to` are numbers")
        kind = self.kind
        assert kind is not None and issubclass(kind, Environment)
        text = json.dumps([listed, self.digest], sort_keys=True)
        return {"total": len(listed), "tasks": [task["public"] for task in listed[max(0, start):max(0, stop)]],
                "digest": f"sha256:{sha256(text.encode()).hexdigest()}", "hears": kind.hear is not Environment.hear,
                "kinds": list(dict.fromkeys(task["public"]["kind"] for task in listed)), "tools": list(kind.tools)}

    def listed(self) -> List[Json]:
        """All tasks, made once."""
        with self.listing:
            if self.opened is None:
                given = list(self.player.tasks())
                self.opened = [_task(number, each) for number, each in enumerate(given)]
            return self.opened

    def open(self, _: Call, params: Json) -> Json:
        listed, index = self.listed(), params.get("index")
        if not isinstance(index, int) or not 0 <= index < len(listed):
            raise Refused(BAD_PARAMS, f"no task {index!r}: there are {len(listed)}")
        return listed[index]

    def begin(self, _: Call, params: Json) -> Json:
        name, begun = str(params.get("world")), Fields(params.get("begun") or {})
        given = params.get("task")
        if not isinstance(given, dict):
            raise Refused(BAD_PARAMS, "`begin` needs a `task`")
        public = given.get("public", given)
        parts = {part["label"]: part["value"] for part in given.get("entrusted") or given.get("private") or ()}
        if not (begun.keep_world and name in self.worlds):
            self.worlds[name] = self.make()
        task = Fields({**public, "entrusted": parts})
        return _shown(self.worlds[name].begin(task, begun), "begin", "observation")

    def drop(self, params: Json) -> None:
        self.worlds.pop(str(params.get("world")), None)

    def world(self, params: Json) -> Environment:
        """The world that is asked."""
        name = str(params.get("world"))
        if name not in self.worlds:
            raise Refused(BAD_PARAMS, f"no world `{name}`: `begin` makes it")
        return self.worlds[name]

    def perform(self, _: Call, params: Json) -> Json:
        action = params.get("action")
        if not isinstance(action, dict) or "text" not in action:
            raise Refused(BAD_PARAMS, "`perform` needs an `action` with a `text`")
        return _shown(self.world(params).perform(Fields(action)), "perform", "observation")

    def hear(self, _: Call, params: Json) -> Optional[Json]:
        heard = self.world(params).hear(Fields(params.get("said")), Fields(params.get("reply")))
        return None if heard is None else _shown(heard, "hear", "observation")

    def assess(self, _: Call, params: Json) -> Json:
        given = self.world(params).assess()
        if isinstance(given, dict) and "success" in given:
            return given
        if not isinstance(given, (bool, int, float)):
            raise TypeError(f"assess must return True or False, a reward, or score(...), not {given!r:.200}")
        return {"success": float(given) >= 1.0, "reward": float(given)}


def _sort(kind: Kind) -> str:
    return "role" if issubclass(kind, Role) else "user" if issubclass(kind, User) else "environment"


def _article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" and word != "user" else f"a {word}"


def _shown(given: Any, method: str, helper: str) -> Json:
    if isinstance(given, str):
        return {"text": given}
    if isinstance(given, dict) and isinstance(given.get("text"), str):
        return given
    raise TypeError(f"{method} must return a text or {helper}(...), not {given!r:.200}")


def _task(number: int, given: Any) -> Json:
    if isinstance(given, str):
        return {"public": {"id": str(number), "kind": "task", "text": given}, "entrusted": []}
    if isinstance(given, dict) and "public" in given:
        return given
    raise TypeError(f"tasks must return texts or task(...), and number {number} is {given!r:.200}")


def serve(*kinds: Kind, address: Optional[str] = None) -> None:
    """Plays for rolecall until it closes: over standard input and output, or at an address (`HOST:PORT` or
    `unix:/path`, also by `--listen` on the command line), where each connection is served on its own.

    What your code prints goes to standard error, which rolecall writes into the run's `trace.log`."""
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, (Role, User, Environment))):
            raise TypeError(f"serve takes classes that are a Role, a User or an Environment, not {kind!r}")
    if not kinds:
        raise TypeError("serve needs a class")
    if address is None and "--listen" in sys.argv[1:-1]:
        address = sys.argv[sys.argv.index("--listen") + 1]
    if address is not None:
        return _listen(kinds, address)
    if sys.stdin is None or sys.stdin.isatty():
        print("This program is started by rolecall: name it in a config as `command`. With `--listen HOST:PORT` it "
              "waits for rolecall there.", file=sys.stderr)
        sys.exit(2)
    # What anybody else prints or reads must not disturb the protocol.
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if threading.current_thread() is threading.main_thread():
        # Ctrl-C is for rolecall, which closes the pipe when it is done.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    Session(kinds, source, sink).run()


def _listen(kinds: Tuple[Kind, ...], address: str) -> None:
    if address.startswith("unix:"):
        if Path(address[5:]).is_socket():
            os.unlink(address[5:])
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(address[5:])
        listener.listen()
        print(f"listening at {address}", file=sys.stderr)
    else:
        host, _, port = address.rpartition(":")
        if not port.isdigit():
            raise ValueError(f"`{address}` is no address: write HOST:PORT or unix:/path")
        listener = socket.create_server((host.strip("[]") or "127.0.0.1", int(port)))
        print(f"listening at {host}:{listener.getsockname()[1]}", file=sys.stderr, flush=True)
    while True:
        try:
            connection, _ = listener.accept()
        except KeyboardInterrupt:
            return
        if connection.family != getattr(socket, "AF_UNIX", None):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=_connected, args=(kinds, connection), daemon=True).start()


def _connected(kinds: Tuple[Kind, ...], connection: socket.socket) -> None:
    with connection, connection.makefile("rb") as source, connection.makefile("wb") as sink:
        try:
            Session(kinds, source, sink).run()
        except OSError as error:
            print(f"a connection broke: {error}", file=sys.stderr)
