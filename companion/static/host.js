// The host's page: a person is dragged to another place of the ring. The arrows do the same, step by step.
let dragged;
const rows = () => [...document.querySelectorAll("#order > li")];
on(document, "pointerdown", event => {
  const row = event.target.closest?.(".grip")?.closest("li");
  if (!row || event.button) return;
  event.preventDefault();
  event.target.setPointerCapture(event.pointerId);
  dragged = { row, from: event.clientY, place: rows().indexOf(row), middles: rows().map(one => one.getBoundingClientRect()) };
  row.classList.add("dragged");
});
on(document, "pointermove", event => {
  if (!dragged) return;
  const { row, from, middles } = dragged, start = rows().indexOf(row);
  row.style.transform = `translateY(${event.clientY - from}px)`;
  dragged.place = middles.filter((box, index) => index !== start && box.top + box.height / 2 < event.clientY).length;
  rows().forEach((one, index) => {
    one.classList.toggle("drop-before", one !== row && index === dragged.place + (dragged.place >= start));
    one.classList.toggle("drop-after", one !== row && dragged.place === middles.length - 1 && index === middles.length - 1);
  });
});
on(document, "pointerup pointercancel", event => {
  if (!dragged) return;
  const { row, place } = dragged, drop = row.querySelector(".drop");
  rows().forEach(one => one.classList.remove("dragged", "drop-before", "drop-after"));
  row.style.transform = "";
  if (event.type === "pointerup" && place !== rows().indexOf(row)) { drop.value = place + 1; drop.click(); }
  dragged = null;
});
