"""One connection with rolecall: JSON-RPC 2.0, one message a line, in both directions."""

from __future__ import annotations

import itertools
import json
import queue
import sys
import threading
import traceback
from typing import Any, BinaryIO, Callable, Dict, List, Optional, Union

from .roles import FAILURES, Cancelled, Failed, Json

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, BAD_PARAMS = -32700, -32600, -32601, -32602
OWN_ERROR, NEED_VIEW, CANCELLED = -32000, -32010, -32800

Id = Union[int, str]


class Refused(Exception):
    """An error answer of the protocol."""

    def __init__(self, code: int, message: str, data: Optional[Json] = None) -> None:
        super().__init__(message)
        self.code, self.data = code, data


class Call:
    """One request of rolecall that is being worked on. It is what turns ask models through."""

    def __init__(self, connection: "Connection", number: Id) -> None:
        self.connection, self.number, self.cancelled = connection, number, False
        self.asked: List[str] = []

    def complete(self, request: Json) -> Json:
        """Asks rolecall for a model's reply, and waits for it."""
        answer = self.connection.ask(self, {"call": self.number, **request})
        if answer is None:
            raise Cancelled
        if "error" in answer:
            error = answer["error"]
            kind = (error.get("data") or {}).get("kind")
            raise FAILURES.get(kind, Failed)(str(error.get("message")))
        result: Json = answer["result"]
        return result


