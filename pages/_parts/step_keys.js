// Arrow keys take a step, Space plays and holds; while playing, the next step is taken when the one shown is over.
// The buttons are pressed for the person, so that there is one way to step and the server keeps no clock.
// Not while typing, and not where a key has a meaning already (graph, slider, tabs, tables, buttons for Space).
// In: {playing, step, every}, `every` in milliseconds.

const OWN = 'input, textarea, select, [contenteditable="true"], .mc, [role="slider"], [role="tab"], [role="grid"], '
  + '[role="listbox"], [role="combobox"], [role="menu"]';
const PRESSES = { ArrowLeft: "prev", ArrowRight: "next", " ": "play" };
const PATIENCE = 3000;                                       // so long a press that shows no effect is waited for
const LONGEST = 20;
const S = (globalThis.__memcoreSteps ??= { timer: 0, off: null, waiting: [], since: 0 });

export default function ({ data }) {
  clearInterval(S.timer);
  S.off?.();
  const off = (S.off = listen());
  if (data.playing) S.timer = setInterval(() => { if (!S.waiting.length) ask("next"); }, data.every);
  S.since = 0;                                               // what was pressed is shown: now the next one
  flush();
  return () => { if (S.off === off) { clearInterval(S.timer); off(); } };
}

// One press at a time: the server takes two that come together for one.
function ask(name) {
  if (S.waiting.length < LONGEST) S.waiting.push(name);
  flush();
}

function flush() {
  if (!S.waiting.length || Date.now() - S.since < PATIENCE) return;
  if (!press(S.waiting.shift())) return flush();
  S.since = Date.now();
  setTimeout(flush, PATIENCE + 50);
}

function listen() {
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function onKey(event) {
  const name = PRESSES[event.key], path = event.composedPath().filter((e) => e instanceof Element);
  if (!name || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (path.some((e) => e.matches(OWN)) || (event.key === " " && path.some((e) => e.matches("button, a, summary")))) return;
  if (!document.querySelector(`.st-key-${name} button`)) return;
  event.preventDefault();
  if (!event.repeat || !S.waiting.length) ask(name);
}

function press(name) {
  const button = document.querySelector(`.st-key-${name} button`);
  if (!button || button.disabled) return false;
  button.click();
  return true;
}
