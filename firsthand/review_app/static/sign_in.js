// An invitation's link carries the code behind `#`, which browsers never send to a server.
"use strict";
const form = document.getElementById("sign-in");
const to = new URLSearchParams(location.search).get("to");
if (to) form.elements.to.value = to;
if (location.hash.length > 1) {
  form.elements.code.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
}
