"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // A number that is linked to unfolds, with all that it stands in.
  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target && target.tabIndex < 0) target.focus({ preventScroll: true });
  };
  addEventListener("hashchange", unfold);
  unfold();

  // Paper cannot be unfolded.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details:not([open])");
    closed.forEach((each) => { each.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((each) => { each.open = false; }));

  for (const diagram of all("details.diagram")) {
    diagram.addEventListener("toggle", () => {
      const tools = diagram.querySelector(".tools");
      if (!diagram.open || !tools.hidden) return;
      const picture = diagram.querySelector(".drawn > svg");
      const zoom = Panzoom(picture, { canvas: true, maxScale: 8, minScale: 0.5, step: 0.4, touchAction: "pan-y" });
      // A finger scrolls the page past a diagram, until it is zoomed.
      const held = ({ detail }) => zoom.setOptions({ touchAction: detail.scale > 1 ? "none" : "pan-y" });
      for (const name of ["panzoomzoom", "panzoomreset"]) picture.addEventListener(name, held);
      const act = { in: () => zoom.zoomIn(), out: () => zoom.zoomOut(), reset: () => zoom.reset() };
      for (const button of all("button", tools)) button.addEventListener("click", () => act[button.dataset.zoom]());
      diagram.addEventListener("dragstart", (event) => event.preventDefault());
      tools.hidden = false;
    });
  }
})();
