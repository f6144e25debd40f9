"""The report as a file: its table of all episodes is filtered and sorted by the small script inside it."""

from driver import ROOT, Program, expect, play, visitor
from looks import looked_at


def case_the_file_is_filtered_and_sorted(browser, folder):
    config = ROOT / "configs/quickstart.toml"
    with Program("run", config, "--limit", "12", "--quiet", "--logs", "logs", "--name", "file", folder=folder) as run:
        assert run.end() == 0
    page_of_run = (folder / "logs/file/report.html").as_uri()
    with visitor(browser) as person:
        page = person.page(page_of_run)
        shown = page.locator("#all tbody tr:visible")
        expect(shown).to_have_count(48)
        looked_at(page, "report")
        page.fill("#choose [name=find]", "respact-helpful")
        expect(shown).to_have_count(12)
        expect(page.locator("#found")).to_have_text("12 of 48 episodes")
        page.fill("#choose [name=find]", "")
        # Both choices show 12 episodes: without all between them, the first could pass for the second.
        expect(shown).to_have_count(48)
        page.select_option("#choose [name=cell]", "react")
        expect(shown).to_have_count(12)
        steps = page.locator("#all thead button", has_text="steps")
        place = page.locator("#all thead button").all_inner_texts().index("steps")
        for order in ["descending", "ascending"]:
            steps.click()
            expect(page.locator("#all th[aria-sort]")).to_have_attribute("aria-sort", order)
            column = [int(row.locator("th, td").nth(place).inner_text()) for row in shown.all()]
            assert column == sorted(column, reverse=order == "descending"), column
    # Without a script every row is there to be read.
    with visitor(browser, java_script_enabled=False) as person:
        page = person.page(page_of_run)
        expect(page.locator("#all tbody tr:visible")).to_have_count(48)


if __name__ == "__main__":
    play(globals())
