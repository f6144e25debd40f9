"""A run that is being written: rows and turns appear, and the page of a run that is over comes by itself."""

import re

from driver import ROOT, Program, expect, play, site, visitor
from looks import looked_at
from models import Model

WITH_MODEL = ROOT / "configs/household/respact-model.toml"


def case_rows_and_turns_appear(browser, folder):
    with Model(lambda body: "Think: I look around.", gated=True) as model:
        run = Program(
            "run", WITH_MODEL, "--name", "live", "--logs", "logs", "--quiet", "--concurrency", "1",
            *model.settings(steps=4, games=3), folder=folder,
        )
        with site(folder) as one, run, visitor(browser) as person:
            page = person.enter(one)
            expect(page.locator("#runs", has_text="live")).to_be_visible()
            page.goto(one.at("/run/live"))
            rows = page.locator("#rows tbody tr:has(a)")
            expect(page.locator("#closed")).to_have_text("0")
            looked_at(page, "run-live")
            # A turn appears in the episode that is being played.
            rows.first.get_by_role("link").click()
            expect(page.locator("#ending")).to_have_text(re.compile("Being played"))
            turns = page.locator("#turns > li")
            thoughts = page.locator("#turns > li", has_text="I look around.")
            before = thoughts.count()
            model.let(1)
            expect(turns.filter(has_text="I look around.")).not_to_have_count(before)
            looked_at(page, "episode-live")
            page.keyboard.press("G")
            expect(page.locator("#turns > [aria-current]")).to_have_attribute(
                "id", turns.last.get_attribute("id")
            )
            # Its end, and a closed row with the next one.
            table = person.page(one.at("/run/live"))
            model.let(3)
            expect(page.locator("#ending")).to_have_text(re.compile("out of steps"))
            expect(table.locator("#closed")).to_have_text("1")
            expect(table.locator("#rows tbody tr", has_text="out of steps")).to_have_count(1)
            # Who looks again after a while has missed nothing: each entry stands there once.
            model.open()
            assert run.end() == 0
            ids = page.locator("#turns > li").evaluate_all("all => all.map(one => one.id)")
            assert len(ids) == len(set(ids)), ids
            page.reload()
            expect(turns).to_have_count(len(ids))
            # The report comes when the run is over.
            expect(table.locator(".report")).to_be_visible()
            expect(table.locator("#closed")).to_have_text("3")
            announced = table.locator("[aria-live=polite]")
            expect(announced).to_have_count(1)


def case_the_server_goes_and_comes_back(browser, folder):
    with Model(lambda body: "Think: I look around.", gated=True) as model:
        run = Program(
            "run", WITH_MODEL, "--name", "later", "--logs", "logs", "--quiet",
            *model.settings(steps=3), folder=folder,
        )
        with run, visitor(browser) as person:
            with site(folder) as one:
                page = person.enter(one)
                page.goto(one.at("/run/later"))
                expect(page.locator("#closed")).to_have_text("0")
            # Ctrl-C of the server ends no run.
            assert run.child.poll() is None
            model.open()
            assert run.end() == 0


if __name__ == "__main__":
    play(globals())
