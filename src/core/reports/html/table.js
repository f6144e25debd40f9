"use strict";
(() => {
  const table = document.getElementById("all");
  const form = document.getElementById("choose");
  if (!table || !form) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const text = (row, column) => row.cells[column].textContent;
  const found = document.getElementById("found");
  const choose = () => {
    const find = form.elements.find.value.toLowerCase();
    let count = 0;
    for (const row of rows) {
      const fits = [...form.querySelectorAll("select")].every(one => {
        if (!one.value) return true;
        if (one.dataset.column) return text(row, Number(one.dataset.column)) === one.value;
        return text(row, 0).startsWith(`${one.value}:`);
      }) && (!find || row.textContent.toLowerCase().includes(find));
      row.hidden = !fits;
      count += fits;
    }
    found.textContent = `${count} of ${rows.length} episodes`;
  };
  const sort = (head, column) => {
    const number = head.classList.contains("number");
    const before = head.getAttribute("aria-sort");
    // Numbers begin with the largest.
    const down = before ? before === "ascending" : number;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = row => number ? Number.parseFloat(text(row, column)) : text(row, column);
    const order = (one, other) => {
      const [a, b] = [value(one), value(other)];
      if (number) return (Number.isFinite(a) ? a : -1e99) - (Number.isFinite(b) ? b : -1e99);
      return a.localeCompare(b, "en", { numeric: true });
    };
    rows.sort((one, other) => down ? order(other, one) : order(one, other));
    body.append(...rows);
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => sort(head, column));
  });
  let waiting = 0;
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(choose, 120); });
  form.addEventListener("submit", event => { event.preventDefault(); choose(); });
  form.hidden = false;
  choose();
  // A transcript opens when a link leads to it.
  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const closed = target && target.closest("details");
    if (closed) { closed.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", open);
  open();
})();
