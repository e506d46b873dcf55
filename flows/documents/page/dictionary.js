"use strict";
// All is there without this. With it the dictionary can be searched.
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
