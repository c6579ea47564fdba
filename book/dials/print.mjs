// On paper the folded solutions are open and a dial says how it is set.

let opened = [];

addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("article details:not([open])")];
  for (const each of opened) each.open = true;
  for (const stage of document.querySelectorAll(".dial-stage")) {
    const state = [...stage.querySelectorAll(".dial-control:not(.dial-text)")].map((control) => {
      const field = control.querySelector("input[type=number], select");
      const value = field?.selectedOptions ? field.selectedOptions[0]?.textContent : field?.value;
      return `${control.querySelector("label").textContent} ${value ?? ""} ${control.querySelector(".dial-unit")?.textContent ?? ""}`.trim();
    });
    if (!state.length) continue;
    const said = document.createElement("p");
    said.className = "dial-state";
    said.textContent = `Set to: ${state.join(", ")}.`;
    stage.prepend(said);
  }
});

addEventListener("afterprint", () => {
  for (const each of opened) each.open = false;
  for (const said of document.querySelectorAll(".dial-state")) said.remove();
});
