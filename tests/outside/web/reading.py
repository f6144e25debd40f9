"""Runs that are over: the list, the table of episodes, an episode, an event, two side by side, branches."""

import re

from driver import PATIENCE, ROOT, Program, expect, play, site, visitor
from looks import looked_at
from models import Model

QUICKSTART = ROOT / "configs/quickstart.toml"
WITH_MODEL = ROOT / "configs/household/respact-model.toml"
MANY = 5_000


def ran(folder, *arguments):
    with Program(*arguments, folder=folder) as program:
        assert program.end() == 0, (arguments, list(program.lines.queue))


def case_login(browser, folder):
    with site(folder) as one, visitor(browser) as person:
        person.forgive("401")
        page = person.page(one.at("/"))
        expect(page.locator("#token")).to_be_visible()
        looked_at(page, "login")
        page.fill("#token", "0" * 32)
        page.click("#login button")
        expect(page.get_by_role("alert")).to_be_visible()
        # The printed link lets in, and leaves the token nowhere that a shoulder or a log can read it.
        page = person.enter(one)
        assert page.url == one.at("/"), page.url
        cookies = person.context.cookies()
        assert len(cookies) == 1 and cookies[0]["httpOnly"] and cookies[0]["sameSite"] == "Strict", cookies
        assert page.evaluate("document.cookie") == ""
        # It comes back to where it was wanted.
        with visitor(browser) as other:
            other.forgive("401")
            page = other.page(one.link.replace("/#t", "/run/many?ending=solved#t"))
            page.wait_for_url("**/run/many?ending=solved")


