// What stands around the graph: legend that filters, tools, counts, help. Built with textContent only.

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = { dot: "M8 3a5 5 0 1 0 .01 0z", square: "M3.5 3.5h9v9h-9z", diamond: "M8 2l6 6-6 6-6-6z",
  triangle: "M8 2.5l6 11H2z", hexagon: "M4.8 2.8h6.4L14.4 8l-3.2 5.2H4.8L1.6 8z",
  star: "M8 1.5l1.9 4.2 4.6.5-3.4 3.1 1 4.5L8 11.5l-4.1 2.3 1-4.5L1.5 6.2l4.6-.5z" };
const CROSS = "M5 5l6 6M5 11l6-6";
const KEYS = [["F", "fit everything"], ["+  −", "zoom"], ["← ↑ → ↓", "walk to a neighbour"], ["Enter", "open"],
  ["Esc", "close, clear selection"], ["/", "search box"], ["Enter, Shift Enter", "in the search box: next, previous match"], ["Ctrl or Shift click", "select several"],
  ["Shift drag", "select an area"], ["Space", "keep selected while walking on"], ["?", "this help"]];
const EDIT_KEYS = [["C, or hold Alt", "drag from a cue to a memory: a relation"], ["E", "edit"], ["R", "relate the selected cue and memory"],
  ["M  S", "merge, split"], ["P  N", "pin, find similar"], ["Delete", "delete"], ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"]];

function make(tag, attributes = {}, text = "") {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text) element.textContent = text;
  return element;
}

function icon(path, { fill = "none", stroke = "currentColor" } = {}) {
  const svg = document.createElementNS(SVG, "svg"), line = document.createElementNS(SVG, "path");
  for (const [k, v] of Object.entries({ width: 14, height: 14, viewBox: "0 0 16 16", "aria-hidden": "true" })) svg.setAttribute(k, v);
  for (const [k, v] of Object.entries({ d: path, fill, stroke, "stroke-width": 1.5 })) line.setAttribute(k, v);
  svg.append(line);
  return svg;
}

function button(label, content, act) {
  const element = make("button", { type: "button", title: label, "aria-label": label });
  element.append(content);
  element.addEventListener("click", act);
  return element;
}

function buildChrome(s) {
  const bar = make("div", { class: "mc-bar" });
  s.legend = make("div", { class: "mc-legend", role: "group", "aria-label": "Kinds shown" });
  bar.append(s.legend, buildTools(s));
  s.stage = make("div", { class: "mc-stage" });
  s.stage.style.height = `${s.height}px`;
  s.netElement = make("div", { class: "mc-net" });
  s.help = make("div", { class: "mc-help", role: "dialog", "aria-label": "Keys" });
  for (const [keys, says] of [...KEYS, ...(s.connects ? EDIT_KEYS : [])]) s.help.append(make("kbd", {}, keys), make("span", {}, says));
  s.said = make("div", { class: "mc-said", role: "status" });
  s.stage.append(s.netElement, s.help, s.said);
  s.counts = make("div", { class: "mc-counts" });
  s.live = make("div", { class: "mc-live", "aria-live": "polite" });
  s.root.replaceChildren(bar, s.stage, s.counts, s.live);
}

function buildTools(s) {
  const tools = make("div", { class: "mc-tools" }), group = make("span", { class: "mc-group" });
  s.labelButtons = ["key", "all", "off"].map((mode) => button(`Labels: ${mode}`, mode[0].toUpperCase() + mode.slice(1),
    () => { s.labels = mode; s.order = null; paintLabelButtons(s); s.net.redraw(); }));
  group.append(make("span", { class: "mc-word", style: "align-self:center" }, "Labels"), ...s.labelButtons);
  if (s.connects) {
    s.connectButton = button("Connect a cue with a memory (C)", icon("M4 12a2 2 0 1 0 .01 0zM12 4a2 2 0 1 0 .01 0zM5.4 10.6l5.2-5.2"), () => connect(s));
    s.connectButton.append(make("span", {}, "Connect"));
    s.connectButton.setAttribute("aria-pressed", "false");
    tools.append(s.connectButton);
  }
  tools.append(group, button("Zoom out (-)", icon("M3 8h10"), () => zoom(s, 1 / 1.3)),
    button("Zoom in (+)", icon("M3 8h10M8 3v10"), () => zoom(s, 1.3)),
    button("Fit everything (F)", icon("M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4M6 6h4v4H6z"), () => fit(s)),
    button("Full screen", icon("M9 7l5-5M10 2h4v4M7 9l-5 5M6 14H2v-4"), () => fullScreen(s)),
    button("Keys (?)", "?", () => toggleHelp(s)));
  paintLabelButtons(s);
  return tools;
}

