"""What the cases share: the program, a site of it, a browser, and what every page keeps to.

A file of cases is run by tests/outside/web.rs with these variables: ROLECALL_BIN (the program),
ROLECALL_BROWSER, ROLECALL_AXE (axe-core's one file), and ROLECALL_SHOTS where pictures are wanted:
a folder. Its only argument is a folder with `logs`.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

BINARY = os.environ["ROLECALL_BIN"]
ROOT = Path(__file__).resolve().parents[3]
SHOTS = os.environ.get("ROLECALL_SHOTS")
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# How long anything may take that is waited for, in milliseconds: generous, since a test never waits for luck.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)

# Told to the driver from every page, before any script of the page runs.
WATCH = """
document.addEventListener("securitypolicyviolation", e =>
  console.error("policy: " + e.violatedDirective + " " + e.blockedURI + " " + e.sample));
"""


class Program:
    """The program as a shell starts it; ends with its `with`."""

    def __init__(self, *arguments, folder, **variables):
        self.command = " ".join(map(str, arguments))
        self.child = subprocess.Popen(
            [BINARY, *map(str, arguments)],
            cwd=folder,
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = []
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def hear(self, words):
        """The first line that holds the words."""
        until = time.monotonic() + PATIENCE / 1000
        while (line := self.lines.get(timeout=max(until - time.monotonic(), 0.01))) is not None:
            self.said.append(line)
            if words in line:
                return line
        raise AssertionError(f"`{self.command}` said no `{words}`: {''.join(self.said)}")

    def address(self):
        """The first address with a token that it prints."""
        words = self.hear("#t=").split()
        return next(word for word in words if "#t=" in word)

    def end(self):
        """Waits for its end by itself; gives its exit code."""
        return self.child.wait(timeout=PATIENCE / 1000)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            # As Ctrl-C, which what a script puts into the background does not hear.
            self.child.send_signal(signal.SIGTERM)
            try:
                self.child.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()


class Site:
    """A running `rolecall serve web`."""

    def __init__(self, program):
        self.link = program.address()
        self.origin = "/".join(self.link.split("/", 3)[:3])

    def at(self, path):
        return self.origin + path


@contextlib.contextmanager
def site(folder, *arguments):
    with Program("serve", "web", "logs", "--listen", "127.0.0.1:0", *arguments, folder=folder) as program:
        yield Site(program)


class Visitor:
    """A browser's window of one person: its pages, and all that went wrong on them."""

    def __init__(self, browser, **options):
        options.setdefault("viewport", {"width": 1280, "height": 800})
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(WATCH)
        self.context.on("page", self._watch)
        self.wrong = []
        self.elsewhere = []
        self.forgiven = []

    def _watch(self, page):
        def heard(message):
            if message.type in ("error", "warning"):
                self.wrong.append(f"{page.url}: {message.text}")

        page.on("console", heard)
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        page.on("dialog", lambda dialog: (self.wrong.append(f"{page.url}: dialog"), dialog.dismiss()))
        page.on("request", lambda request: self.elsewhere.append(request.url))

    def page(self, address=None):
        page = self.context.new_page()
        if address:
            page.goto(address)
        return page

    def enter(self, site):
        """A page that has been let in by the printed link, at the list of runs."""
        # A stranger's first answer is the form, with the status that says so.
        self.forgive("/#t=")
        page = self.page(site.link)
        expect(page.locator("h1")).to_have_text("Runs")
        return page

    def forgive(self, words):
        """An answer that a case brings about on purpose, by its status or a part of its address."""
        self.forgiven.append(words)

    def leave(self, origin=None):
        """Closes it; fails if anything went wrong, or a page asked another server for anything."""
        self.context.close()
        def is_meant(line):
            return "Failed to load resource" in line and any(words in line for words in self.forgiven)

        wrong = [line for line in self.wrong if not is_meant(line)]
        assert not wrong, "errors in the browser:\n" + "\n".join(wrong)
        own = ("http://127.0.0.1:", "data:", "blob:", "file:")
        away = [url for url in self.elsewhere if not url.startswith(own)]
        assert not away, f"asked elsewhere: {away}"


@contextlib.contextmanager
def visitor(browser, **options):
    one = Visitor(browser, **options)
    try:
        yield one
    except BaseException:
        keep(one)
        one.context.close()
        raise
    one.leave()


def keep(one):
    """Says what a failed case looked like."""
    for page in one.context.pages:
        with contextlib.suppress(Exception):
            print(f"  at {page.url}: {page.inner_text('body')[:1500]!r}")
            if SHOTS:
                Path(SHOTS).mkdir(parents=True, exist_ok=True)
                page.screenshot(path=f"{SHOTS}/failed-{time.time_ns()}.png", full_page=True)
    for line in one.wrong:
        print("  console:", line)


def play(cases):
    """Runs all functions whose names begin with `case_`; each gets a browser and the folder."""
    folder = Path(sys.argv[1])
    only = sys.argv[2:]
    failed = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["ROLECALL_BROWSER"], args=SWITCHES)
        for name, case in list(cases.items()):
            if not name.startswith("case_") or (only and not any(word in name for word in only)):
                continue
            begun = time.monotonic()
            try:
                case(browser, folder)
                print(f"ok {name} ({time.monotonic() - begun:.1f} s)", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED {name}", flush=True)
                traceback.print_exc(file=sys.stdout)
        browser.close()
    sys.exit(1 if failed else 0)