def case_list_and_table(browser, folder):
    with site(folder) as one, visitor(browser) as person:
        page = person.enter(one)
        looked_at(page, "runs")
        page.get_by_role("link", name="many", exact=True).click()
        expect(page.locator("#total")).to_have_text(str(MANY))
        rows = page.locator("#rows tbody tr:has(a)")
        expect(rows.first).to_be_visible()
        assert rows.count() < 300, f"{rows.count()} rows are in the document"
        looked_at(page, "run")
        # To the end of the table: what is not in sight is fetched.
        page.locator("#rows").evaluate("box => box.scrollTop = box.scrollHeight")
        expect(rows.last).to_contain_text(re.compile(r"re(sp)?act:\d+:0"))
        assert rows.count() < 300
        # Sorted by a column, both ways.
        page.locator("#rows thead").get_by_role("link", name="steps").click()
        expect(page.locator("#rows th[aria-sort]")).to_contain_text("steps")
        column = [head.strip() for head in page.locator("#rows thead th").all_inner_texts()]
        place = next(number for number, head in enumerate(column) if head.startswith("steps"))
        first = rows.first.locator("td").nth(place - 1)
        one_end = int(first.inner_text())
        page.locator("#rows thead").get_by_role("link", name="steps").click()
        expect(first).not_to_have_text(str(one_end))
        other_end = int(first.inner_text())
        assert {one_end, other_end} == {3, 12}, (one_end, other_end)
        # Filtered by a text and by the ending.
        page.fill("#filters [name=q]", "respact:77:")
        page.press("#filters [name=q]", "Enter")
        expect(page.locator("#total")).to_have_text("1")
        page.goto(one.at("/run/many"))
        page.select_option("#filters [name=ending]", "failed")
        page.locator("#filters").get_by_role("button").click()
        expect(page.locator("#total")).to_have_text(str(MANY // 4))
        rows.first.get_by_role("link").click()
        expect(page.locator("#turns li").first).to_be_visible()


def case_keys_and_eyes(browser, folder):
    ran(folder, "run", QUICKSTART, "--limit", "2", "--quiet", "--logs", "logs")
    with site(folder) as one, visitor(browser) as person:
        page = person.enter(one)
        page.goto(one.at("/run/quickstart/respact-helpful:0:0"))
        turns = page.locator("#turns > li")
        total = turns.count()
        current = page.locator("#turns > [aria-current]")
        looked_at(page, "episode")

        def at(number):
            expect(current).to_have_attribute("id", turns.nth(number).get_attribute("id"))

        for key, number in [("j", 0), ("j", 1), ("j", 2), ("k", 1), ("G", total - 1), ("g", 0)]:
            page.keyboard.press(key)
            at(number)
        # A key without an effect at the end.
        page.keyboard.press("k")
        at(0)
        page.keyboard.press("/")
        expect(page.locator("#find")).to_be_focused()
        # Letters in a field are letters.
        page.keyboard.type("jG")
        at(0)
        page.fill("#find", "go to")
        page.keyboard.press("Enter")
        expect(current).to_contain_text("go to")
        # A link to exactly this turn.
        address = page.url
        assert "#e" in address, address
        again = person.page(address)
        expect(again.locator("#turns > [aria-current]")).to_have_attribute("id", address.split("#")[1])
        # The eyes of the executor: what only the user knows is pale and said to be so.
        page.select_option("#seen", "executor")
        pale = page.locator("#turns > .unseen")
        expect(pale.first).to_be_visible()
        expect(pale.first).to_contain_text("not seen")
        looked_at(page, "episode-seen-by")
        assert "seen=executor" in page.url
        page.select_option("#seen", "")
        expect(pale).to_have_count(0)
        page.select_option("#view", "columns")
        looked_at(page, "episode-columns")
        turns.nth(3).locator("a.kind").click()
        expect(page.locator("pre.raw").first).to_contain_text('"seq"')
        looked_at(page, "event")


def case_prompt(browser, folder):
    with Model(lambda body: "Think: the mug may be in a drawer.") as model:
        ran(folder, "run", WITH_MODEL, "--name", "asked", "--quiet", "--logs", "logs", *model.settings(steps=3))
    with site(folder) as one, visitor(browser) as person:
        page = person.enter(one)
        page.goto(one.at("/run/asked"))
        page.locator("#rows tbody a").first.click()
        page.locator("#turns a.kind", has_text="model").first.click()
        call = page.locator("#call")
        expect(call).to_contain_text("500")
        expect(call).to_contain_text("its hash is that of the log")
        expect(call.locator("pre.said").first).to_contain_text("You solve tasks in a household")
        expect(call).to_contain_text("the mug may be in a drawer")
        looked_at(page, "model-call")


def case_two_side_by_side(browser, folder):
    with site(folder) as one, visitor(browser) as person:
        page = person.enter(one)
        page.goto(one.at("/compare?a=quickstart/respact-helpful:0:0&b=quickstart/respact-unhelpful:0:0"))
        expect(page.locator(".parting").first).to_be_visible()
        assert page.locator(".sides section").count() == 2
        looked_at(page, "compare")
        page.goto(one.at("/compare?a=quickstart/react:0:0&b=quickstart/react:0:0"))
        expect(page.locator(".parting")).to_have_count(0)
        person.forgive("404")
        page.goto(one.at("/compare?a=quickstart/react:0:0&b=nowhere/react:0:0"))
        looked_at(page, "problem")


def case_branches(browser, folder):
    branch = ["branch", "logs/quickstart", "respact-helpful:0:0", "--at", "turn:2", "--name", "twig"]
    ran(folder, *branch, "--logs", "logs")
    with site(folder) as one, visitor(browser) as person:
        page = person.enter(one)
        page.goto(one.at("/run/quickstart"))
        tree = page.locator("#branches .tree")
        expect(tree.locator("[aria-current=page]")).to_have_text("quickstart")
        looked_at(page, "run-with-branches")
        tree.get_by_role("link", name="twig", exact=True).click()
        expect(page.locator("h1")).to_have_text("twig")
        page.locator("#branches").get_by_role("link", name=re.compile("compare")).first.click()
        expect(page.locator(".sides section")).to_have_count(2)


def case_without_script(browser, folder):
    with site(folder) as one, visitor(browser, java_script_enabled=False) as person:
        person.forgive("401")
        page = person.page(one.at("/"))
        page.fill("#token", one.link.split("#t=")[1])
        page.click("#login button")
        page.get_by_role("link", name="many", exact=True).click()
        expect(page.locator("#rows tbody tr")).to_have_count(100)
        page.locator(".pages [rel=next]").click()
        expect(page.locator(".pages")).to_contain_text("101 to 200")
        page.fill("#filters [name=q]", "respact:77:")
        page.locator("#filters").get_by_role("button").click()
        expect(page.locator("#total")).to_have_text("1")
        page.locator("#rows tbody a").click()
        expect(page.locator("#turns > li").first).to_be_visible()
        page.goto(one.at("/run/quickstart/respact-helpful:0:0"))
        page.select_option("#seen", "executor")
        page.locator("#look").get_by_role("button").click()
        expect(page.locator("#turns > .unseen").first).to_contain_text("not seen")


def case_a_hundred_thousand_rows_do_not_freeze(browser, folder):
    # The table's own work for a page of rows, by the browser's clock, however many there are.
    with site(folder) as one, visitor(browser) as person:
        page = person.enter(one)
        page.goto(one.at("/run/many"))
        took = page.evaluate(
            """async () => {
              const box = document.getElementById("rows"), times = [];
              for (let step = 0; step < 20; step++) {
                const begun = performance.now();
                box.scrollTop = box.scrollHeight * step / 20;
                box.dispatchEvent(new Event("scroll"));
                await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                times.push(performance.now() - begun);
              }
              return times.sort((one, other) => one - other)[10];
            }"""
        )
        assert took < PATIENCE / 40, f"{took} ms for a step of the table"


if __name__ == "__main__":
    play(globals())
