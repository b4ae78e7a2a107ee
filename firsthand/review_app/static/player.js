// The video with its evidence, and the words beside it.
"use strict";
const video = document.getElementById("video");

if (video) {
  const takes = new Map([...document.querySelectorAll(".takes li")].map((li) => [li.dataset.recording, li.dataset]));
  const benchmark = document.getElementById("footage").dataset.benchmark;
  const full = document.getElementById("full");
  const speed = document.getElementById("speed");
  const words = [...document.querySelectorAll(".word")];
  let stopAt = null;

  const take = () => takes.get(video.dataset.recording);

  function show(recording, at) {
    const wanted = takes.get(recording);
    if (!wanted) return;
    const address = wanted.only ?? `/media/${benchmark}/${full.checked ? wanted.full : wanted.proxy}.mp4`;
    if (new URL(video.src).pathname !== address) {
      video.dataset.recording = recording;
      video.src = address;
      video.playbackRate = Number(speed.value);
      video.addEventListener("loadedmetadata", () => { video.currentTime = at; }, { once: true });
    } else {
      video.currentTime = at;
    }
  }

  function playEvidence(button) {
    show(button.dataset.recording, Number(button.dataset.begin));
    stopAt = Number(button.dataset.end);
    // A browser may refuse to play before the reader has touched the page.
    video.play().catch(() => {});
  }

  function clock(seconds) {
    const whole = Math.floor(seconds);
    const hours = Math.floor(whole / 3600);
    const minutes = Math.floor(whole / 60) % 60;
    const rest = String(whole % 60).padStart(2, "0");
    return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
  }

  function streamSeconds() {
    return Number(take().start) + video.currentTime;
  }

  function follow() {
    const now = video.currentTime;
    if (stopAt !== null && now >= stopAt && !video.paused) {
      video.pause();
      stopAt = null;
    }
    document.getElementById("now-clock").textContent = `Stream ${clock(streamSeconds())}`;
    document.getElementById("now-label").textContent = `Recording from ${take().label.split(".")[0]}, ${now.toFixed(1)} s in.`;
    for (const word of words) {
      const here = word.dataset.recording === video.dataset.recording
        && Number(word.dataset.begin) <= now && now < Number(word.dataset.end);
      word.classList.toggle("now", here);
    }
  }

  function step(seconds) {
    stopAt = null;
    video.currentTime = Math.max(0, video.currentTime + seconds);
  }

  const evidence = [...document.querySelectorAll(".evidence")];
  for (const button of evidence) button.addEventListener("click", () => playEvidence(button));
  for (const word of words) word.addEventListener("click", () => { stopAt = null; show(word.dataset.recording, Number(word.dataset.begin)); });
  full.addEventListener("change", () => show(video.dataset.recording, video.currentTime));
  speed.addEventListener("change", () => { video.playbackRate = Number(speed.value); });
  video.addEventListener("timeupdate", follow);
  video.addEventListener("seeked", follow);
  video.addEventListener("loadedmetadata", follow);

  Object.assign(keyActions, {
    " ": () => { stopAt = null; video.paused ? video.play() : video.pause(); },
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ",": () => step(-0.04),
    ".": () => step(0.04),
    v: () => evidence[0] && playEvidence(evidence[0]),
  });

  document.addEventListener("click", (event) => {
    const which = event.target.closest(".set-begin, .set-end");
    if (!which) return;
    const name = which.matches(".set-begin") ? "evidence_begin" : "evidence_end";
    const seconds = which.matches(".set-begin") ? Math.floor(streamSeconds()) : Math.ceil(streamSeconds());
    const field = which.closest("li").querySelector(`[name=${name}]`);
    field.value = clock(seconds);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

  if (evidence[0]) {
    const first = () => { video.currentTime = Number(evidence[0].dataset.begin); };
    video.readyState >= 1 ? first() : video.addEventListener("loadedmetadata", first, { once: true });
  }
}
