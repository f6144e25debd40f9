
// A rating: digits choose, Enter goes on, the left arrow goes back.
(() => {
  const form = document.getElementById("rate");
  if (!form) return;
  const groups = [...form.querySelectorAll("fieldset")];
  const chosen = group => group.querySelector(":checked");
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const at = document.activeElement;
    if (at && (at.tagName === "TEXTAREA" || at.tagName === "A" || at.tagName === "BUTTON")) {
      if (at.tagName === "TEXTAREA" || event.key === "Enter") return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.key === "ArrowLeft" && !(at && at.type === "radio")) {
      const back = document.getElementById("back");
      if (back) location.assign(back.href);
    } else if (/^[0-9]$/.test(event.key)) {
      // The group in which somebody is, else the first without a choice, else the last.
      const group = groups.find(one => one.contains(at)) || groups.find(one => !chosen(one)) || groups[groups.length - 1];
      const wanted = group && [...group.querySelectorAll("input")].find(input => input.dataset.key === event.key);
      if (wanted) wanted.checked = true;
    }
  });
})();