function paintLabelButtons(s) {
  s.labelButtons.forEach((b, i) => b.setAttribute("aria-pressed", String(s.labels === ["key", "all", "off"][i])));
}

function paintLegend(s) {
  const counts = new Map();
  for (const node of s.rawNodes.values()) counts.set(node.kind, (counts.get(node.kind) ?? 0) + 1);
  const key = JSON.stringify([[...counts], [...counts.keys()].filter((kind) => crossed(s, kind)), [...s.hidden], s.theme.dark]);
  if (key === s.legendKey) return;
  s.legendKey = key;
  const had = s.root.getRootNode().activeElement?.dataset?.kind;
  s.legend.replaceChildren(...Object.keys(s.kinds).filter((kind) => counts.has(kind)).map((kind) => legendEntry(s, kind, counts.get(kind))));
  if (had) s.legend.querySelector(`[data-kind="${had}"]`)?.focus();
}

// Whether all of a kind are crossed out in the picture: then the legend shows them so.
function crossed(s, kind) {
  return [...s.rawNodes.values()].every((node) => node.kind !== kind || marksOf(s, node, s.nodeMarks).has("rolled_back"));
}

function legendEntry(s, kind, count) {
  const look = s.kinds[kind], [fill, stroke] = s.theme.dark ? look.dark : look.light;
  const drawn = crossed(s, kind) ? icon(SHAPES[look.shape] + CROSS) : icon(SHAPES[look.shape], { fill, stroke });
  const entry = button(`${look.name}: ${look.says}. Click to dim.`, drawn, () => toggleKind(s, kind));
  entry.dataset.kind = kind;
  entry.setAttribute("aria-pressed", String(!s.hidden.has(kind)));
  entry.append(make("span", {}, look.name), make("span", { class: "mc-number" }, count.toLocaleString("en")));
  return entry;
}

function paintCounts(s) {
  const shown = s.rawNodes.size, word = (n, one) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;
  const dimmed = [...s.rawNodes.values()].filter((n) => isDim(s, n)).length;
  const parts = [s.total > shown ? `Showing ${shown.toLocaleString("en")} of ${word(s.total, "node")}` : `Showing all ${word(shown, "node")}`,
    word(s.rawEdges.size, "connection")];
  if (dimmed) parts.push(`${dimmed.toLocaleString("en")} dimmed`);
  if (s.selected.size > 1) parts.push(`${s.selected.size.toLocaleString("en")} selected`);
  s.counts.textContent = parts.join(" · ");
}

function toggleKind(s, kind) {
  s.hidden.has(kind) ? s.hidden.delete(kind) : s.hidden.add(kind);
  restyle(s);
  s.component.setStateValue("hidden_kinds", [...s.hidden]);
}

function toggleHelp(s, open = !s.help.hasAttribute("data-open")) {
  s.help.toggleAttribute("data-open", open);
}

function say(s, text) {
  s.said.textContent = text;
  s.said.toggleAttribute("data-open", Boolean(text));
}

function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function zoom(s, factor) {
  s.net.moveTo({ scale: Math.min(Math.max(s.net.getScale() * factor, 0.05), 4), animation: false });
  remember(s);
}

// Everything into view, with room for the labels at both sides and the captions above.
function fit(s) {
  const places = Object.entries(s.net.getPositions([...s.rawNodes.keys()])).filter(([id]) => !s.net.body.nodes[id].options.hidden);
  const width = s.stage.clientWidth, height = s.stage.clientHeight;
  if (!places.length || !width) return;
  const xs = places.map(([, p]) => p.x), ys = places.map(([, p]) => p.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const before = reach(s, places, left, "left"), after = reach(s, places, right, "right");
  const scale = Math.min((width - before - after) / Math.max(right - left, 1), (height - 90) / Math.max(bottom - top, 1), 1.2);
  const x = (left + right) / 2 + (after - before) / 2 / scale;
  s.net.moveTo({ position: { x, y: (top + bottom) / 2 - 12 / scale }, scale, animation: false });
  remember(s);
}

// How many pixels the labels of the outermost nodes, at this edge, reach beyond it.
function reach(s, places, edge, to) {
  const ctx = document.createElement("canvas").getContext("2d");
  ctx.font = `12px ${s.theme.font}`;
  const wide = places.filter(([, p]) => Math.abs(p.x - edge) < 30).map(([id]) => s.rawNodes.get(id)).map((node) => {
    const width = node.label ? ctx.measureText(node.label).width : 0, beside = ["left", "right"].includes(node.side);
    return beside ? (node.side === to ? width + 24 : 0) : width / 2 + 12;
  });
  return Math.min(Math.max(40, ...wide), s.stage.clientWidth * 0.3);
}

function fullScreen(s) {
  if (document.fullscreenElement) document.exitFullscreen();
  else s.root.requestFullscreen?.().catch(() => say(s, ""));
}
