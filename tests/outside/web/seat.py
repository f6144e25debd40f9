"""People in seats: a game solved in the executor's seat, two tabs, a seat taken over from a recorded episode."""

import json

from driver import Program, Site, expect, play, site, visitor
from looks import looked_at


def plan_of(run):
    """The steps of the expert, which the log has as a private part of the task."""
    for line in (run / "events.jsonl").read_text().splitlines():
        part = json.loads(line).get("message", {}).get("entrusted")
        if part and part["label"] == "oracle_plan":
            return part["value"]
    raise AssertionError(f"{run} has no plan")


def act(page, command):
    form = page.locator("form.move", has=page.locator("input[name=kind][value=act]"))
    form.locator("[name=text]").fill(command)
    form.get_by_role("button").click()


def case_a_game_is_solved_in_the_executors_seat(browser, folder):
    run = Program(
        "play", "household/respact", "--seat", "executor", "--web", "--name", "hidden-run", "--logs", "logs", folder=folder
    )
    with run, visitor(browser) as person:
        link = run.address()
        page = person.page(link)
        expect(page.locator("h1")).to_have_text("You are the executor")
        looked_at(page, "seat")
        # What the user alone knows is nowhere in the page, nor which run and cell it is.
        plan = plan_of(folder / "logs/hidden-run")
        text = page.content()
        assert "oracle_plan" not in text and plan[0] not in text, text
        assert "hidden-run" not in text and "main:" not in text, text
        # A second tab of the same seat is too late.
        other = person.page(link.split("#")[0])
        expect(other.locator("#answer")).to_be_visible()
        old = other.locator("#seat").get_attribute("data-turn")
        other.evaluate("document.getElementById('seat').dataset.turn = 'x'")
        act(page, plan[0])
        expect(page.locator("#news")).to_contain_text(plan[0])
        person.forgive("/seat")
        answer = other.evaluate(
            """turn => fetch('/seat', {method: 'POST', body: new URLSearchParams({turn, kind: 'act', text: 'look'})})
            .then(answer => answer.status)""",
            old,
        )
        assert answer == 409, answer
        # A move that is not open costs nothing.
        answer = page.evaluate(
            """() => fetch('/seat', {method: 'POST', body: new URLSearchParams({
            turn: document.getElementById('seat').dataset.turn, kind: 'act', text: ' '})})
            .then(async answer => [answer.status, await answer.text()])"""
        )
        assert answer[0] == 422 and "role=\"alert\"" in answer[1], answer
        other.close()
        for command in plan[1:-1]:
            act(page, command)
            page.wait_for_function("text => document.body.innerText.includes(text)", arg=command)
        act(page, plan[-1])
        expect(page.locator("#over")).to_contain_text("solved")
        looked_at(page, "seat-over")


def case_a_seat_is_taken_over_from_a_turn(browser, folder):
    done = Program("run", "quickstart", "--name", "old", "--logs", "logs", "--quiet", "--limit", "1", folder=folder)
    with done:
        assert done.end() == 0
    with site(folder, "--play") as one, visitor(browser) as person:
        page = person.enter(one)
        page.goto(one.at("/run/old/respact-helpful:0:0"))
        taking = page.locator("#take")
        taking.locator("[name=seat]").select_option("user")
        looked_at(page, "take")
        taking.get_by_role("button").click()
        page.wait_for_url("**/seat/old-branch/**")
        expect(page.locator("#answer")).to_be_visible()
        expect(page.locator(".private-part")).to_be_visible()
        page.locator("[name=text]").first.fill("I do not know.")
        page.get_by_role("button", name="Say it").click()
        expect(page.locator("#news, #over").first).to_be_visible()
        page.goto(one.at("/run/old"))
        expect(page.locator(".tree")).to_contain_text("old-branch")


if __name__ == "__main__":
    play(globals())
