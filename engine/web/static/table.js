// Live updates, clicks on boards, and digits for options. The page works without this script.
const table = () => document.getElementById("table");
const form = () => table().querySelector("form[data-play]:has(ol)");
let digits = "";
let busy = false;
let latest = table().dataset.revision;

// ------------------------------------------------------------ a new version of the page

function adopt(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("table");
  if (!fresh) {
    location.reload();
    return;
  }
  if (Number(fresh.dataset.revision) < Number(table().dataset.revision)) return;
  const focused = document.activeElement?.id;
  const typed = ["why", "look", "say"].map((id) => document.getElementById(id)?.value);
  const open = [...table().querySelectorAll("details")].map((details) => details.open);
  const lines = table().querySelector(".lines");
  const stick = !lines || lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 8;
  const top = lines?.scrollTop ?? 0;
  const language = page.documentElement.lang;
  table().replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  document.documentElement.lang = language;
  ["why", "look", "say"].forEach((id, n) => {
    const field = document.getElementById(id);
    if (typed[n] && field) field.value = typed[n];
  });
  const now = [...table().querySelectorAll("details")];
  if (now.length === open.length) now.forEach((details, n) => { details.open = open[n]; });
  scrollLog(stick ? Infinity : top);
  if (focused) (document.getElementById(focused) ?? document.getElementById("question"))?.focus({ preventScroll: true });
  digits = "";
}

function scrollLog(top) {
  const lines = table().querySelector(".lines");
  if (lines) lines.scrollTop = Math.min(top, lines.scrollHeight);
  const messages = table().querySelector(".messages");
  if (messages) messages.scrollTop = messages.scrollHeight;
}

async function refresh() {
  const answer = await fetch(table().dataset.base, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(30_000) });
  if (answer.status === 429 || answer.status >= 500) throw new Error(answer.statusText);
  if (!answer.ok) return;
  const text = await answer.text();
  if (!busy) adopt(text);                                          // a decision was sent while the page was read: its answer is newer
}

// Fetches the page if the server has announced a later one.
async function catchUp() {
  if (busy || Number(latest) <= Number(table().dataset.revision)) return;
  try {
    await refresh();
  } catch {
    retryLater();
  }
}

// ------------------------------------------------------------ decisions

async function send(sent, button) {
  if (busy) return;
  busy = true;
  table().setAttribute("aria-busy", "true");
  const fields = new URLSearchParams(new FormData(sent));
  if (button?.name) fields.set(button.name, button.value);
  try {
    const answer = await fetch(sent.action, { method: "POST", body: fields });
    if (answer.ok) {
      const text = await answer.text();
      const said = sent.querySelector("#say");
      if (said && !answer.url.includes("notice=")) said.value = "";
      adopt(text);
    } else location.reload();
  } catch {
    retryLater();
  } finally {
    busy = false;
    table().removeAttribute("aria-busy");
  }
  catchUp();
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-play]")) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

// A click on a place keeps the options with this place. The last one is chosen.
document.addEventListener("click", (event) => {
  const field = event.target.closest("input[data-select]");
  if (field) field.select();
  const link = event.target.closest("a.target");
  if (!link || !form()) return;
  event.preventDefault();
  pick(decodeURIComponent(link.getAttribute("href").slice(1)), link);
});

function pick(place, link) {
  const all = [...form().querySelectorAll("li[data-places]")];
  const narrowed = all.filter((item) => item.classList.contains("picked"));
  const holds = (item) => item.dataset.places.split(" ").includes(place);
  let found = (narrowed.length ? narrowed : all).filter(holds);
  if (!found.length) found = all.filter(holds);
  if (found.length === 1) {
    send(form(), found[0].querySelector("button"));
    return;
  }
  const again = link.classList.contains("picked") && found.length === narrowed.length;
  clear();
  if (again) return;
  found.forEach((item) => item.classList.add("picked"));
  form().classList.add("narrowed");
  link.classList.add("picked");
  const left = new Set(found.flatMap((item) => item.dataset.places.split(" ")));
  for (const other of table().querySelectorAll("a.target")) {
    other.classList.toggle("apart", !left.has(other.getAttribute("href").slice(1)));
  }
}

function clear() {
  form()?.classList.remove("narrowed");
  for (const one of table().querySelectorAll(".picked, .apart")) one.classList.remove("picked", "apart");
}

// Digits move the focus to an option. Enter chooses it, as any button. Escape shows all options again.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  if (event.key === "Escape") {
    digits = "";
    clear();
  } else if (/^[0-9]$/.test(event.key)) {
    const find = (number) => document.getElementById(`choose-${number}`);
    digits = find(digits + event.key) ? digits + event.key : event.key;
    find(digits)?.focus();
  }
});

// ------------------------------------------------------------ live updates

const RETRY_MILLISECONDS = 5000;
let retryTimer = null;
let stream = null;

function showLost(isLost) {
  const line = document.getElementById("lost");
  if (line) line.hidden = !isLost;
}

function listen() {
  stream?.close();
  stream = new EventSource(`${table().dataset.base}/events?revision=${table().dataset.revision}`);
  stream.addEventListener("changed", (event) => {
    latest = event.data;
    catchUp();
  });
  stream.addEventListener("error", retryLater);
}

// The browser does not open a stream again that the server refused, and it never repeats a page that failed to load.
function retryLater() {
  showLost(true);
  retryTimer ??= setTimeout(reconnect, RETRY_MILLISECONDS);
}

async function reconnect() {
  clearTimeout(retryTimer);
  retryTimer = null;
  if (stream && stream.readyState !== EventSource.OPEN) listen();
  try {
    await refresh();
    showLost(false);
  } catch {
    retryLater();
  }
}

window.addEventListener("online", reconnect);

// A phone stops the stream of a page that nobody sees.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !busy) reconnect();
});

scrollLog(Infinity);
if ("EventSource" in window) listen();
else setInterval(reconnect, RETRY_MILLISECONDS);
