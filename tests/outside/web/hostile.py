"""Texts that want to be markup, scripts or commands of a terminal: they are texts."""

from driver import expect, play, site, visitor
from looks import looked_at
from models import Model
from driver import ROOT, Program

WITH_MODEL = ROOT / "configs/household/respact-model.toml"
SCRIPT = "<script>document.title='taken'</script><img src=x onerror=document.title='taken'>"
CONTROL = [chr(code) for code in [*range(9), *range(11, 32), 0x7F, 0x9B, 0x202E, 0x200B, 0x2066]]


def harmless(page):
    """Nothing ran, nothing foreign became an element, and what is not seen is shown."""
    assert "taken" not in page.title().split(" - rolecall")[0].replace("title='taken'", ""), page.title()
    found = page.evaluate(
        """() => [...document.querySelectorAll("img, iframe, object, embed, base, svg svg, [onload], [onerror], "
          + "[onmouseover], main script, [href^='javascript:'], meta[http-equiv=refresh]")].map(e => e.outerHTML)"""
    )
    assert not found, found
    text = page.evaluate("document.body.textContent")
    raw = sorted({f"U+{ord(letter):04X}" for letter in CONTROL if letter in text})
    assert not raw, f"{page.url} shows {raw} as they are"


def case_a_run_of_hostile_texts(browser, folder):
    with site(folder) as one, visitor(browser) as person:
        page = person.enter(one)
        harmless(page)
        looked_at(page, "hostile-runs")
        page.locator("#runs tbody a", has_text="script").click()
        expect(page.locator("#rows tbody tr:has(a)").first).to_be_visible()
        harmless(page)
        looked_at(page, "hostile-run")
        run = page.url.split("?")[0]
        page.locator("#rows tbody a").first.click()
        turns = page.locator("#turns > li")
        expect(turns.first).to_be_visible()
        harmless(page)
        looked_at(page, "hostile-episode")
        page.select_option("#view", "columns")
        page.select_option("#seen", "executor")
        harmless(page)
        events = page.locator("#turns a.kind").evaluate_all("all => all.map(one => one.href)")
        for event in events:
            page.goto(event)
            expect(page.locator("pre.raw").first).to_be_visible()
            harmless(page)
        looked_at(page, "hostile-event")
        # What is asked for is shown, too.
        for path in ["/run/%3Cscript%3Ex", "/run/..%2f..%2fetc", "/compare?a=%3Cimg%20src=x%3E&b=x/y"]:
            person.forgive("404")
            page.goto(one.at(path))
            harmless(page)
        page.goto(f"{run}?q=%22%3E%3Cscript%3Edocument.title=1%3C/script%3E&sort=%22%3E%3Csvg%3E")
        harmless(page)


def case_a_model_that_writes_markup(browser, folder):
    """Live: the script makes the entries."""
    words = f"Think: {SCRIPT} \x1b[2J \u202e {{{{7*7}}}}"
    with Model(lambda body: words, gated=True) as model:
        run = Program(
            "run", WITH_MODEL, "--name", "markup", "--logs", "logs", "--quiet",
            *model.settings(steps=3), folder=folder,
        )
        with site(folder) as one, run, visitor(browser) as person:
            page = person.enter(one)
            page.goto(one.at("/run/markup"))
            page.locator("#rows tbody a").first.click()
            model.let(1)
            entry = page.locator("#turns > li", has_text="<script>document.title='taken'</script>")
            expect(entry.first).to_be_visible()
            harmless(page)
            model.open()
            expect(page.locator("#ending")).to_contain_text("out of steps")
            harmless(page)
            assert run.end() == 0


if __name__ == "__main__":
    play(globals())
