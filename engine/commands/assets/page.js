"use strict";
// Shows the table as it was after the step that somebody points at. What the page knows: `parts` (pieces of SVG, each once), `panels`
// (which parts, told by what they share with an earlier panel) and `steps` (which panels).
(() => {
  const $ = (id) => document.getElementById(id);
  const game = JSON.parse($("game").textContent);
  const final = game.steps.length - 1;
  const panels = [];
  for (const [title, height, base, front, back, between] of game.panels) {
    const old = base < 0 ? [] : panels[base].parts;
    panels.push({ title, height, parts: [...old.slice(0, front), ...between, ...old.slice(old.length - back)] });
  }
  const lines = [];                                    // by step, the line of the story that tells it, or the last one before
  for (const item of document.querySelectorAll("#story li[value]")) lines[item.value] = item;
  for (let n = 1; n <= final; n++) lines[n] ??= lines[n - 1];
  let now = -1;
  let timer = null;

  function quoted(text) {
    return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  }

  function picture(panel, before) {
    const wide = game.wides[panel.title];
    let drawn = "";
    let edges = "";
    for (const number of panel.parts) {
      const part = game.parts[number];
      if (before === null || before.has(number)) {
        drawn += part;
        continue;
      }
      drawn += `<g class="fresh">${part}</g>`;
      const points = /<polygon [^>]*points="([^"]*)"/.exec(part);
      if (points) edges += `<polygon class="fresh-edge" points="${points[1]}"/>`;
    }
    const label = quoted(game.titles[panel.title] || document.title);
    return `<figure class="panel"><svg class="table" role="group" aria-label="${label}" viewBox="0 0 ${wide} ${panel.height}" ` +
      `width="${wide}" style="--wide:${wide}px">${drawn}${edges}</svg></figure>`;
  }

  function reveal(item) {                              // without moving the page itself
    const story = $("story");
    const round = item.closest("details");
    if (round) round.open = true;
    const box = story.getBoundingClientRect();
    const own = item.getBoundingClientRect();
    if (own.top < box.top + 48 || own.bottom > box.bottom - 24) story.scrollTop += own.top - box.top - box.height / 3;
  }

  function go(step) {
    const next = Math.max(0, Math.min(final, step));
    if (next === now) return;
    now = next;
    const before = now ? new Set(game.steps[now - 1].flatMap((n) => panels[n].parts)) : null;
    $("tables").innerHTML = game.steps[now].map((n) => picture(panels[n], before)).join("");
    for (const item of document.querySelectorAll("#story li.now")) {
      item.classList.remove("now");
      item.querySelector("a")?.removeAttribute("aria-current");
    }
    const line = lines[now];
    if (line) {
      line.classList.add("now");
      line.querySelector("a")?.setAttribute("aria-current", "step");
      reveal(line);
    }
    if (now === final) $("story").scrollTop = $("story").scrollHeight;
    $("slider").value = now;
    $("slider").setAttribute("aria-valuetext", `${now} / ${final}: ${line ? line.textContent : ""}`);
    $("where").textContent = `${now} / ${final}`;
    $("first").disabled = $("previous").disabled = now === 0;
    $("next").disabled = $("last").disabled = now === final;
    history.replaceState(null, "", `#${now}`);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    $("play").textContent = $("play").dataset.play;
  }

  function play() {
    if (timer !== null) return stop();
    if (now === final) go(0);
    $("play").textContent = $("play").dataset.pause;
    timer = setInterval(() => (now < final ? go(now + 1) : stop()), 1000);
  }

  function by(hand) {                                  // whoever takes a step by hand wants to look at it
    stop();
    go(hand);
  }

  $("first").onclick = () => by(0);
  $("previous").onclick = () => by(now - 1);
  $("next").onclick = () => by(now + 1);
  $("last").onclick = () => by(final);
  $("play").onclick = play;
  $("slider").oninput = () => by(Number($("slider").value));
  $("story").onclick = (event) => {
    const item = event.target.closest("li[value]");
    if (!item || String(getSelection())) return;
    event.preventDefault();
    by(item.value);
  };
  const keys = { ArrowLeft: () => by(now - 1), ArrowRight: () => by(now + 1), Home: () => by(0), End: () => by(final), " ": play };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(event.key in keys)) return;
    if (event.target.closest("input") || (event.key === " " && event.target.closest("button, summary, a"))) return;
    event.preventDefault();
    keys[event.key]();
  });
  window.onhashchange = () => by(Number(location.hash.replace(/\D/g, "")));
  $("controls").hidden = false;
  go(Number(location.hash.replace(/\D/g, "")));
})();
