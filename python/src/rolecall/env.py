"""A client of `rolecall serve env` (the wire of OpenEnv) over the sockets of the standard library."""

from __future__ import annotations

import base64
import http.client
import json
import os
import socket
import ssl
import struct
from dataclasses import dataclass
from hashlib import sha1
from typing import Any, Dict, List, Optional, Tuple, Union
from urllib.parse import urlsplit

from .roles import Fields, Json

__all__ = ["Env", "EnvError", "Step"]

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
#: The longest message that is taken, in bytes.
LONGEST = 16 << 20


class EnvError(Exception):
    """The server refused something: `code` is the word for it, such as `SESSION_ERROR`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


@dataclass(frozen=True)
class Step:
    """What a step (or the reset) brought: `observation.text`, `.open`, `.steps_left`, `.metadata`, ..."""

    observation: Fields
    reward: Optional[float]
    done: bool

    @property
    def text(self) -> str:
        """What the seat saw since its last answer."""
        return str(self.observation.text or "")


class Env:
    """One session: one episode at a time, of the config that the server plays.

        env = rolecall.Env("http://127.0.0.1:8000")
        step = env.reset(seed=7)
        while not step.done:
            step = env.step(my_policy(step.text))
    """

    def __init__(self, url: str, *, token: Optional[str] = None, timeout: Optional[float] = 60.0) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https", "ws", "wss") or parts.hostname is None:
            raise ValueError(f"`{url}` is no address: write http://HOST:PORT")
        self._secure = parts.scheme in ("https", "wss")
        self._host, self._port = parts.hostname, parts.port or (443 if self._secure else 80)
        self._path = parts.path.rstrip("/")
        if self._path.endswith("/ws"):
            self._path = self._path[:-3]
        self._token, self._timeout = token, timeout
        self._name: Optional[str] = None
        self._socket: Optional[_WebSocket] = None

    def reset(self, **options: Any) -> Step:
        """Begins an episode: `seed`, `task`, `split`, `user`, `episode_id` as the server allows."""
        return self._step({"type": "reset", "data": options})

    def step(self, move: Union[str, Json]) -> Step:
        """Makes a move: a text in the notation of the strategy (`think: ...`, `speak: ...`, or an action), or one
        of `rolecall.act(...)`, `rolecall.speak(...)`, ..."""
        text = move if isinstance(move, str) else json.dumps(move, ensure_ascii=False)
        return self._step({"type": "step", "data": {"text": text}})

    def state(self) -> Fields:
        """Which episode it is, and how many steps were made."""
        return Fields(self._ask({"type": "state"}, "state"))

    def tasks(self, split: str) -> List[Fields]:
        """The tasks of a split, as everybody may see them: `.index`, and `.task` with `.id`, `.text`, ..."""
        return [Fields(task) for task in self._post("tasks", {"split": split})["tasks"]]

    def splits(self) -> List[Fields]:
        """The splits: `.name`, `.type`."""
        return [Fields(split) for split in self._http("GET", f"/{self._environment()}/splits")]

    def close(self) -> None:
        """Ends the session."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> "Env":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _step(self, message: Json) -> Step:
        data = self._ask(message, "observation")
        return Step(Fields(data.get("observation")), data.get("reward"), bool(data.get("done")))

    def _ask(self, message: Json, wanted: str) -> Json:
        if self._socket is None:
            self._socket = _WebSocket(self._connect(), f"{self._host}:{self._port}", f"{self._path}/ws", self._token)
        try:
            self._socket.send(TEXT, json.dumps(message, ensure_ascii=False).encode())
            answer = json.loads(self._socket.receive())
        except (OSError, ValueError):
            self.close()
            raise
        data: Json = answer.get("data") or {}
        if answer.get("type") == "error":
            raise EnvError(str(data.get("code")), str(data.get("message")))
        if answer.get("type") != wanted:
            raise EnvError("UNKNOWN_TYPE", f"the server answered {answer.get('type')!r} instead of {wanted!r}")
        return data

    def _connect(self) -> socket.socket:
        connection = socket.create_connection((self._host, self._port), self._timeout)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._secure:
            return ssl.create_default_context().wrap_socket(connection, server_hostname=self._host)
        return connection

    def _environment(self) -> str:
        if self._name is None:
            self._name = str(self._http("GET", "/list_environments")[0])
        return self._name

    def _post(self, what: str, body: Json) -> Any:
        return self._http("POST", f"/{self._environment()}/{what}", body)

    def _http(self, method: str, path: str, body: Optional[Json] = None) -> Any:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=self._timeout)
        headers = {"Content-Type": "application/json", **_bearer(self._token)}
        try:
            connection.request(method, self._path + path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise EnvError(f"HTTP {answer.status}", text.decode("utf-8", "replace")[:500])
        return json.loads(text)


def _bearer(token: Optional[str]) -> Dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


class _WebSocket:
    """RFC 6455, as much as a client needs."""

    def __init__(self, connection: socket.socket, host: str, path: str, token: Optional[str]) -> None:
        self._connection, self._stream = connection, connection.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        lines += [f"{name}: {value}" for name, value in _bearer(token).items()]
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        status = self._stream.readline(4096).decode("latin-1").split(" ", 2)
        headers = http.client.parse_headers(self._stream)
        if len(status) < 2 or status[1] != "101":
            code = status[1] if len(status) > 1 else "?"
            told = self._stream.read(min(500, int(headers.get("Content-Length") or 0))).decode("utf-8", "replace")
            connection.close()
            raise EnvError(f"HTTP {code}", told or "the server does not speak WebSocket there")
        wanted = base64.b64encode(sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()
        if headers.get("Sec-WebSocket-Accept") != wanted:
            connection.close()
            raise EnvError("HTTP 101", "the server's handshake is wrong")

    def send(self, kind: int, payload: bytes) -> None:
        """Sends one message in one frame."""
        size = len(payload)
        head = struct.pack("!B", 0x80 | kind)
        if size < 126:
            head += struct.pack("!B", 0x80 | size)
        elif size < 1 << 16:
            head += struct.pack("!BH", 0x80 | 126, size)
        else:
            head += struct.pack("!BQ", 0x80 | 127, size)
        mask = os.urandom(4)
        repeated = mask * (size // 4 + 1)
        masked = int.from_bytes(payload, "big") ^ int.from_bytes(repeated[:size], "big")
        self._connection.sendall(head + mask + masked.to_bytes(size, "big"))

    def receive(self) -> str:
        """The next message; pings are answered."""
        message = b""
        while True:
            last, kind, payload = self._frame()
            if kind == PING:
                self.send(PONG, payload)
            elif kind == CLOSE:
                code = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005
                raise ConnectionError(f"the server closed the session ({code} {payload[2:].decode('utf-8', 'replace')})")
            elif kind != PONG:
                message += payload
                if len(message) > LONGEST:
                    raise ConnectionError("the server's message is too long")
                if last:
                    return message.decode()

    def _frame(self) -> Tuple[bool, int, bytes]:
        first, second = self._exactly(2)
        size = second & 0x7F
        if size > 125:
            size = int.from_bytes(self._exactly(2 if size == 126 else 8), "big")
        if size > LONGEST:
            raise ConnectionError("the server's message is too long")
        return bool(first & 0x80), first & 0x0F, self._exactly(size)

    def _exactly(self, size: int) -> bytes:
        read = self._stream.read(size)
        if len(read) < size:
            raise ConnectionError("the server is gone")
        return read

    def close(self) -> None:
        """Says goodbye and closes."""
        try:
            self.send(CLOSE, struct.pack("!H", 1000))
        except OSError:
            pass
        self._stream.close()
        self._connection.close()
