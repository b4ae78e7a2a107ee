// A number chooses the grade of that place, unless reasons are offered.
"use strict";
const grades = [...document.querySelectorAll("[name=grade]")];
grades.forEach((grade, place) => {
  const number = String(place + 1);
  const giveReasonOf = keyActions[number];
  keyActions[number] = (event) => {
    if (!reasons.hidden) {
      giveReasonOf?.(event);
      return;
    }
    grade.checked = true;
    grade.dispatchEvent(new Event("input", { bubbles: true }));
  };
});
