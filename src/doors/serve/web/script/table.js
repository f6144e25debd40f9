
// The table of episodes: only the rows in sight are in the document; the server filters and sorts.
(() => {
  const box = document.getElementById("rows");
  if (!box) return;
  const table = box.querySelector("table");
  const body = table.tBodies[0];
  const columns = [...box.querySelectorAll("thead th")].map(head => head.className);
  const search = new URLSearchParams(location.search);
  search.delete("offset");
  search.delete("limit");
  const PAGE = 100;
  let total = Number(box.dataset.total);
  let version = Number(box.dataset.version);
  let pages = new Map();
  let height = 0;
  let drawn = "";

  const cell = (tag, text, name) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    return made;
  };
  const row = own => {
    const made = document.createElement("tr");
    if (!own) { made.append(cell("td", "…")); return made; }
    made.className = own.mark;
    own.texts.forEach((text, place) => {
      if (place) {
        const made_cell = cell("td", text, columns[place]);
        made_cell.title = text;
        made.append(made_cell);
        return;
      }
      const head = cell("th", "");
      head.scope = "row";
      const link = cell("a", text);
      link.href = own.href;
      head.append(link);
      made.append(head);
    });
    return made;
  };
  const spacer = pixels => {
    const made = document.createElement("tr");
    made.setAttribute("aria-hidden", "true");
    const one = document.createElement("td");
    one.colSpan = columns.length;
    one.style.height = `${pixels}px`;
    one.className = "spacer";
    made.append(one);
    return made;
  };
  const load = async page => {
    if (pages.has(page)) return;
    pages.set(page, null);
    const own = pages;
    const asked = new URLSearchParams(search);
    asked.set("offset", page * PAGE);
    asked.set("limit", PAGE);
    const answer = await fetch(`${box.dataset.rows}?${asked}`).catch(() => null);
    if (own !== pages) return;
    if (!answer || !answer.ok) { pages.delete(page); return; }
    const found = await answer.json();
    if (own !== pages) return;
    pages.set(page, found.rows);
    total = found.total;
    document.getElementById("total").textContent = total;
    draw(true);
  };
  const draw = again => {
    const first = Math.max(0, Math.floor(box.scrollTop / height) - 20);
    const last = Math.min(total, first + Math.ceil(box.clientHeight / height) + 40);
    const now = `${first} ${last} ${total}`;
    if (now === drawn && !again) return;
    drawn = now;
    const focus = box.contains(document.activeElement) && document.activeElement.getAttribute("href");
    const rows = [spacer(first * height)];
    for (let place = first; place < last; place++) {
      const page = pages.get(Math.floor(place / PAGE));
      if (page === undefined) load(Math.floor(place / PAGE));
      rows.push(row(page && page[place % PAGE]));
    }
    rows.push(spacer((total - last) * height));
    body.replaceChildren(...rows);
    table.setAttribute("aria-rowcount", total + 1);
    if (focus) for (const link of body.querySelectorAll("a")) if (link.getAttribute("href") === focus) link.focus({ preventScroll: true });
  };
  const begin = () => {
    const one = body.querySelector("tr");
    height = one ? one.getBoundingClientRect().height : 0;
    if (!height) return;
    box.classList.add("scrolling");
    const offset = Number(box.dataset.offset);
    document.querySelectorAll(".pages").forEach(pages => pages.remove());
    draw(true);
    if (offset) { box.scrollTop = offset * height; draw(true); }
    box.addEventListener("scroll", () => requestAnimationFrame(() => draw(false)), { passive: true });
    addEventListener("resize", () => draw(true));
  };
  // A run that goes on has other rows now.
  let asked = false;
  document.addEventListener("rolecall-version", event => {
    if (event.detail === version || asked) return;
    asked = true;
    setTimeout(() => {
      asked = false;
      version = event.detail;
      const old = pages;
      pages = new Map();
      if (!height) { total = 1; height = 33; box.classList.add("scrolling"); }
      // What is in sight stays until the new rows are here.
      const page = Math.floor(Math.max(0, box.scrollTop / height) / PAGE);
      load(page).then(() => old.clear());
    }, 1000);
  });
  begin();
})();
