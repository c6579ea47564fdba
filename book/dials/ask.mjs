// Exercises that check a number: near enough, too large, too small, or no number.

for (const box of document.querySelectorAll(".ask")) {
  const row = box.querySelector(".ask-row"), field = row.querySelector("input"), said = row.querySelector(".ask-said");
  const answer = Number(box.dataset.answer), within = Number(box.dataset.within);
  const check = () => {
    // "6,010" may be six thousand or, in many countries, six: whichever is right counts.
    const text = field.value.trim();
    const readings = text === "" ? [NaN] : [text.replaceAll(",", ""), text.replace(",", ".")].map(Number);
    const near = (given) => Math.abs(given - answer) <= within * Math.abs(answer) + 1e-12;
    const given = readings.find(near) ?? readings[0], right = near(given);
    box.dataset.right = String(right);
    said.textContent = Number.isNaN(given) ? "Give a number, such as 2.5." : right ? "Right."
      : `Not yet: that is too ${given > answer ? "large" : "small"}.`;
  };
  row.hidden = false;
  row.querySelector("button").addEventListener("click", check);
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") check(); });
}
