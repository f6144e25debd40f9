"""Opens a log of `rolecall export --format inspect` in `inspect view`, in a real browser.

    inspect_view.py LOGS BROWSER [PICTURES]
"""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from inspect_ai.log import list_eval_logs, read_eval_log
from playwright.sync_api import sync_playwright

folder, browser = Path(sys.argv[1]), sys.argv[2]
pictures = Path(sys.argv[3]) if len(sys.argv) > 3 else None
log = read_eval_log(str(sorted(folder.iterdir())[0]))
turns = sum(e.event == "model" for e in log.samples[0].events)

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
inspect = Path(sys.executable).with_name("inspect")
server = subprocess.Popen(
    [sys.executable, str(inspect), "view", "--log-dir", str(folder), "--port", str(port), "--host", "127.0.0.1"],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
    env={**os.environ, "HOME": str(folder.parent)},
)
try:
    base = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            urllib.request.urlopen(base, timeout=5).close()
            break
        except OSError:
            time.sleep(0.2)
    with sync_playwright() as play:
        page = play.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page(
            viewport={"width": 1400, "height": 1000}
        )
        page.set_default_timeout(60_000)
        page.goto(base)
        page.get_by_text(log.eval.task.split("/")[-1]).first.wait_for()
        if pictures:
            page.screenshot(path=pictures / "inspect_logs.png")
        name = sorted(folder.iterdir())[0].name
        page.goto(f"{base}/#/logs/{name}/samples/sample/{log.samples[0].id.replace('/', '%2F')}/{log.samples[0].epoch}/transcript")
        page.get_by_text(re.compile(rf"\b{turns} turns\b")).first.wait_for()
        if pictures:
            page.screenshot(path=pictures / "inspect_sample.png")
        page.goto(f"{base}/#/logs/{name}/samples")
        page.get_by_text(log.samples[0].input[:20]).first.wait_for()
        if pictures:
            page.screenshot(path=pictures / "inspect_samples.png")
finally:
    server.terminate()
    server.wait()
print(turns, "turns seen")
