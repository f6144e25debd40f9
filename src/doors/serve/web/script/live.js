
// What is new in a run, an episode or the list of runs comes as server-sent events.
(() => {
  const say = (() => {
    const box = document.getElementById("live");
    let last = 0, waiting = 0;
    // Nobody is told more than once in three seconds.
    return text => {
      clearTimeout(waiting);
      const now = Date.now();
      waiting = setTimeout(() => { last = Date.now(); box.textContent = text; }, Math.max(0, last + 3000 - now));
    };
  })();
  const set = (id, text) => { const one = document.getElementById(id); if (one) one.textContent = text; };
  const open = address => {
    const source = new EventSource(address);
    source.addEventListener("bye", () => source.close());
    source.addEventListener("gap", () => location.reload());
    return source;
  };

  const run = document.getElementById("progress");
  if (run && run.dataset.live) {
    const source = open(run.dataset.live);
    let running = true;
    source.addEventListener("progress", message => {
      const now = JSON.parse(message.data);
      set("closed", now.closed);
      set("open", now.open);
      set("success", now.success ?? "-");
      say(`${now.closed} episodes closed`);
      document.dispatchEvent(new CustomEvent("rolecall-version", { detail: now.version }));
      running = now.running;
    });
    // The run is over: its report is there now.
    source.addEventListener("bye", () => { if (!running) location.reload(); });
  }

  const turns = document.getElementById("turns");
  if (turns && turns.dataset.live) {
    const source = open(turns.dataset.live);
    source.addEventListener("event", message => {
      const own = JSON.parse(message.data);
      if (document.getElementById(`e${own.seq}`)) return;
      const end = innerHeight + scrollY >= document.body.scrollHeight - 80;
      turns.append(entry(own));
      document.dispatchEvent(new Event("rolecall-turn"));
      say(`${own.seat} ${own.kind}: ${own.text.slice(0, 200)}`);
      if (end) scrollTo(0, document.body.scrollHeight);
    });
    source.addEventListener("result", message => {
      const own = JSON.parse(message.data);
      const ending = document.getElementById("ending");
      ending.textContent = own.text;
      ending.className = own.success ? "good" : "";
      say(own.text);
    });
  }
  const entry = own => {
    const made = (tag, name, text) => {
      const one = document.createElement(tag);
      one.className = name;
      one.textContent = text;
      return one;
    };
    const item = made("li", own.class, "");
    item.id = `e${own.seq}`;
    item.dataset.seen = own.seen.join(" ");
    const who = made("div", "who", "");
    const kind = made("a", "kind", own.kind);
    kind.href = own.href;
    who.append(made("span", "step", own.step ?? ""), made("span", "seat", own.seat), " ", kind);
    item.append(who, made("div", "text", own.text));
    return item;
  };

  const runs = document.getElementById("runs");
  if (runs && runs.dataset.live) {
    open(runs.dataset.live).addEventListener("runs", message => {
      const rows = new Map([...runs.querySelectorAll("tbody tr")].map(row => [row.dataset.run, row]));
      for (const own of JSON.parse(message.data)) {
        const row = rows.get(own.run);
        // A new run: the page is made anew, unless somebody is in the middle of something.
        if (!row) { if (!document.hasFocus() || document.activeElement === document.body) location.reload(); return; }
        row.querySelector(".episodes").textContent = own.episodes;
        row.querySelector(".success").textContent = own.success;
        const state = row.querySelector(".state");
        if (state.textContent.trim().replace("● ", "") !== own.state) state.textContent = own.state === "running" ? "● running" : own.state;
      }
    });
  }
})();
