// Sentences of what happens, typed or spoken against the video; times are the recording's own.
"use strict";
const told = document.getElementById("narrations");
const speak = document.getElementById("speak");
const speaking = document.getElementById("speaking");
const LONGEST_MS = 60_000;
const BITS_A_SECOND = 24_000;
const SENTENCE_S = 3;
let recorder = null;

function nowText() {
  return video ? video.currentTime.toFixed(3) : "";
}

function part(li, name) {
  return li.querySelector(`[name=narration_${name}]`);
}

function wrote(li) {
  part(li, "text").dispatchEvent(new Event("input", { bubbles: true }));
}

function freeRow() {
  const free = [...told.children].find((li) => !part(li, "text").value && !part(li, "begin").value);
  if (free) return free;
  const row = told.lastElementChild.cloneNode(true);
  for (const field of row.querySelectorAll("textarea, input")) field.value = "";
  part(row, "source").value = "typed";
  part(row, "text").setAttribute("aria-label", `Sentence ${told.children.length + 1}`);
  told.append(row);
  return row;
}

function begin() {
  const li = freeRow();
  part(li, "begin").value = nowText();
  part(li, "end").value = video ? Math.min(video.currentTime + SENTENCE_S, video.duration || Infinity).toFixed(3) : "";
  li.scrollIntoView({ block: "nearest" });
  return li;
}

async function record() {
  let sound;
  try {
    sound = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch {
    speaking.textContent = "There is no microphone, or it may not be used.";
    return;
  }
  const li = begin();
  const pieces = [];
  recorder = new MediaRecorder(sound, { audioBitsPerSecond: BITS_A_SECOND });
  recorder.addEventListener("dataavailable", (event) => pieces.push(event.data));
  recorder.addEventListener("stop", async () => {
    sound.getTracks().forEach((track) => track.stop());
    const type = recorder.mimeType;
    recorder = null;
    speak.setAttribute("aria-pressed", "false");
    // Who let the video run while speaking has said where the sentence ends.
    if (Number(nowText()) > Number(part(li, "begin").value)) part(li, "end").value = nowText();
    await hear(li, new Blob(pieces, { type }));
  });
  recorder.start();
  const own = recorder;
  setTimeout(() => { if (own.state === "recording") own.stop(); }, LONGEST_MS);
  speak.setAttribute("aria-pressed", "true");
  speaking.textContent = "Listening… press again to stop.";
}

async function hear(li, note) {
  speaking.textContent = "Writing it down…";
  const form = new FormData();
  form.append("form_token", decideForm.elements.form_token.value);
  form.append("note", note, "note");
  try {
    const answer = await fetch(told.dataset.heard, { method: "POST", body: form });
    const found = await answer.json();
    speaking.textContent = found.problem ?? "Read it over before you accept.";
    if (found.text) {
      part(li, "text").value = [part(li, "text").value, found.text].filter(Boolean).join(" ");
      part(li, "source").value = "recorded";
    }
  } catch {
    speaking.textContent = "The server does not answer; speak again, or type it.";
  }
  wrote(li);
}

told.addEventListener("click", (event) => {
  const li = event.target.closest("li");
  if (event.target.matches(".narration-now")) {
    li.querySelector(`[name=${event.target.dataset.end}]`).value = nowText();
    wrote(li);
  } else if (event.target.matches(".narration-away")) {
    if (told.children.length > 1) li.remove();
    else for (const field of li.querySelectorAll("textarea, input[type=text]")) field.value = "";
    changed();
  } else if (event.target.matches(".narration-play") && video) {
    video.currentTime = Number(part(li, "begin").value);
    video.play().catch(() => {});
  }
});
document.getElementById("add-narration").addEventListener("click", (event) => {
  if (!event.isTrusted) {
    // The keeper of entries adds rows to fill them in again.
    const row = told.lastElementChild.cloneNode(true);
    told.append(row);
    return;
  }
  const li = begin();
  part(li, "text").focus();
});
speak.addEventListener("click", () => (recorder ? recorder.stop() : record()));
Object.assign(keyActions, {
  n: () => {
    const li = begin();
    part(li, "text").focus();
  },
  t: () => speak.click(),
});
