// The form of an item: rows that can be added, fields by type, reasons, and its keys.
"use strict";
const typeField = document.getElementById("question_type");

function showFieldsOfType() {
  for (const part of document.querySelectorAll("[data-for-types]")) {
    part.hidden = !part.dataset.forTypes.split(" ").includes(typeField.value);
  }
  const kind = typeField.value === "mc_single" ? "radio" : "checkbox";
  for (const mark of document.querySelectorAll("[name=right]")) mark.type = kind;
}

function addRow(list, change) {
  const row = list.lastElementChild.cloneNode(true);
  const number = list.children.length;
  for (const field of row.querySelectorAll("input[type=text]")) {
    field.value = "";
    if (field.name === "option") field.setAttribute("aria-label", `Option ${number + 1}`);
  }
  const mark = row.querySelector("[name=right]");
  if (mark) {
    mark.value = String(number);
    mark.checked = false;
    mark.setAttribute("aria-label", `Option ${number + 1} is right`);
  }
  list.append(row);
  change();
  return row;
}

function changed() {
  decideForm.dispatchEvent(new Event("input"));
}

const ADDERS = [
  ["add-option", "options"],
  ["add-interval", "intervals"],
  ["add-covered", "covered"],
  ["add-uncovered", "uncovered"],
  ["add-point", "points"],
];
for (const [button, list] of ADDERS) {
  document.getElementById(button)?.addEventListener("click", (event) => {
    const row = addRow(document.getElementById(list), changed);
    if (event.isTrusted) row.querySelector("input[type=text]").focus();
  });
}
document.getElementById("intervals")?.addEventListener("click", (event) => {
  const button = event.target.closest(".remove");
  if (!button) return;
  if (button.closest("ol").children.length > 1) button.closest("li").remove();
  changed();
});
document.addEventListener("click", (event) => {
  const filler = event.target.closest("[data-fill]");
  if (filler) {
    document.getElementById(filler.dataset.fill).value = filler.dataset.value;
    changed();
  }
  const row = event.target.closest(".clear")?.closest("li");
  if (row) {
    for (const field of row.querySelectorAll("input")) field.value = "";
    changed();
  }
});
if (typeField) {
  typeField.addEventListener("change", showFieldsOfType);
  showFieldsOfType();
}

const reasons = document.getElementById("reasons");
const reasonField = document.getElementById("reason");
let waitingFor = null;

function askWhy(decision) {
  waitingFor = decision;
  if (reasonField.value.trim()) {
    document.getElementById(decision).click();
    return;
  }
  reasons.hidden = false;
  reasons.querySelector("button")?.focus();
}

function giveReason(button) {
  reasonField.value = button.dataset.reason;
  changed();
  if (waitingFor) document.getElementById(waitingFor).click();
  else reasonField.focus();
}

for (const button of reasons.querySelectorAll("button")) button.addEventListener("click", () => giveReason(button));
for (const decision of ["reject", "unsure"]) {
  document.getElementById(decision).addEventListener("click", (event) => {
    if (reasonField.value.trim()) return;
    event.preventDefault();
    askWhy(decision);
  });
}
reasonField.addEventListener("focus", () => { reasons.hidden = false; });

const dialog = document.getElementById("keys");
document.getElementById("show-keys").addEventListener("click", () => dialog.showModal());

Object.assign(keyActions, {
  a: () => document.getElementById("accept").click(),
  s: () => document.getElementById("edit").click(),
  e: () => document.querySelector("[data-first-field]")?.focus(),
  r: () => askWhy("reject"),
  u: () => askWhy("unsure"),
  j: () => document.getElementById("after")?.click(),
  k: () => document.getElementById("before")?.click(),
  Escape: () => { waitingFor = null; reasons.hidden = true; },
  "?": () => dialog.showModal(),
});
for (let number = 1; number <= 9; number += 1) {
  keyActions[String(number)] = () => {
    if (!reasons.hidden) reasons.querySelectorAll("button")[number - 1]?.click();
  };
}
decideForm.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  if (event.ctrlKey || event.metaKey) document.getElementById("accept").click();
  // Enter in a one-line field would press the first button of the form.
  else if (event.target.matches("input[type=text]")) event.preventDefault();
});
