// All is there without this. With it snippets can be copied with whole addresses.
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
