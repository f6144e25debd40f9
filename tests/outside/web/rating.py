"""People who rate in a browser: blind, by keys, each by a ticket of their own, and back where they were."""

import re

from driver import ROOT, Program, expect, play, visitor
from looks import looked_at

QUICKSTART = ROOT / "configs/quickstart.toml"
BLIND = ["respact-helpful", "respact-unhelpful", "quickstart", "oracle_plan"]


def case_two_raters(browser, folder):
    with Program("run", QUICKSTART, "--limit", "2", "--quiet", "--logs", "logs", folder=folder) as run:
        assert run.end() == 0
    words = ["rate", "serve", "logs/quickstart", "--what", "categories", "--sample", "4", "--listen", "127.0.0.1:0"]
    with Program(*words, folder=folder) as desk:
        links = [desk.address(), desk.address(), desk.address()]
        shown = []
        for number, link in enumerate(links[:2]):
            with visitor(browser) as rater:
                rater.forgive("#t=")
                page = rater.page(link)
                expect(page.locator("h1")).to_have_text("1 of 4")
                for place in range(4):
                    expect(page.locator("h1")).to_have_text(f"{place + 1} of 4")
                    text = page.content()
                    told = [word for word in BLIND if word in text]
                    assert not told, f"a blind page says {told}"
                    shown.append((number, page.locator("#item").inner_text()))
                    if place == 0 and number == 0:
                        looked_at(page, "rate")
                    if place == 1:
                        # Left in the middle, and taken up again.
                        page.close()
                        page = rater.page("/".join(link.split("/")[:3]) + "/rate")
                        expect(page.locator("h1")).to_have_text("2 of 4")
                    page.keyboard.press("1")
                    expect(page.locator("#rate input:checked").first).to_be_checked()
                    page.keyboard.press("Enter")
                expect(page.locator("h1")).to_have_text("Thank you")
                if number == 0:
                    looked_at(page, "rate-end")
                # A ticket opens no other page.
                rater.forgive("403")
                page.goto("/".join(link.split("/")[:3]) + "/")
                expect(page.locator("h1")).not_to_have_text("Runs")
        one, other = [[text for number, text in shown if number == rater] for rater in (0, 1)]
        assert sorted(one) == sorted(other), "both get all items"
        with visitor(browser) as owner:
            owner.forgive("#t=")
            page = owner.page(links[2])
            expect(page.get_by_role("row", name=re.compile("4 4"))).to_have_count(2)
            looked_at(page, "raters")
    with Program("rate", "agreement", "logs/quickstart", "--what", "categories", folder=folder) as agreement:
        assert agreement.end() == 0


if __name__ == "__main__":
    play(globals())
