// A window set by dragging, with the loudness and the words under it, to the millisecond.
"use strict";
const canvas = document.getElementById("timeline");
const fields = [document.getElementById("begin_ms"), document.getElementById("end_ms")];
const lengthMs = Number(canvas.dataset.length);
const AROUND_MS = 3_000;
const GRAB_PX = 14;
const shown = (() => {
  const [begin, end] = fields.map((field) => Number(field.value));
  return { from: Math.max(0, begin - AROUND_MS), to: Math.min(lengthMs, end + AROUND_MS) };
})();
const spoken = [...document.querySelectorAll(".line:not(.narration) .word")]
  .filter((word) => word.dataset.recording === canvas.dataset.recording)
  .map((word) => ({ text: word.textContent, begin: word.dataset.begin * 1000, end: word.dataset.end * 1000 }));
let sound = { step_ms: 10, levels: [] };
let framesMs = [];
let dragged = null;
let chosen = 0;

const toX = (ms) => ((ms - shown.from) / (shown.to - shown.from)) * canvas.width;
const toMs = (x) => shown.from + (x / canvas.clientWidth) * (shown.to - shown.from);

function draw() {
  canvas.width = canvas.clientWidth;
  const style = getComputedStyle(canvas);
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = style.getPropertyValue("--rule");
  for (let x = 0; x < canvas.width; x += 1) {
    const at = Math.floor((shown.from + ((shown.to - shown.from) * x) / canvas.width) / sound.step_ms);
    const tall = ((sound.levels[at] ?? 0) / 100) * 60;
    pen.fillRect(x, 45 - tall / 2, 1, Math.max(tall, 1));
  }
  const [begin, end] = fields.map((field) => toX(Number(field.value)));
  pen.globalAlpha = 0.25;
  pen.fillStyle = style.getPropertyValue("--accent");
  pen.fillRect(begin, 0, Math.max(end - begin, 1), canvas.height);
  pen.globalAlpha = 1;
  [begin, end].forEach((x, place) => {
    const wide = place === chosen && document.activeElement === canvas ? 7 : 3;
    pen.fillRect(x - wide / 2, 0, wide, canvas.height);
  });
  pen.fillStyle = style.getPropertyValue("--ink");
  pen.font = "13px system-ui";
  spoken.forEach((word, place) => pen.fillText(word.text, toX(word.begin), place % 2 ? 95 : 112));
  if (video) {
    pen.fillStyle = style.getPropertyValue("--bad");
    pen.fillRect(toX(video.currentTime * 1000), 0, 1.5, canvas.height);
  }
}

function set(place, ms) {
  const [begin, end] = fields.map((field) => Number(field.value));
  const low = place === 1 ? begin : 0;
  const high = place === 0 ? end : lengthMs;
  const kept = Math.round(Math.min(Math.max(ms, low), high));
  fields[place].value = String(kept);
  fields[place].dispatchEvent(new Event("input", { bubbles: true }));
  if (video) video.currentTime = kept / 1000;
}

canvas.addEventListener("pointerdown", (event) => {
  const near = fields.map((field) => Math.abs(toX(Number(field.value)) - event.offsetX));
  const place = near[0] <= near[1] ? 0 : 1;
  if (near[place] > GRAB_PX) {
    if (video) video.currentTime = toMs(event.offsetX) / 1000;
    return;
  }
  dragged = chosen = place;
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
  if (dragged !== null) set(dragged, toMs(event.offsetX));
});
canvas.addEventListener("pointerup", () => { dragged = null; });
function choose(place) {
  chosen = place;
  if (video) video.currentTime = Number(fields[place].value) / 1000;
  draw();
}

// Times of frames are not whole milliseconds: what is nearer than half of one is where we are.
function frameBeside(ms, way) {
  const further = framesMs.filter((frame) => (frame - ms) * way >= 0.5);
  return (way > 0 ? further[0] : further.at(-1)) ?? ms;
}

keyActions.f = () => canvas.focus();
canvas.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const place = { ArrowUp: 0, ArrowDown: 1 }[event.key];
  if (way === undefined && place === undefined) return;
  event.preventDefault();
  if (place !== undefined) return choose(place);
  const ms = Number(fields[chosen].value);
  set(chosen, event.shiftKey ? frameBeside(ms, way) : ms + way);
});
for (const name of ["focus", "blur"]) canvas.addEventListener(name, draw);
for (const [button, place] of [["begin-now", 0], ["end-now", 1]]) {
  document.getElementById(button).addEventListener("click", () => video && set(place, video.currentTime * 1000));
}
for (const field of fields) field.addEventListener("input", draw);
if (video) for (const name of ["timeupdate", "seeked"]) video.addEventListener(name, draw);
window.addEventListener("resize", draw);
const recording = `${document.getElementById("footage").dataset.benchmark}/${canvas.dataset.recording}.json`;
const stretch = `from_us=${Math.floor(shown.from * 1000)}&to_us=${Math.ceil(shown.to * 1000)}`;
fetch(`/frames/${recording}?${stretch}`).then(async (answer) => {
  if (answer.ok) framesMs = (await answer.json()).times_us.map((time) => time / 1000);
}).catch(() => {});
fetch(`/sound/${recording}`).then(async (answer) => {
  if (answer.ok) sound = await answer.json();
  draw();
}).catch(draw);
draw();
