// Arrow keys, Home and End go from step to step, and the page keeps its place. The links work without this script.
const STEPS = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" };
let busy = false;

async function show(address) {
  if (busy) return;
  busy = true;
  try {
    const answer = await fetch(address, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("table");
    if (!answer.ok || !fresh) throw new Error(answer.statusText);
    const focused = document.activeElement?.dataset?.step;
    const open = new Set([...document.querySelectorAll("details[open]")].map((part) => part.dataset.key));
    document.getElementById("table").replaceWith(document.adoptNode(fresh));
    for (const part of document.querySelectorAll("details")) part.open = open.has(part.dataset.key);
    history.replaceState(null, "", address);
    if (focused) document.querySelector(`[data-step=${focused}]`)?.focus({ preventScroll: true });
  } catch {
    location.assign(address);
  } finally {
    busy = false;
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link.href);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  const link = STEPS[event.key] && document.querySelector(`a[data-step=${STEPS[event.key]}]`);
  if (!link) return;
  event.preventDefault();
  show(link.href);
});
