"use strict";
// All is there without this. With it the dictionary can be searched, snippets be copied with whole addresses, and the
// points of a chart be told one by one.
const form = document.getElementById("search");
const words = document.getElementById("words");
const found = document.getElementById("found");
const sections = [...document.querySelectorAll("details.table")];
const entries = [...document.querySelectorAll(".entry")].map((entry) => {
  const name = entry.closest("details").querySelector("summary").textContent;
  return { entry, text: `${name} ${entry.textContent}`.toLowerCase() };
});

function search() {
  const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { entry, text } of entries) {
    entry.hidden = !asked.every((word) => text.includes(word));
  }
  for (const section of sections) {
    section.hidden = !section.querySelector(".entry:not([hidden])");
    section.open = asked.length > 0 && !section.hidden;
    section.querySelector(".facts").hidden = asked.length > 0;
  }
  const count = entries.filter(({ entry }) => !entry.hidden).length;
  found.textContent = asked.length ? `${count} of ${entries.length} columns` : "";
}

// A link to a table opens it.
function open() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.matches("details")) target.open = true;
}

form.addEventListener("submit", (event) => event.preventDefault());
words.addEventListener("input", search);
form.hidden = false;
if (words.value) search();
addEventListener("hashchange", open);
open();

// Whole addresses in what is to be copied: of a file its path, where no quote stands in it.
const isFile = location.protocol === "file:";
for (const place of document.querySelectorAll("[data-key]")) {
  const address = new URL(place.dataset.key, location.href);
  const whole = isFile ? decodeURIComponent(address.pathname) : address.href;
  if (!/['"\\]/.test(whole)) place.textContent = whole;
}
// From a file browsers load no explorer.
for (const link of isFile ? document.querySelectorAll("a[data-source]") : []) {
  link.href = link.dataset.source;
  link.rel = "noopener noreferrer nofollow";
}

async function copy(button) {
  const code = document.getElementById(button.dataset.copy);
  getSelection().selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  } catch {
    button.textContent = document.execCommand("copy") ? "Copied" : "Selected";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
}
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", () => copy(button));
}

// The points of a chart: pointed at, or with the arrow keys.
for (const area of document.querySelectorAll(".pointed")) {
  const readout = area.querySelector(".readout");
  const tell = (point) => {
    area.querySelector(".told")?.classList.remove("told");
    point?.classList.add("told");
    readout.textContent = point ? point.querySelector("title").textContent : "";
  };
  for (const chart of area.querySelectorAll(".chart")) {
    const points = [...chart.querySelectorAll(".point")];
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -points.length, End: points.length };
    chart.setAttribute("tabindex", "0");
    chart.addEventListener("pointerover", (event) => tell(event.target.closest(".point")));
    chart.addEventListener("pointerleave", () => tell(null));
    chart.addEventListener("focus", () => tell(points.at(-1)));
    chart.addEventListener("blur", () => tell(null));
    chart.addEventListener("keydown", (event) => {
      if (!(event.key in step)) return;
      event.preventDefault();
      const next = points.indexOf(chart.querySelector(".told")) + step[event.key];
      tell(points[Math.min(Math.max(next, 0), points.length - 1)]);
    });
  }
}
