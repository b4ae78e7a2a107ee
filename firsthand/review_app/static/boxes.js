// Boxes drawn over a frame; every box is a row of numbers that can be typed as well.
"use strict";
const frame = document.getElementById("frame");
const layer = document.getElementById("boxes");
const moment = Number(document.getElementById("drawing").dataset.moment);
const PARTS = ["begin_s", "end_s", "x0", "y0", "x1", "y1"];
const HALF_S = 0.5;
const LEAST_PX = 4;
let from = null;
let to = null;

function rowsOf(name) {
  return [...document.querySelectorAll(`#${name} li`)].map((li) => PARTS.map((part) => li.querySelector(`[name=${name}_${part}]`)));
}

function scale() {
  return frame.naturalWidth / frame.clientWidth;
}

function paint() {
  layer.width = frame.clientWidth;
  layer.height = frame.clientHeight;
  const pen = layer.getContext("2d");
  pen.lineWidth = 3;
  for (const [name, colour] of [["covered", "#e0552f"], ["uncovered", "#2f9e5b"]]) {
    pen.strokeStyle = colour;
    for (const fields of rowsOf(name)) {
      if (!fields[2].value) continue;
      const [x0, y0, x1, y1] = fields.slice(2).map((field) => Number(field.value) / scale());
      pen.strokeRect(x0, y0, x1 - x0, y1 - y0);
    }
  }
  if (from && to) {
    pen.strokeStyle = "#e0552f";
    pen.setLineDash([6, 4]);
    pen.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
  }
}

function place(event) {
  const bounds = layer.getBoundingClientRect();
  const inside = (value, top) => Math.min(Math.max(value, 0), top);
  return { x: inside(event.clientX - bounds.left, layer.width), y: inside(event.clientY - bounds.top, layer.height) };
}

function take() {
  const [left, right] = [from.x, to.x].sort((a, b) => a - b);
  const [top, bottom] = [from.y, to.y].sort((a, b) => a - b);
  if (right - left < LEAST_PX || bottom - top < LEAST_PX) return;
  if (!rowsOf("covered").some((fields) => !fields[2].value)) document.getElementById("add-covered").click();
  const free = rowsOf("covered").find((fields) => !fields[2].value);
  const box = [left, top, right, bottom].map((value) => (value * scale()).toFixed(1));
  const times = [Math.max(0, moment - HALF_S), moment + HALF_S].map((value) => value.toFixed(3));
  free.forEach((field, number) => { field.value = [...times, ...box][number]; });
  free[0].dispatchEvent(new Event("input", { bubbles: true }));
}

layer.addEventListener("pointerdown", (event) => {
  from = place(event);
  to = from;
  layer.setPointerCapture(event.pointerId);
});
layer.addEventListener("pointermove", (event) => {
  if (!from) return;
  to = place(event);
  paint();
});
layer.addEventListener("pointerup", () => {
  if (from) take();
  from = null;
  paint();
});
document.getElementById("decide").addEventListener("input", paint);
document.addEventListener("click", () => setTimeout(paint));
window.addEventListener("resize", paint);
frame.complete ? paint() : frame.addEventListener("load", paint);
