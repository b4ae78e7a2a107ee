// Clicks on a frame, and the mask that the engine cuts out for them. Rows of numbers are the truth.
"use strict";
const drawing = document.getElementById("drawing");
const frame = document.getElementById("frame");
const overlay = document.getElementById("mask");
const marks = document.getElementById("marks");
const share = document.getElementById("share");
const shareWords = document.getElementById("share-words");
const flags = document.getElementById("flags");
const modes = { on: document.getElementById("mode-on"), beside: document.getElementById("mode-beside") };
const WAIT_MS = 20;
const cross = { x: null, y: null };
let asked = null;
let waiting = null;

function rows() {
  return [...document.querySelectorAll("#points li")].map((li) => ({
    x: li.querySelector("[name=point_x]"),
    y: li.querySelector("[name=point_y]"),
    on: li.querySelector("[name=point_on]"),
  }));
}

function filled() {
  return rows().filter((row) => row.x.value && row.y.value);
}

function paint() {
  marks.width = frame.clientWidth;
  marks.height = frame.clientHeight;
  const scale = frame.clientWidth / frame.naturalWidth;
  const pen = marks.getContext("2d");
  for (const row of filled()) {
    const [x, y] = [row.x.value * scale, row.y.value * scale];
    pen.beginPath();
    pen.arc(x, y, 7, 0, 2 * Math.PI);
    pen.fillStyle = row.on.value === "on" ? "#16a34a" : "#dc2626";
    pen.fill();
    pen.lineWidth = 2;
    pen.strokeStyle = "#fff";
    pen.stroke();
    pen.fillStyle = "#fff";
    pen.fillRect(x - 4, y - 1, 8, 2);
    if (row.on.value === "on") pen.fillRect(x - 1, y - 4, 2, 8);
  }
  if (cross.x !== null && document.activeElement === drawing) {
    const [x, y] = [cross.x * scale, cross.y * scale];
    pen.strokeStyle = "#fff";
    pen.lineWidth = 3;
    for (const [colour, wide] of [["#000", 3], ["#fff", 1]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = wide;
      pen.beginPath();
      pen.moveTo(x - 16, y);
      pen.lineTo(x + 16, y);
      pen.moveTo(x, y - 16);
      pen.lineTo(x, y + 16);
      pen.stroke();
    }
  }
}

function show(answer) {
  overlay.hidden = !answer.picture || !document.getElementById("show-mask").checked;
  if (answer.picture) overlay.src = answer.picture;
  else overlay.removeAttribute("src");
  share.textContent = answer.picture ? `${(answer.area_share * 100).toFixed(answer.area_share < 0.01 ? 2 : 1)} %` : "–";
  const words = answer.is_first_look ? "of the picture, roughly; the outline follows" : "of the picture";
  shareWords.textContent = answer.picture ? words : (answer.problem ?? "Click on the object.");
  flags.replaceChildren(...(answer.flags ?? []).map((words) => {
    const note = document.createElement("span");
    note.className = "note";
    note.textContent = words;
    return note;
  }));
  drawing.dataset.state = answer.picture ? (answer.is_first_look ? "rough" : "cut") : "empty";
}

async function cut() {
  asked?.abort();
  if (!filled().some((row) => row.on.value === "on")) {
    show({});
    return;
  }
  asked = new AbortController();
  drawing.dataset.state = "waiting";
  const form = new URLSearchParams({ form_token: decideForm.elements.form_token.value });
  for (const row of filled()) {
    form.append("point_x", row.x.value);
    form.append("point_y", row.y.value);
    form.append("point_on", row.on.value);
  }
  const { signal } = asked;
  const answered = async (looks) => {
    const body = new URLSearchParams([...form, ...looks]);
    return (await fetch(drawing.dataset.mask, { method: "POST", body, signal })).json();
  };
  try {
    // What can be had at once is shown at once; what counts is what the next build cuts out.
    const first = await answered([["first_look", "1"]]);
    show(first);
    if (first.is_first_look) show(await answered([]));
  } catch (error) {
    if (error.name !== "AbortError") show({ problem: "The server does not answer; the clicks are kept." });
  }
}

function changedPoints() {
  paint();
  clearTimeout(waiting);
  waiting = setTimeout(cut, WAIT_MS);
}

function add(x, y, where) {
  let free = rows().find((row) => !row.x.value && !row.y.value);
  if (!free) {
    document.getElementById("add-point").click();
    free = rows().at(-1);
  }
  free.x.value = String(Math.round(x * 10) / 10);
  free.y.value = String(Math.round(y * 10) / 10);
  free.on.value = where;
  free.x.dispatchEvent(new Event("input", { bubbles: true }));
}

function takeBack() {
  const last = filled().at(-1);
  if (!last) return;
  last.x.value = "";
  last.y.value = "";
  last.x.dispatchEvent(new Event("input", { bubbles: true }));
}

function place(event) {
  const bounds = marks.getBoundingClientRect();
  const scale = frame.naturalWidth / bounds.width;
  const inside = (value, top) => Math.min(Math.max(value * scale, 0), top - 1);
  return [inside(event.clientX - bounds.left, frame.naturalWidth), inside(event.clientY - bounds.top, frame.naturalHeight)];
}

function mode() {
  return modes.on.checked ? "on" : "beside";
}

for (const [name, button] of Object.entries(modes)) {
  button.addEventListener("change", () => { modes[name === "on" ? "beside" : "on"].checked = false; });
}
marks.addEventListener("contextmenu", (event) => event.preventDefault());
marks.addEventListener("pointerdown", (event) => {
  event.preventDefault();
  drawing.focus({ preventScroll: true });
  const [x, y] = place(event);
  [cross.x, cross.y] = [x, y];
  add(x, y, event.button === 2 || event.shiftKey ? "beside" : mode());
});
drawing.addEventListener("keydown", (event) => {
  const step = event.shiftKey ? 20 : 2;
  const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
  if (cross.x === null) [cross.x, cross.y] = [frame.naturalWidth / 2, frame.naturalHeight / 2];
  if (event.key in moves) {
    cross.x = Math.min(Math.max(cross.x + moves[event.key][0], 0), frame.naturalWidth - 1);
    cross.y = Math.min(Math.max(cross.y + moves[event.key][1], 0), frame.naturalHeight - 1);
    paint();
  } else if (event.key === "Enter") add(cross.x, cross.y, mode());
  else if (event.key === "x") add(cross.x, cross.y, "beside");
  else if (event.key === "Backspace") takeBack();
  else return;
  event.preventDefault();
  event.stopPropagation();
});
for (const name of ["focus", "blur"]) drawing.addEventListener(name, paint);
Object.assign(keyActions, {
  f: () => {
    drawing.focus();
    if (cross.x === null) [cross.x, cross.y] = [frame.naturalWidth / 2, frame.naturalHeight / 2];
    paint();
  },
  Backspace: takeBack,
  m: () => document.getElementById("show-mask").click(),
});
document.getElementById("take-back").addEventListener("click", takeBack);
document.getElementById("show-mask").addEventListener("change", (event) => {
  overlay.hidden = !event.target.checked || !overlay.hasAttribute("src");
});
decideForm.addEventListener("input", changedPoints);
decideForm.addEventListener("change", changedPoints);
window.addEventListener("resize", paint);
frame.addEventListener("load", paint);
document.addEventListener("DOMContentLoaded", changedPoints);
changedPoints();
