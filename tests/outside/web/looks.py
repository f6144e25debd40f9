"""What every page keeps to, however it is looked at: accessible, no wider than the window, and to be seen."""

import os
from pathlib import Path

from driver import SHOTS

AXE = os.environ.get("ROLECALL_AXE")
# WCAG 2.2 AA, and what axe-core advises beyond it.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

WIDEST = """() => {
  const limit = document.documentElement.clientWidth;
  const scrolls = e => {
    for (let up = e.parentElement; up && up !== document.body; up = up.parentElement)
      if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(up).overflowX)) return true;
    return false;
  };
  const wide = [...document.body.querySelectorAll("*")].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width && box.right > limit + 1 && !scrolls(e);
  });
  return {
    page: document.documentElement.scrollWidth, limit,
    wide: wide.slice(0, 5).map(e => e.outerHTML.slice(0, 120)),
  };
}"""


def accessible(page, name):
    """Fails if axe-core finds anything serious or critical; says what else it finds."""
    if not AXE:
        return
    page.evaluate(Path(AXE).read_text())
    found = page.evaluate(
        "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", RULES
    )["violations"]
    lines = []
    for finding in found:
        for node in finding["nodes"][:4]:
            lines.append(f"{finding['impact']} {finding['id']} on {name}: {node['target']} {node['html'][:160]}"
                         f" ({node.get('failureSummary', '')[:200]!r})")
    for line in lines:
        print(" ", line)
    serious = [line for line in lines if line.startswith(("serious", "critical"))]
    assert not serious, "\n".join(serious)


def narrow(page, name, width=320):
    """Fails if the page must be scrolled sideways in a window of this width."""
    before = page.viewport_size
    page.set_viewport_size({"width": width, "height": 800})
    found = page.evaluate(WIDEST)
    page.set_viewport_size(before)
    assert found["page"] <= found["limit"], f"{name} at {width} pixels: {found}"


def looked_at(page, name):
    """A page in both colour schemes and at both widths: axe-core, no scrolling sideways, and pictures."""
    before = page.viewport_size
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        accessible(page, f"{name}, {scheme}")
        for width in [360, 1280] if SHOTS else []:
            page.set_viewport_size({"width": width, "height": 800})
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{SHOTS}/{name}-{width}-{scheme}.png", full_page=True)
        page.set_viewport_size(before)
    narrow(page, name)
    heads = page.locator("h1").count()
    assert heads == 1, f"{name}: {heads} headings of the first level"
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.title().strip(), f"{name} has no title"