class Workers:
    """Threads that are made when all others are busy, up to a number."""

    def __init__(self, most: int) -> None:
        self._most, self._threads, self._idle = max(1, most), 0, 0
        self._lock, self._work = threading.Lock(), queue.SimpleQueue()  # type: ignore[var-annotated]

    def give(self, work: Callable[[], None]) -> None:
        """Has it done by a thread as soon as one is free."""
        with self._lock:
            self._work.put(work)
            self._idle -= 1
            if self._idle < 0 and self._threads < self._most:
                self._start()

    def lose(self) -> None:
        """One thread is with work that nobody wants any more: another one may take its place."""
        with self._lock:
            self._most += 1
            if self._idle < 0:
                self._start()

    def found(self) -> None:
        """That thread is back."""
        with self._lock:
            self._most -= 1

    def _start(self) -> None:
        self._threads += 1
        threading.Thread(target=self._go, daemon=True).start()

    def _go(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
                if self._threads > self._most:
                    self._threads -= 1
                    self._idle -= 1
                    return
            self._work.get()()


class Connection:
    """Takes requests, has each worked on by a thread, and answers each exactly once."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.source, self.sink = source, sink
        self.workers = Workers(1)
        self.writing, self.lock = threading.Lock(), threading.Lock()
        self.calls: Dict[Id, Call] = {}
        self.waiting: Dict[str, "queue.SimpleQueue[Optional[Json]]"] = {}
        self.numbers = itertools.count(1)

    def answer(self, call: Call, method: str, params: Json) -> Any:
        """The result of a request, or `Refused`."""
        raise NotImplementedError

    def drop(self, params: Json) -> None:
        """What rolecall says it needs no more."""

    def run(self) -> None:
        """Answers until the other side closes."""
        for line in self.source:
            try:
                message = json.loads(line)
            except (ValueError, RecursionError) as error:
                if line.strip():
                    self.error(None, PARSE_ERROR, f"no JSON: {error}")
                continue
            try:
                self.take(message)
            except OSError:
                break
        with self.lock:
            waiting, self.waiting = list(self.waiting.values()), {}
            for call in self.calls.values():
                call.cancelled = True
        for box in waiting:
            box.put(None)

    def take(self, message: Any) -> None:
        """Takes one message: a request, a notification, or an answer to a question of ours."""
        if not isinstance(message, dict):
            return self.error(None, INVALID_REQUEST, "no object")
        method, number = message.get("method"), message.get("id")
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        if method is None:
            with self.lock:
                box = self.waiting.pop(number, None) if isinstance(number, str) else None
            if box is not None:
                whole = "result" in message or isinstance(message.get("error"), dict)
                box.put(message if whole else {"error": {"message": "rolecall's answer has no result"}})
        elif method == "cancel":
            self.cancel(params.get("id"))
        elif method == "drop":
            self.drop(params)
        elif isinstance(number, bool) or not isinstance(number, (int, str)):
            if "id" in message:
                self.error(None, INVALID_REQUEST, "an id is a number or a text")
        else:
            self.begin_call(str(method), params, number)

    def begin_call(self, method: str, params: Json, number: Id) -> None:
        """Has a request worked on. The first one, `initialize`, is done before anything else is read."""
        call = Call(self, number)
        with self.lock:
            if number in self.calls:
                print(f"rolecall: the id {number!r} is in use: a request is left out", file=sys.stderr)
                return
            self.calls[number] = call
        if method == "initialize":
            self.work(call, method, params)
        else:
            self.workers.give(lambda: self.work(call, method, params))

    def work(self, call: Call, method: str, params: Json) -> None:
        """Works on a request and answers it, unless it is cancelled meanwhile."""
        if call.cancelled:
            return self.workers.found()
        answer: Json
        try:
            answer = {"result": self.answer(call, method, params)}
        except Refused as error:
            answer = {"error": {"code": error.code, "message": str(error), "data": error.data}}
        except Cancelled:
            answer = {"error": {"code": CANCELLED, "message": "cancelled"}}
        except BaseException as error:  # Also SystemExit: one turn's failure is not the others'.
            if not isinstance(error, Failed):
                traceback.print_exc()
            kind = error.kind if isinstance(error, Failed) else "failed"
            told = str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
            answer = {"error": {"code": OWN_ERROR, "message": told[:2000], "data": {"kind": kind}}}
        try:
            if not self.finish(call, answer):
                self.workers.found()
        except OSError:
            pass  # Nobody is there any more.

    def finish(self, call: Call, answer: Json) -> bool:
        """Answers a request if nobody has done so. False if somebody has."""
        with self.lock:
            if self.calls.get(call.number) is not call:
                return False
            del self.calls[call.number]
        try:
            line = _line({"jsonrpc": "2.0", "id": call.number, **answer})
        except (TypeError, ValueError, RecursionError) as error:
            told = f"the answer is no JSON: {error}"
            data = {"kind": "failed"}
            line = _line({"jsonrpc": "2.0", "id": call.number,
                          "error": {"code": OWN_ERROR, "message": told, "data": data}})
        self.send(line)
        return True

    def cancel(self, number: Any) -> None:
        """Answers a call at once; the thread that works on it finds out."""
        with self.lock:
            call = self.calls.get(number) if isinstance(number, (int, str)) else None
            if call is None:
                return
            call.cancelled = True
            boxes = [self.waiting.pop(asked, None) for asked in call.asked]
        if self.finish(call, {"error": {"code": CANCELLED, "message": "cancelled"}}):
            self.workers.lose()
        for box in boxes:
            if box is not None:
                box.put(None)

    def ask(self, call: Call, params: Json) -> Optional[Json]:
        """Asks rolecall something within a call. None if the call is cancelled."""
        box: "queue.SimpleQueue[Optional[Json]]" = queue.SimpleQueue()
        number = f"c{next(self.numbers)}"
        line = _line({"jsonrpc": "2.0", "id": number, "method": "complete", "params": params})
        with self.lock:
            if call.cancelled:
                return None
            self.waiting[number] = box
            call.asked.append(number)
        self.send(line)
        return box.get()

    def error(self, number: Optional[Id], code: int, message: str) -> None:
        """An error answer to what is no proper request."""
        self.send(_line({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}))

    def send(self, line: bytes) -> None:
        """Writes a line whole."""
        with self.writing:
            self.sink.write(line)
            self.sink.flush()


def _line(message: Json) -> bytes:
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace") + b"\n"
