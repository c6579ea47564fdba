// Exercises that check a number: near enough, too large, too small, or no number.

for (const box of document.querySelectorAll(".ask")) {
  const row = box.querySelector(".ask-row"), field = row.querySelector("input"), said = row.querySelector(".ask-said");
  const answer = Number(box.dataset.answer), within = Number(box.dataset.within);
  const check = () => {
    const given = field.value.trim() === "" ? NaN : Number(field.value.replace(",", "."));
    const right = Math.abs(given - answer) <= within * Math.abs(answer) + 1e-12;
    box.dataset.right = String(right);
    said.textContent = Number.isNaN(given) ? "Give a number, such as 2.5." : right ? "Right."
      : `Not yet: that is too ${given > answer ? "large" : "small"}.`;
  };
  row.hidden = false;
  row.querySelector("button").addEventListener("click", check);
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") check(); });
}
