"use strict";
// Gives the token that stands behind `#` in the address, and comes back without it.
(() => {
  const token = new URLSearchParams(location.hash.slice(1)).get("t");
  const form = document.getElementById("login");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  if (!form) return;
  form.elements.token.value = token;
  form.requestSubmit();
})();
