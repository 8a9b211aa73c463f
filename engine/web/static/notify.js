// Notifications and a sound when it becomes the reader's turn. Both are off until the reader turns them on.
const canNotify = "Notification" in window && window.isSecureContext;
const SOUND_HERTZ = 660;
const SOUND_SECONDS = 0.25;

function isOn(name) {
  try {
    return localStorage.getItem(name) === "on";
  } catch {                                                        // the browser keeps nothing
    return false;
  }
}

function turn(name, on) {
  try {
    localStorage.setItem(name, on ? "on" : "off");
  } catch { /* it lasts as long as the page */ }
}

const mayNotify = () => canNotify && isOn("notify") && Notification.permission === "granted";

// Shows what is on. Each new version of the page has these parts again.
export function showAlerts() {
  const button = document.getElementById("notify");
  if (!button) return;
  button.hidden = !canNotify;
  button.setAttribute("aria-pressed", String(mayNotify()));
  document.getElementById("sound").checked = isOn("sound");
  document.getElementById("blocked").hidden = !(canNotify && Notification.permission === "denied");
}

function beep() {
  const audio = new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = SOUND_HERTZ;
  volume.gain.setValueAtTime(0.15, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + SOUND_SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + SOUND_SECONDS);
  tone.onended = () => audio.close();
}

// Says that it is the reader's turn. `text` is the title of the page, which contains nothing secret.
export function announceTurn(text, tag) {
  if (isOn("sound")) beep();
  if (!document.hidden || !mayNotify()) return;
  try {
    const shown = new Notification(text, { tag, icon: "/static/icon.svg" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch { /* phones allow this to installed apps only */ }
}

document.addEventListener("click", async (event) => {
  if (event.target.closest("#notify")) {
    const on = !mayNotify();
    if (on) await Notification.requestPermission();
    turn("notify", on);
    showAlerts();
  }
});

document.addEventListener("change", (event) => {
  if (event.target.id !== "sound") return;
  turn("sound", event.target.checked);
  if (event.target.checked) beep();
});

showAlerts();
