"use strict";
// The overview can be sorted, searched and filtered; the runs beneath it and the CSV follow. Without script all is shown.
(() => {
  const table = document.querySelector(".overview");
  if (!table || table.tBodies[0].rows.length < 2) return;
  const body = table.tBodies[0], csv = document.getElementById("csv");
  const find = document.getElementById("find"), kind = document.getElementById("kind");
  const comma = csv.href.indexOf(",") + 1;
  const [head, ...lines] = decodeURIComponent(csv.href.slice(comma)).split("\r\n");
  const rows = [...body.rows].map((row, place) => ({
    row, line: lines[place], text: row.innerText.toLowerCase(), kinds: row.dataset.is.split(" "),
    run: document.getElementById(row.cells[0].firstElementChild.hash.slice(1)),
  }));

  const show = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const each of rows) {
      const fits = words.every((word) => each.text.includes(word)) && (!kind.value || each.kinds.includes(kind.value));
      each.row.hidden = each.run.hidden = !fits;
    }
    const shown = rows.filter((each) => !each.row.hidden);
    csv.href = csv.href.slice(0, comma) + encodeURIComponent([head, ...shown.map((each) => each.line), ""].join("\r\n"));
    document.getElementById("count").textContent = `${shown.length} of ${rows.length} runs`;
  };
  find.addEventListener("input", show);
  kind.addEventListener("change", show);
  find.form.addEventListener("submit", (event) => event.preventDefault());
  find.form.addEventListener("reset", () => setTimeout(show));

  // What is missing stays last in either order.
  const value = ({ row }, place) => {
    const cell = row.cells[place];
    if (cell.dataset.n) return Number(cell.dataset.n);
    return cell.classList.contains("size") || !cell.textContent ? null : cell.textContent;
  };
  const compare = (one, other) =>
    typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
  [...table.tHead.rows[0].cells].forEach((cell, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(cell.firstChild);
    cell.prepend(button);
    button.addEventListener("click", () => {
      const first = cell.classList.contains("size") ? "descending" : "ascending";
      const way = !cell.ariaSort ? first : cell.ariaSort === "ascending" ? "descending" : "ascending";
      for (const other of cell.parentElement.cells) other.ariaSort = null;
      cell.ariaSort = way;
      rows.sort((left, right) => {
        const [one, other] = [value(left, place), value(right, place)];
        if (one === null || other === null) return (one === null) - (other === null);
        return compare(one, other) * (way === "ascending" ? 1 : -1);
      });
      body.append(...rows.map((each) => each.row));
      show();
    });
  });

  // A link to a run that is filtered out shows all again.
  addEventListener("hashchange", () => {
    if (rows.some((each) => each.run.hidden && each.run.contains(document.querySelector(location.hash || "none")))) find.form.reset();
  });
  find.form.hidden = false;
  show();
})();
