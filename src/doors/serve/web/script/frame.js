"use strict";
// Gives the token that stands behind `#` in the address, and comes back without it.
(() => {
  const token = new URLSearchParams(location.hash.slice(1)).get("t");
  const form = document.getElementById("login");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  if (form) {
    form.elements.token.value = token;
    form.requestSubmit();
    return;
  }
  // Somebody else was here before: from now on it is whoever the token is for.
  const back = location.pathname.replace(/^\/rate\/.*/, "/rate");
  const body = new URLSearchParams({ token, back });
  fetch("/login", { method: "POST", body, redirect: "manual" }).then(() => location.assign(back));
})();
