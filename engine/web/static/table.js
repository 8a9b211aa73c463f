// Live updates, clicks on boards, and digits for options. The page works without this script.
import { announceTurn, showAlerts } from "./notify.js";
import { showScripted } from "./page.js";
import { showUnread } from "./chat.js";

const table = () => document.getElementById("table");
const form = () => table().querySelector("form[data-play]:has(ol)");
const isAsked = () => table().classList.contains("asked");
const sequence = (page = table()) => page.querySelector(".options [name=sequence]")?.value;
let digits = "";
let busy = false;
let latest = table().dataset.revision;
const MAX_LISTED_OPTIONS = 4;                                      // on a small screen, of those that people can choose on the table
let expanded = "";                                                 // the question whose options the reader wants to see, all at once
let picked = [];                                                   // the places and cards that the options are narrowed to

// ------------------------------------------------------------ a new version of the page

// Everything that the reader has opened, typed, scrolled or picked on the page stays.
function adopt(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("table");
  if (!fresh) {
    location.reload();
    return;
  }
  if (Number(fresh.dataset.revision) < Number(table().dataset.revision)) return;
  const focused = document.activeElement?.id;
  const typed = [...table().querySelectorAll("input[id]")].filter((field) => field.value !== field.defaultValue);
  const kept = new Map([...table().querySelectorAll("[data-key]")].map((part) => [part.dataset.key, part]));
  const scrolled = new Map([...kept].map(([key, part]) => [key, [part.scrollLeft, part.scrollTop]]));
  const lines = table().querySelector(".lines");
  const stick = !lines || lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 8;
  const top = lines?.scrollTop ?? 0;
  const language = page.documentElement.lang;
  const sameQuestion = sequence() === sequence(fresh);
  const wasAsked = isAsked();
  table().replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  document.documentElement.lang = language;
  showScripted();
  showAlerts();
  if (isAsked() && !wasAsked) announceTurn(document.title, table().dataset.base);
  for (const old of typed) {
    const field = document.getElementById(old.id);
    if (field) field.value = old.value;
  }
  for (const part of table().querySelectorAll("[data-key]")) {
    const old = kept.get(part.dataset.key);
    if (!old) continue;
    if (part.matches("details")) part.open = old.open;
    [part.scrollLeft, part.scrollTop] = scrolled.get(part.dataset.key);
  }
  scrollLog(stick ? Infinity : top);
  showUnread();
  hideOptions();
  const again = sameQuestion ? picked : [];
  picked = [];
  for (const place of again) narrow(place);
  if (focused) {
    const field = document.getElementById(focused) ?? document.getElementById("question");
    const old = typed.find((one) => one.id === focused);
    field?.focus({ preventScroll: true });
    if (old && field?.setSelectionRange) field.setSelectionRange(old.selectionStart, old.selectionEnd);
  }
  digits = "";
}

function scrollLog(top) {
  const lines = table().querySelector(".lines");
  if (lines) lines.scrollTop = Math.min(top, lines.scrollHeight);
  const messages = table().querySelector(".messages");
  if (messages) messages.scrollTop = messages.scrollHeight;
}

// Returns an address of the table with the questions that the reader has asked, whose answers stay open.
function withQuestions(address) {
  const found = new URL(address, location.href);
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (["why", "look", "log"].includes(name)) found.searchParams.set(name, value);
  }
  return found.href;
}

async function refresh() {
  const answer = await fetch(withQuestions(table().dataset.base), { headers: { accept: "text/html" }, signal: AbortSignal.timeout(30_000) });
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
    let answer = await fetch(sent.action, { method: "POST", body: fields });
    if (answer.ok && withQuestions(answer.url) !== answer.url) answer = await fetch(withQuestions(answer.url));
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

// A click on a place or a card keeps the options with it. The last one is chosen, after a second tap if a finger may have missed.
document.addEventListener("click", (event) => {
  if (event.target.closest("button[data-all]")) showAllOptions();
  const link = event.target.closest("a.target");
  if (!link || !form()) return;
  event.preventDefault();
  const place = placeOf(link);
  const isAgain = picked.at(-1) === place;
  const found = isAgain ? form().querySelectorAll("li.picked").length : narrow(place);
  if (found === 1 && (isAgain || !needsSecondTap(link))) send(form(), form().querySelector("li.picked button"));
  else if (isAgain) clear();
});

// Whether a tap on this thing only shows its option at first: a card or name in a line of small ones.
const needsSecondTap = (link) => picked.length === 1 && link.closest(".line") && matchMedia("(pointer: coarse)").matches;

const placeOf = (link) => decodeURIComponent(link.getAttribute("href").slice(1));
const holds = (item, place) => item.dataset.places.split(" ").includes(place);

// Shows only the options with a place, of those that are shown already if possible. Returns their number.
function narrow(place) {
  const all = [...(form()?.querySelectorAll("li[data-places]") ?? [])];
  const narrowed = all.filter((item) => item.classList.contains("picked"));
  let found = narrowed.filter((item) => holds(item, place));
  if (!found.length) {
    picked = [];
    found = all.filter((item) => holds(item, place));
  }
  if (!found.length) return 0;
  picked.push(place);
  for (const one of table().querySelectorAll(".picked, .apart")) one.classList.remove("picked", "apart");
  found.forEach((item) => item.classList.add("picked"));
  form().classList.add("narrowed");
  const left = new Set(found.flatMap((item) => item.dataset.places.split(" ")));
  for (const link of table().querySelectorAll("a.target")) {
    link.classList.toggle("picked", placeOf(link) === place);
    link.classList.toggle("apart", !left.has(placeOf(link)));
  }
  return found.length;
}

// On a small screen, many options that people choose on the table are hidden until they are wanted.
function hideOptions() {
  form()?.classList.add("scripted");
  form()?.classList.toggle("brief", form().matches(".on-board") && form().querySelectorAll("li").length > MAX_LISTED_OPTIONS && expanded !== sequence());
  markFurther();
}

// Marks the section of the question if it continues below its edge.
function markFurther() {
  const section = document.getElementById("question");
  section.classList.toggle("further", section.scrollTop + section.clientHeight < section.scrollHeight - 16);
  section.onscroll = markFurther;
}

function showAllOptions() {
  expanded = sequence();
  hideOptions();
  clear();
}

function clear() {
  picked = [];
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
    if (find(digits)) showAllOptions();
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

window.addEventListener("resize", markFurther);
document.addEventListener("toggle", markFurther, true);

scrollLog(Infinity);
showUnread();
hideOptions();
if ("EventSource" in window) listen();
else setInterval(reconnect, RETRY_MILLISECONDS);
