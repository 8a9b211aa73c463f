// A link at the top of the table to a message that the reader has not seen.
const KEY = "chat ";

const last = () => [...document.querySelectorAll(".messages p")].at(-1);
const state = () => `${document.querySelectorAll(".messages p").length} ${last()?.textContent}`;
const key = () => KEY + document.getElementById("table").dataset.base;
let seen = null;
let watcher = null;

function readSeen() {
  try {
    return sessionStorage.getItem(key()) ?? seen;
  } catch {                                                        // the browser keeps nothing
    return seen;
  }
}

function markSeen() {
  seen = state();
  try {
    sessionStorage.setItem(key(), seen);
  } catch { /* it lasts as long as the page */ }
  showLink(false);
}

function showLink(isUnread) {
  const link = document.querySelector(".unread");
  if (link) link.hidden = !isUnread;
}

// Shows the link until the last message is in view. Each new version of the page has the chat again.
export function showUnread() {
  watcher?.disconnect();
  if (!document.querySelector(".unread")) return;
  if (last().matches(".own")) markSeen();
  showLink(readSeen() !== state());
  watcher = new IntersectionObserver((found) => {
    if (!document.hidden && found.some((one) => one.isIntersecting)) markSeen();
  }, { rootMargin: "0px 0px -45% 0px" });
  watcher.observe(last());
}
