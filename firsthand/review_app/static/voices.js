// Splitting a stretch of a voice at the moment that the player shows.
"use strict";
const splitField = document.getElementById("split_s");
const heardPlayer = document.getElementById("heard");

// Whichever was played last: the copy, or the sound as it was recorded.
let lastPlayed = document.getElementById("video");
for (const player of [document.getElementById("video"), heardPlayer]) {
  player?.addEventListener("play", () => { lastPlayed = player; });
}

keyActions.x = () => {
  if (lastPlayed) splitField.value = lastPlayed.currentTime.toFixed(3);
  splitField.focus();
  splitField.select();
};
splitField.addEventListener("keydown", (event) => {
  if (event.key === "Enter") document.getElementById("split").click();
});
