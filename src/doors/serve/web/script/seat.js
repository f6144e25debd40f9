
// The page of a seat: it goes on by itself when the turn changes, and shows how much time is left.
(() => {
  const seat = document.getElementById("seat");
  if (!seat) return;
  let sent = false;
  const source = new EventSource(seat.dataset.live);
  const look = message => {
    const now = JSON.parse(message.data);
    if (sent || now.turn === seat.dataset.turn) return;
    if (message.type === "wait" && seat.dataset.turn === "") return;
    location.replace(location.pathname);
  };
  source.addEventListener("turn", look);
  source.addEventListener("wait", look);
  source.addEventListener("over", message => {
    if (!document.getElementById("over")) look({ type: "over", data: JSON.stringify({ turn: "over" }) });
    source.close();
  });
  for (const form of seat.querySelectorAll("form.move")) {
    form.addEventListener("submit", () => {
      sent = true;
      // A double click plays once; the server would refuse the second anyway.
      setTimeout(() => { for (const button of seat.querySelectorAll("button")) button.disabled = true; });
    });
  }
  const clock = document.getElementById("clock");
  if (clock) {
    const end = Date.now() + 1000 * Number(clock.dataset.seconds);
    setInterval(() => {
      const left = Math.max(0, Math.round((end - Date.now()) / 1000));
      clock.textContent = left >= 60 ? `${Math.floor(left / 60)} min ${left % 60} s` : `${left} s`;
    }, 1000);
  }
  const last = document.querySelector("#news li:last-child");
  if (last && document.getElementById("answer")) last.scrollIntoView({ block: "center" });
})();
