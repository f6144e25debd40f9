"""Speaks `rolecall/1` with children, as rolecall does."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHILDREN = HERE / "children"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(HERE.parent / "src")}


class Child:
    """A child that is asked by its pipes."""

    def __init__(self, script, kind="role", **setup):
        self.process = subprocess.Popen([sys.executable, "-B", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.introduction = self.call(0, "initialize", {"protocol": 1, "kind": kind, "seat": "executor", **setup})

    def write(self, message):
        text = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(text + b"\n")
        self.process.stdin.flush()

    def send(self, number, method, params):
        self.write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def read(self):
        return json.loads(self.process.stdout.readline())

    def call(self, number, method, params):
        self.send(number, method, params)
        return self.read()

    def close(self):
        """Ends it, if it has not ended."""
        self.process.kill()
        self.process.communicate()

    def end(self):
        """Closes its input; what it wrote to its error stream."""
        _, errors = self.process.communicate(timeout=10)
        assert self.process.returncode == 0, (self.process.returncode, errors)
        return errors.decode()


def turn(observed, number=0, since=0, episode="main:0:0", **more):
    events = [{"seq": since, "from": "environment", "to": "conductor", "message": {"observed": {"text": observed}}}]
    return {"episode": episode, "seat": "executor", "number": number, "attempt": 0, "seed": 2**64 - 1,
            "deadline_ms": 1000, "brief": {"open": ["act"]}, "question": None,
            "view": {"since": since, "events": events}, "digest": "0", "unknown": 1, **more}


class Roles(unittest.TestCase):
    def setUp(self):
        self.child = Child(CHILDREN / "odd.py", parameters={"greeting": "good day"})
        self.addCleanup(self.child.close)

    def test_says_what_it_is(self):
        result = self.child.introduction["result"]
        self.assertEqual([result[key] for key in ("protocol", "name", "version", "deterministic", "external")],
                         [1, "Odd", "3", True, True])
        self.assertRegex(result["digest"], "^sha256:[0-9a-f]{64}$")

    def test_prints_go_to_the_error_stream(self):
        answer = self.child.call(1, "take_turn", turn("print"))
        self.assertEqual(answer["result"], {"moves": [{"kind": "act", "action": {"text": "good day"}}]})
        self.assertIn("not for rolecall\nneither this\n", self.child.end())

    def test_errors_have_their_kinds(self):
        for number, (what, kind, told) in enumerate([
            ("unusable", "unusable", "I wrote nonsense"), ("unavailable", "unavailable", "the shop is shut"),
            ("break", "failed", "IndexError"), ("nothing", "failed", "must return moves"), ("exit", "failed", "SystemExit"),
            ("no json", "failed", "no JSON"),
        ], 1):
            error = self.child.call(number, "take_turn", turn(what))["error"]
            self.assertEqual((error["code"], error["data"]["kind"]), (-32000, kind))
            self.assertIn(told, error["message"])
        self.assertIn("Traceback", self.child.end())

    def test_a_lost_view_is_asked_for(self):
        error = self.child.call(1, "take_turn", turn("look", since=4))["error"]
        self.assertEqual((error["code"], error["data"]), (-32010, {"need": "view"}))
        def text(answer):
            return answer["result"]["moves"][0]["action"]["text"]
        self.assertEqual(text(self.child.call(2, "take_turn", turn("count"))), "1 of 1, False")
        self.assertEqual(text(self.child.call(3, "take_turn", turn("count", 1, 1))), "2 of 2, False")
        self.assertEqual(text(self.child.call(4, "take_turn", turn("count", 1, 1))), "3 of 2, False")
        self.assertEqual(text(self.child.call(5, "take_turn", turn("count", 0, 0))), "1 of 1, False")

    def test_rubbish_is_answered_and_nothing_breaks(self):
        for line in (b"{", b"[1]", b"3", b"[" * 100_000, b"\xff\xfe", b'{"jsonrpc":"2.0","id":[1],"method":"x"}'):
            self.child.write(line)
            answer = self.child.read()
            self.assertIsNone(answer["id"])
            self.assertIn(answer["error"]["code"], (-32700, -32600))
        for quiet in (b"", b'{"id":"c9","result":{}}', b'{"method":"cancel","params":{"id":[]}}', b'{"method":"later"}'):
            self.child.write(quiet)
        self.assertEqual(self.child.call(1, "fly", {})["error"]["code"], -32601)
        self.assertEqual(self.child.call(2, "begin", {})["error"]["code"], -32601)
        for number, params in enumerate([{}, {"episode": "e", "seat": "s", "view": {"since": -1, "events": []}},
                                         turn("x", view={"since": 0, "events": [1]}), turn("x", view=None)], 3):
            self.assertEqual(self.child.call(number, "take_turn", params)["error"]["code"], -32602)
        self.assertIn("result", self.child.call("last", "take_turn", turn("look")))

    def test_cancelled_calls_are_answered_once_and_at_once(self):
        self.child.send(1, "take_turn", turn("hang"))
        self.child.send(2, "take_turn", turn("wait", episode="main:1:0"))
        for number in (1, 2):
            self.child.write({"jsonrpc": "2.0", "method": "cancel", "params": {"id": number}})
            answer = self.child.read()
            self.assertEqual((answer["id"], answer["error"]["code"]), (number, -32800))
            self.child.write({"jsonrpc": "2.0", "method": "cancel", "params": {"id": number}})
        time.sleep(0.05)
        # The turn that came back after all says nothing, and the number can be used anew.
        self.assertIn("result", self.child.call(2, "take_turn", turn("look")))
        self.child.end()

    def test_models_are_asked_through_rolecall(self):
        self.child.send(7, "take_turn", turn("ask"))
        asked = self.child.read()
        self.assertEqual((asked["method"], asked["params"]),
                         ("complete", {"call": 7, "model": "m", "max_tokens": 5,
                                       "messages": [{"role": "user", "content": "why?"}]}))
        self.child.send(8, "take_turn", turn("look", episode="main:1:0"))
        self.assertEqual(self.child.read()["id"], 8)
        reply = {"choices": [{"text": "because"}], "usage": {"prompt": 5, "completion": 1}}
        self.child.write({"jsonrpc": "2.0", "id": asked["id"], "result": reply})
        moves = self.child.read()["result"]["moves"]
        self.assertEqual(moves, [{"kind": "think", "text": "because"}, {"kind": "act", "action": {"text": "5"}}])
        for kind in ("unavailable", "unusable", "context_full", "refused", "failed"):
            self.child.send(9, "take_turn", turn("ask"))
            error = {"code": -32000, "message": "no", "data": {"kind": kind}}
            self.child.write({"jsonrpc": "2.0", "id": self.child.read()["id"], "error": error})
            self.assertEqual(self.child.read()["error"]["data"]["kind"], kind)
        self.child.send(10, "take_turn", turn("ask"))
        asked = self.child.read()
        self.child.write({"jsonrpc": "2.0", "method": "cancel", "params": {"id": 10}})
        self.assertEqual(self.child.read()["error"]["code"], -32800)
        self.child.write({"jsonrpc": "2.0", "id": asked["id"], "result": reply})
        self.assertIn("result", self.child.call(11, "take_turn", turn("look")))

    def test_many_episodes_at_once(self):
        for number in range(1, 601):
            self.child.send(number, "take_turn", turn("look", episode=f"main:{number}:0"))
        self.assertEqual({self.child.read()["id"] for _ in range(600)}, set(range(1, 601)))

    def test_text_that_is_no_unicode_stays_an_answer(self):
        self.assertIn("result", self.child.call(1, "take_turn", turn("surrogate")))


class Others(unittest.TestCase):
    def test_the_kind_that_is_wanted_plays(self):
        child = Child(CHILDREN / "odd.py", "user")
        self.addCleanup(child.close)
        told = turn("hello", question={"text": "hello"}, brief=None)
        self.assertEqual(child.call(1, "reply", told)["result"], {"text": "you said hello"})
        told["question"] = {"text": "bye"}
        self.assertEqual(child.call(2, "reply", told)["result"], {"text": "bye", "leaving": True, "satisfied": True})
        self.assertEqual(child.call(3, "take_turn", told)["error"]["code"], -32601)
        child.end()

    def test_worlds(self):
        child = Child(CHILDREN / "odd.py", "environment")
        self.addCleanup(child.close)
        self.assertEqual(child.introduction["result"]["name"], "Boxes")
        tasks = child.call(1, "tasks", {"from": 0, "to": 100})["result"]
        self.assertEqual((tasks["total"], tasks["kinds"], tasks["hears"], tasks["tools"][0]["name"]),
                         (2, ["task", "hard"], False, "open"))
        self.assertEqual(tasks["tasks"][0], {"id": "0", "kind": "task", "text": "find it"})
        task = child.call(2, "open", {"index": 1})["result"]
        self.assertEqual(task["entrusted"], [{"audience": "environment", "label": "box", "value": 2}])
        self.assertEqual(child.call(3, "open", {"index": 2})["error"]["code"], -32602)
        begun = {"trial": 0, "round": 0, "keep_world": False, "seed": 5}
        shown = child.call(4, "begin", {"world": "w", "task": task, "begun": begun})["result"]
        self.assertEqual(shown, {"text": "find it too: 5"})
        first = child.call(5, "open", {"index": 0})["result"]
        child.call(6, "begin", {"world": "v", "task": first, "begun": begun})
        def perform(world, text, **more):
            return child.call(9, "perform", {"world": world, "action": {"text": text, **more}})
        self.assertEqual(perform("w", "open 1")["result"], {"text": "nothing", "invalid": True})
        self.assertEqual(perform("w", "open 2")["result"], {"text": "found", "done": True})
        called = perform("w", "x", call={"tool": "open", "arguments": {"box": 1}})["result"]
        self.assertEqual(called, {"text": "open", "data": {"box": 1}})
        self.assertEqual(child.call(10, "assess", {"world": "v"})["result"],
                         {"success": False, "reward": 0.0, "detail": {"box": 1}})
        child.write({"jsonrpc": "2.0", "method": "drop", "params": {"world": "w"}})
        self.assertEqual(perform("w", "open 2")["error"]["code"], -32602)
        child.end()

    def test_the_wrong_kind_is_refused_in_words(self):
        child = Child(CHILDREN / "careful.py", "environment")
        self.addCleanup(child.close)
        self.assertEqual(child.introduction["error"]["message"],
                         "an environment is wanted here, and `CarefulExecutor` is a role")
        self.assertEqual(child.call(1, "take_turn", turn("look"))["error"]["code"], -32600)

    def test_the_digest_follows_the_code(self):
        with tempfile.TemporaryDirectory() as folder:
            main, helper = Path(folder, "main.py"), Path(folder, "helper.py")
            shutil.copy(CHILDREN / "careful.py", main)
            main.write_text("import helper\n" + main.read_text())
            def digest(text):
                helper.write_text(text)
                child = Child(main)
                child.end()
                return child.introduction["result"]["digest"]
            self.assertEqual(digest("A = 1\n"), digest("A = 1\n"))
            self.assertNotEqual(digest("A = 1\n"), digest("A = 2\n"))

    def test_who_starts_it_by_hand_is_told_what_to_do(self):
        import pty
        master, slave = pty.openpty()
        done = subprocess.run([sys.executable, "-B", str(CHILDREN / "careful.py")], stdin=slave, stderr=subprocess.PIPE,
                              env=ENVIRONMENT, check=False)
        os.close(master)
        os.close(slave)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"is started by rolecall", done.stderr)

    def test_at_an_address_each_connection_is_served(self):
        import socket
        process = subprocess.Popen([sys.executable, "-B", str(CHILDREN / "odd.py"), "--listen", "127.0.0.1:0"],
                                   stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        host, port = process.stderr.readline().decode().split()[-1].split(":")
        for kind, name in (("role", "Odd"), ("user", "Guest")):
            with socket.create_connection((host, int(port)), 10) as connection, connection.makefile("rw") as stream:
                stream.write(json.dumps({"id": 1, "method": "initialize", "params": {"protocol": 9, "kind": kind}}) + "\n")
                stream.flush()
                result = json.loads(stream.readline())["result"]
                self.assertEqual((result["name"], result["protocol"]), (name, 1))
        process.stderr.close()


if __name__ == "__main__":
    unittest.main()
