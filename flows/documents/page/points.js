"use strict";
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
