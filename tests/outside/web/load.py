"""What viewers cost a run: load.py PROGRAM [--episodes 1000] [--viewers 200] [--steps 50] [--delay 200] [--repeats 2].

Plays a run of so many concurrent episodes, whose model answers after a delay, alone and with `rolecall serve web` and
viewers beside it. Prints a table, and fails where a bound is broken that `--bounds` holds. Needs `/proc`.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TICK = os.sysconf("SC_CLK_TCK")
SAYS = [
    "Act: go to shelf 1",
    "Think: I look at the next shelf and remember what stands there.",
    "Act: go to countertop 1",
    "Act: open drawer 1",
]


class Answers(asyncio.Protocol):
    """One connection of the model server."""

    def __init__(self, delay):
        self.delay = delay
        self.data = b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.data += data
        head, found, body = self.data.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(re.search(rb"content-length: *(\d+)", head, re.I)[1])
        if len(body) < length:
            return
        self.data = b""
        text = json.dumps({
            "id": "x", "object": "chat.completion", "model": "load",
            "choices": [{"index": 0, "finish_reason": "stop",
                         "message": {"role": "assistant", "content": SAYS[length % len(SAYS)]}}],
            "usage": {"prompt_tokens": 500, "completion_tokens": 14, "total_tokens": 514},
        })
        answer = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(text)}\r\n\r\n{text}"
        loop = asyncio.get_running_loop()
        loop.call_later(self.delay, self.transport.write, answer.encode())


def answer_all(delay, port):
    async def serve():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Answers(delay), "127.0.0.1", 0, backlog=16_384)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    asyncio.run(serve())


def in_process(work, *arguments):
    """Another process, and the first that it tells."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=work, args=(*arguments, there), daemon=True)
    process.start()
    return process, here


