// Other versions of the handbook, where it is published beside them; the same page if they have it.

const box = document.querySelector(".versions");
const site = new URL("../../", import.meta.url);

try {
  const names = await (await fetch(new URL("versions.json", site))).json();
  const mine = new URL("../", import.meta.url).pathname.split("/").at(-2);
  const select = document.createElement("select");
  select.setAttribute("aria-label", "Version of the handbook");
  for (const name of names) select.append(new Option(name, name, name === mine, name === mine));
  select.addEventListener("change", async () => {
    const page = location.href.slice(new URL("../", import.meta.url).href.length);
    const same = new URL(`${select.value}/${page}`, site);
    const there = await fetch(same, { method: "HEAD" });
    location.href = there.ok ? same : new URL(`${select.value}/index.html`, site);
  });
  box.append(select);
} catch {
  box.remove(); // not published beside others
}
