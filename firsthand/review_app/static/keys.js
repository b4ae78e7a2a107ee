// Keys that every page knows. A page's own scripts add theirs to `keyActions`.
"use strict";
const keyActions = {
  z: () => document.getElementById("undo")?.click(),
};

function inField(element) {
  return element.matches("textarea, select, input:not([type=checkbox]):not([type=radio])");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (inField(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const action = keyActions[event.key];
  // A space on a focused button presses it, as everywhere.
  const presses = event.key === " " && event.target.matches("button, summary, input, video");
  if (action && !presses) {
    event.preventDefault();
    action(event);
  }
});
