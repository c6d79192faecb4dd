// Keys of the toolbar: each presses the button that a person would press, so that there is one way to edit.
// They act in the graph, in the table and on the page, never while typing: a field has an undo of its own. The table
// would swallow some of them, so they are heard before it. In a field, Enter presses the button of what is typed there;
// it is heard last, when the field has handed over what it holds.

const TYPES = 'input, textarea, select, [contenteditable="true"], [role="textbox"]';
const OWN = `${TYPES}, [role="dialog"], [role="listbox"], [role="combobox"], [role="menu"]`;
const LETTERS = { e: "edit", r: "relate", m: "merge", s: "split", p: "pin", n: "similar", Delete: "delete", Backspace: "delete" };
const PATIENCE = 3000;                                       // a selection made just now has to reach the server first
const S = (globalThis.__memcoreEdit ??= { off: null });

export default function () {
  S.off?.();
  const off = (S.off = listen());
  return () => { if (S.off === off) off(); };
}

function listen() {
  document.addEventListener("keydown", onKey, true);
  document.addEventListener("keydown", onEnter);
  return () => {
    document.removeEventListener("keydown", onKey, true);
    document.removeEventListener("keydown", onEnter);
  };
}

function onKey(event) {
  const name = event.ctrlKey || event.metaKey ? history(event) : event.altKey ? null : LETTERS[plainKey(event)];
  const path = event.composedPath().filter((e) => e instanceof Element);
  if (!name || event.repeat || path.some((e) => e.matches(OWN))) return;
  if (!document.querySelector(`.st-key-tool-${name} button`)) return;
  event.preventDefault();
  event.stopPropagation();
  press(name, Date.now() + PATIENCE);
}

function onEnter(event) {
  const field = event.target.closest?.("input[type=text]:not([role=combobox]), textarea");
  const ends = field?.matches("textarea") ? event.ctrlKey || event.metaKey : true;
  if (event.key !== "Enter" || event.isComposing || !field || !ends) return;
  field.closest("[class*='st-key-edit-enter-']")?.querySelector("button[kind=primary]:not(:disabled)")?.click();
}

function plainKey(event) {
  return event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key;
}

function history(event) {
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" ? "redo" : null;
}

// A button that is greyed out may become ready with the selection that is on its way; then it is pressed.
function press(name, until) {
  const button = document.querySelector(`.st-key-tool-${name} button`);
  const busy = !document.querySelector("[data-test-script-state='notRunning']");
  if (button && !button.disabled && !busy) return button.click();
  if (Date.now() < until && (busy || button?.disabled)) setTimeout(() => press(name, until), 60);
}
