
// The transcript: whose eyes, keys, which turn is looked at.
(() => {
  const turns = document.getElementById("turns");
  if (!turns) return;
  const seen = document.getElementById("seen");
  const view = document.getElementById("view");
  const look = () => {
    for (const turn of turns.children) {
      const pale = seen.value && !(turn.dataset.seen || "").split(" ").includes(seen.value);
      turn.classList.toggle("unseen", Boolean(pale));
      const mark = turn.querySelector(".hidden-mark");
      if (mark && !pale) mark.remove();
      if (pale && !mark) {
        const made = document.createElement("span");
        made.className = "hidden-mark";
        made.textContent = "not seen";
        turn.querySelector(".who").append(" ", made);
      }
    }
  };
  const show = () => {
    look();
    turns.classList.toggle("columns", view.value === "columns");
    const search = new URLSearchParams(location.search);
    for (const one of [seen, view]) one.value ? search.set(one.name, one.value) : search.delete(one.name);
    const text = String(search);
    history.replaceState(null, "", location.pathname + (text && `?${text}`) + location.hash);
  };
  document.querySelector("#look button").hidden = true;
  seen.addEventListener("change", show);
  view.addEventListener("change", show);
  document.addEventListener("rolecall-turn", look);

  const go = turn => {
    if (!turn) return;
    const old = turns.querySelector("[aria-current]");
    if (old) old.removeAttribute("aria-current");
    turn.setAttribute("aria-current", "true");
    turn.tabIndex = -1;
    turn.focus({ preventScroll: true });
    turn.scrollIntoView({ block: "center" });
    history.replaceState(null, "", `${location.pathname}${location.search}#${turn.id}`);
  };
  const here = () => turns.querySelector("[aria-current]");
  const find = document.createElement("input");
  find.type = "search";
  find.id = "find";
  find.placeholder = "find on the page";
  find.setAttribute("aria-label", "Find on the page");
  document.getElementById("look").append(find);
  const next = back => {
    const text = find.value.toLowerCase();
    const all = [...turns.children];
    const start = all.indexOf(here());
    for (let step = 1; text && step <= all.length; step++) {
      const place = (start + (back ? -step : step) + 2 * all.length) % all.length;
      if (all[place].textContent.toLowerCase().includes(text)) return all[place];
    }
    return null;
  };
  find.addEventListener("keydown", event => {
    if (event.key === "Enter") { event.preventDefault(); const found = next(event.shiftKey); go(found); find.focus({ preventScroll: true }); }
    if (event.key === "Escape") find.blur();
  });
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const keys = {
      j: () => here() ? here().nextElementSibling : turns.firstElementChild,
      k: () => here() ? here().previousElementSibling : turns.lastElementChild,
      g: () => turns.firstElementChild,
      G: () => turns.lastElementChild,
    };
    if (event.key === "/") { event.preventDefault(); find.focus(); return; }
    const way = keys[event.key];
    if (way) { event.preventDefault(); go(way()); }
  });
  if (/^#e\d+$/.test(location.hash)) go(document.getElementById(location.hash.slice(1)));
})();