def processor(pid):
    """Processor time of a process so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def most_memory(pid):
    """The most memory that a process had resident, in bytes."""
    return int(re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) * 1024


async def get(address, path, token):
    reader, writer = await asyncio.open_connection(*address)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n"
                 f"Authorization: Bearer {token}\r\nConnection: close\r\n\r\n".encode())
    return reader, writer


async def view(address, token, number, heard):
    """One viewer: of the run, or (every second one) of an episode until its end, and then of the run."""
    of_run = path = "/api/run/load/events"
    if number % 2:
        path += f"?episode=main:{number % heard['tasks']}:{number // heard['tasks'] % heard['repeats']}"
    while True:
        try:
            reader, writer = await get(address, path, token)
            status = (await reader.readline()).split()
            is_open = len(status) > 1 and status[1] == b"200"
            # An episode that has not begun is not there.
            heard["refused"] += not is_open and status[1:2] != [b"404"]
            while is_open and (line := await reader.readline()):
                heard["messages"] += line.startswith(b"event:")
                heard["bytes"] += len(line)
                path = of_run if line.startswith(b"event: bye") else path
            writer.close()
        except OSError:
            heard["cut"] += 1
        await asyncio.sleep(0.5)


def view_all(address, token, viewers, tasks, repeats, told):
    heard = {"messages": 0, "bytes": 0, "refused": 0, "cut": 0, "tasks": tasks, "repeats": repeats}

    async def all_of_them():
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        tasks = [asyncio.ensure_future(view(address, token, number, heard)) for number in range(viewers)]
        told.send("ready")
        await stop.wait()
        for task in tasks:
            task.cancel()

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(all_of_them())
    told.send(heard)


class Load:
    def __init__(self, options):
        self.options = options
        delay = options.delay / 1000
        self.model, told = in_process(answer_all, delay)
        self.port = told.recv()

    def command(self, logs):
        options, tasks = self.options, self.tasks()
        sets = [
            f"models.agent.base_url='http://127.0.0.1:{self.port}/v1'", "models.agent.stream=false",
            f"models.agent.limits.in_flight={options.episodes}", "roles.executor.moves='text'",
            "cache.mode='off'", f"limits.steps={options.steps}", f"tasks.limit={tasks}",
            f"repeats={options.episodes // tasks}",
        ]
        words = [options.program, "run", str(ROOT / "configs/household/respact-model.toml"), "--quiet"]
        words += ["--name", "load", "--logs", logs, "--concurrency", str(options.episodes)]
        return words + [word for one in sets for word in ("--set", one)]

    def tasks(self):
        return next(tasks for tasks in (100, 50, 10, 1) if self.options.episodes % tasks == 0)

    def play(self, logs, watched):
        """Plays it; gives what the run and, if it is watched, the server and the viewers took."""
        viewers = self.options.viewers if watched else 0
        server = told = None
        os.makedirs(logs)
        if watched:
            words = [self.options.program, "serve", "web", logs, "--listen", "127.0.0.1:0"]
            server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
            host, port, token = re.search(r"http://([\d.]+):(\d+)/#t=(\w+)", server.stdout.readline()).groups()
        run = subprocess.Popen(self.command(logs), stdout=subprocess.DEVNULL)
        begun = time.monotonic()
        if watched:
            while not Path(logs, "load", "events.jsonl").exists():
                time.sleep(0.01)
            size = self.tasks(), self.options.episodes // self.tasks()
            people, told = in_process(view_all, (host, int(port)), token, viewers, *size)
            told.recv()
            at_first = processor(server.pid)
        _, status, used = os.wait4(run.pid, 0)
        took = {"wall": time.monotonic() - begun, "run": used.ru_utime + used.ru_stime}
        run.returncode = os.waitstatus_to_exitcode(status)
        assert run.returncode in (0, 1), f"the run ended with {run.returncode}"
        if watched:
            took["server"] = processor(server.pid) - at_first
            took["memory"] = most_memory(server.pid)
            os.kill(people.pid, signal.SIGTERM)
            took |= told.recv()
            people.join()
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=20)
        return took


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    for name, usual in [("episodes", 1000), ("viewers", 200), ("steps", 50), ("delay", 200), ("repeats", 3)]:
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--bounds", action="store_true")
    options = parser.parse_args()
    load = Load(options)
    alone, watched = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.repeats):
            # By turns, and beginning with the other one each time: the machine may be busy meanwhile.
            order = [(alone, False), (watched, True)]
            for taken, is_watched in order if number % 2 == 0 else reversed(order):
                taken.append(load.play(f"{folder}/{number}-{is_watched}", is_watched))
    load.model.terminate()

    def least(all_of_them, name):
        return min(one[name] for one in all_of_them)

    calls = options.episodes * options.steps
    before, after = least(alone, "run"), least(watched, "run")
    share = min(one["server"] / one["wall"] for one in watched)
    memory = max(one["memory"] for one in watched)
    bound = 50e6 + 100e3 * options.viewers
    rows = [
        ("run alone, processor", before, "s", None),
        ("run watched, processor", after, "s", None),
        ("the same by call", after / calls * 1e6, "us", None),
        ("more in the run", 100 * (after / before - 1), "%", 5),
        ("server, of one core", 100 * share, "%", 30),
        ("server, most memory", memory / 1e6, "MB", bound / 1e6),
        ("run alone, by the clock", least(alone, "wall"), "s", None),
        ("run watched, by the clock", least(watched, "wall"), "s", None),
        ("messages to viewers", max(one["messages"] for one in watched), "", None),
        ("bytes to viewers", max(one["bytes"] for one in watched) / 1e6, "MB", None),
        ("viewers refused or cut off", sum(one["refused"] + one["cut"] for one in watched), "", None),
    ]
    print(f"{options.episodes} episodes at once, {calls} calls of {options.delay} ms, {options.viewers} viewers")
    for what, figure, unit, most in rows:
        print(f"{what:<30} {figure:>12.2f} {unit:<3}" + (f" (at most {most:g})" if most else ""))
    broken = [what for what, figure, _, most in rows if most and figure > most]
    if options.bounds and broken:
        sys.exit(f"too much: {', '.join(broken)}")
    if not max(one["messages"] for one in watched):
        sys.exit("no viewer heard anything")


if __name__ == "__main__":
    main()
