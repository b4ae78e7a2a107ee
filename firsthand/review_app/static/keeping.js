// What a reviewer enters is kept in the browser until a decision is recorded, so that a
// reload, a closed tab or a stopped server loses nothing. Time on the item is counted here.
"use strict";
const IDLE_MS = 60_000;
const decideForm = document.getElementById("decide");
const keepPrefix = `firsthand:${decideForm.dataset.reviewer}:`;
const keepName = keepPrefix + decideForm.dataset.keep;
const NOT_KEPT = new Set(["form_token", "revision", "content_digest", "last", "seconds_spent", "decision", "split_s"]);

function enteredFields() {
  return [...new FormData(decideForm)].filter(([name]) => !NOT_KEPT.has(name));
}

const shownFields = JSON.stringify(enteredFields());
const spent = document.getElementById("seconds");

function isChanged() {
  // What was refused is shown again as it was entered: a change, although nothing differs.
  if ("refused" in decideForm.dataset) return true;
  const given = (fields) => JSON.stringify(JSON.parse(fields).filter(([name]) => name !== "reason"));
  return given(JSON.stringify(enteredFields())) !== given(shownFields);
}

function keep() {
  const fields = enteredFields();
  decideForm.classList.toggle("changed", isChanged());
  const kept = { version: decideForm.dataset.version, fields, seconds: Number(spent.value) };
  try {
    localStorage.setItem(keepName, JSON.stringify(kept));
  } catch {
    // A full or forbidden storage only means that nothing is kept.
  }
}

function valuesOf(fields, name) {
  return fields.filter(([own]) => own === name).map(([, value]) => value);
}

function fillIn(fields) {
  const rows = {
    option: "add-option",
    evidence_begin: "add-interval",
    covered_x0: "add-covered",
    uncovered_x0: "add-uncovered",
    point_x: "add-point",
    narration_text: "add-narration",
  };
  for (const [name, button] of Object.entries(rows)) {
    const wanted = valuesOf(fields, name).length;
    const adder = document.getElementById(button);
    const missing = wanted - decideForm.querySelectorAll(`[name=${name}]`).length;
    for (let added = 0; adder && added < missing; added += 1) adder.click();
  }
  const places = {};
  for (const control of decideForm.elements) {
    if (!control.name || NOT_KEPT.has(control.name) || control.type === "submit") continue;
    const values = valuesOf(fields, control.name);
    if (control.type === "checkbox" || control.type === "radio") {
      control.checked = values.includes(control.value);
    } else {
      const place = places[control.name] ?? 0;
      places[control.name] = place + 1;
      control.value = values[place] ?? "";
    }
  }
  document.getElementById("question_type")?.dispatchEvent(new Event("change"));
}

function restore() {
  const recorded = document.querySelector("[data-decided]");
  if (recorded) localStorage.removeItem(`${keepPrefix}${decideForm.dataset.keep.split("/")[0]}/${recorded.dataset.decided}`);
  const kept = JSON.parse(localStorage.getItem(keepName) ?? "null");
  if (!kept || kept.version !== decideForm.dataset.version) return;
  spent.value = kept.seconds;
  if (JSON.stringify(kept.fields) === shownFields) return;
  fillIn(kept.fields);
  decideForm.classList.toggle("changed", isChanged());
  document.getElementById("restored").hidden = false;
}

let lastSign = Date.now();
let lastTick = Date.now();

function tick() {
  const now = Date.now();
  const active = document.visibilityState === "visible" && now - lastSign < IDLE_MS;
  if (active) spent.value = (Number(spent.value) + Math.min(now - lastTick, 2_000) / 1000).toFixed(1);
  lastTick = now;
}

for (const sign of ["pointermove", "keydown", "scroll", "pointerdown"]) {
  document.addEventListener(sign, () => { lastSign = Date.now(); }, { passive: true });
}
setInterval(tick, 1_000);
document.addEventListener("visibilitychange", () => { tick(); keep(); });
window.addEventListener("pagehide", () => { tick(); keep(); });
decideForm.addEventListener("input", keep);
decideForm.addEventListener("change", keep);
document.getElementById("discard").addEventListener("click", () => {
  localStorage.removeItem(keepName);
  decideForm.dataset.discarded = "yes";
  fillIn(JSON.parse(shownFields));
  decideForm.classList.remove("changed");
  document.getElementById("restored").hidden = true;
});

let sure = false;
decideForm.addEventListener("submit", async (event) => {
  tick();
  keep();
  if (sure) return;
  // The form is sent only to a server that answers; its answer is then a page of its own.
  event.preventDefault();
  const button = event.submitter;
  const silent = document.getElementById("no-answer");
  try {
    await fetch("/health", { cache: "no-store" });
  } catch {
    silent.hidden = false;
    silent.scrollIntoView({ block: "nearest" });
    return;
  }
  silent.hidden = true;
  sure = true;
  decideForm.requestSubmit(button);
});
// After all scripts of the page: rows are added by their own buttons.
document.addEventListener("DOMContentLoaded", restore);
