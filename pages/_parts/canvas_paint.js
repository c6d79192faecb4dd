// How nodes, edges and labels are drawn. Colours of kinds come with the data (memcore/view/kinds.py);
// text, background and accent come from the page's theme, read again when the theme changes.

const NODE_KEYS = { id: "string", label: "string", title: "string", kind: "string", x: "number", y: "number",
  rank: "number", size: "number", side: "string", ring: "number", marks: "object" };
const EDGE_KEYS = { id: "string", from: "string", to: "string", kind: "string", title: "string", marks: "object" };
const MARKS = new Set(["path", "evidence", "ghost", "dim", "new", "later", "edited", "withheld", "rolled_back"]);
const NONE = new Set();

// The white list: nothing else of an item reaches vis-network (no image, no link, no option).
function listed(item, keys) {
  const out = {};
  for (const [key, type] of Object.entries(keys)) {
    const value = item[key];
    if (typeof value === type && value !== null && (type !== "number" || Number.isFinite(value))) out[key] = value;
  }
  out.marks = Array.isArray(out.marks) ? out.marks.filter((mark) => MARKS.has(mark)) : [];
  return out;
}

function textNode(text) {
  const element = document.createElement("div");
  element.textContent = text;
  return element;
}

function hexToRgb(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour || "#888";
  const hex = probe.fillStyle.startsWith("#") ? probe.fillStyle : "#888888";
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

function faded(colour, alpha) {
  if (alpha >= 1) return colour;
  const key = colour + alpha;
  if (!faded.known.has(key)) faded.known.set(key, `rgba(${hexToRgb(colour).join(",")},${alpha})`);
  return faded.known.get(key);
}
faded.known = new Map();

function readTheme(root) {
  const style = getComputedStyle(root);
  const read = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  const back = read("--st-background-color", "#ffffff");
  const [r, g, b] = hexToRgb(back);
  return { back, text: read("--st-text-color", "#1d2129"), accent: read("--st-primary-color", "#4f46c8"),
    border: read("--st-border-color", "#dcdfe5"), font: style.fontFamily || "sans-serif",
    dark: 0.2126 * r + 0.7152 * g + 0.0722 * b < 128 };
}

function marksOf(s, item, overlay) {
  const laid = overlay.get(item.id) ?? (s.rest ? s.restMarks : NONE);
  if (!item.marks.length) return laid;
  return laid.size ? new Set([...item.marks, ...laid]) : new Set(item.marks);
}

function sizeOf(s, node) {
  const marks = marksOf(s, node, s.nodeMarks), size = Math.min(Math.max(node.size ?? 11, 4), 40);
  return marks.has("path") || marks.has("evidence") ? size * 1.4 : size;
}

function isDim(s, node) {
  return s.hidden.has(node.kind) || marksOf(s, node, s.nodeMarks).has("dim");
}

function nodeStyle(s, node) {
  const marks = marksOf(s, node, s.nodeMarks), look = s.kinds[node.kind] ?? s.kinds.turn, t = s.theme;
  const [fill, line] = t.dark ? look.dark : look.light;
  const alpha = isDim(s, node) ? 0.14 : marks.has("ghost") || marks.has("rolled_back") ? 0.4 : 1;
  const hollow = marks.has("ghost") || marks.has("withheld") || marks.has("rolled_back");
  const grey = marks.has("rolled_back") || marks.has("withheld") ? t.text : null;
  const border = faded(marks.has("path") ? t.accent : grey ?? (hollow ? fill : line), alpha);
  const background = hollow ? t.back : faded(fill, alpha);
  return { shape: look.shape, size: sizeOf(s, node), hidden: marks.has("later"), borderWidth: marks.has("path") ? 2.5 : 1.5,
    borderWidthSelected: 4, shapeProperties: { borderDashes: marks.has("rolled_back") ? [4, 3] : false },
    color: { background, border, highlight: { background, border: t.accent }, hover: { background, border: t.text } } };
}

function edgeStyle(s, edge) {
  const marks = marksOf(s, edge, s.edgeMarks), look = s.edgeKinds[edge.kind] ?? s.edgeKinds.cue_tag, t = s.theme;
  const ends = [s.rawNodes.get(edge.from), s.rawNodes.get(edge.to)].filter(Boolean);
  const later = marks.has("later") || ends.some((n) => marksOf(s, n, s.nodeMarks).has("later"));
  const weak = ends.some((n) => marksOf(s, n, s.nodeMarks).has("ghost"));
  const path = marks.has("path");
  const alpha = ends.some((n) => isDim(s, n)) || (marks.has("dim") && !path) ? 0.15 : marks.has("ghost") || weak ? 0.4 : 1;
  const colour = faded(path ? t.accent : t.dark ? look.dark : look.light, alpha);
  return { hidden: later, width: path ? 2.5 : 1, dashes: look.dashed || marks.has("ghost") ? [5, 4] : false,
    color: { color: colour, highlight: t.accent, hover: faded(t.text, 0.6), inherit: false } };
}

// Labels are drawn like those of a map: constant size on the screen, the most important first, none over another.
function drawLabels(ctx, s) {
  if (s.net === undefined) return;
  const scale = s.net.getScale(), box = s.stage.getBoundingClientRect();
  const from = s.net.DOMtoCanvas({ x: -40, y: -20 }), to = s.net.DOMtoCanvas({ x: box.width + 40, y: box.height + 20 });
  const view = { x: from.x * scale + 40, y: from.y * scale + 20, w: box.width, h: box.height };
  const taken = s.labels === "key" ? nodeBoxes(s, scale) : [];
  let room = s.labels === "all" ? Infinity : s.labels === "off" ? 0 : s.keyLabels;
  ctx.save();
  ctx.lineJoin = "round";
  ctx.textBaseline = "middle";
  for (const node of labelOrder(s)) {
    const hot = node.id === s.hovered || s.selected.has(node.id);
    if (room <= 0 && !hot) { if (s.labels !== "off") break; continue; }
    const body = s.net.body.nodes[node.id];
    if (!body || body.options.hidden || body.x < from.x || body.x > to.x || body.y < from.y || body.y > to.y) continue;
    if (drawLabel(ctx, s, { node, body, scale, taken, hot, view })) room--;
  }
  ctx.restore();
}

function nodeBoxes(s, scale) {
  const bodies = [...s.rawNodes.values()].filter((n) => !isDim(s, n)).map((n) => s.net.body.nodes[n.id]);
  const nodes = bodies.filter((b) => b && !b.options.hidden).map((b) => {
    const r = b.options.size * scale;
    return { owner: b.id, x: b.x * scale - r, y: b.y * scale - r, w: 2 * r, h: 2 * r };
  });
  const captions = s.areas.map((a) => ({ owner: null, x: (a.x + a.width / 2) * scale - 40, y: a.y * scale - 20, w: 80, h: 18 }));
  return [...nodes, ...captions];
}

function labelOrder(s) {
  if (s.order) return s.order;
  const weight = (node) => {
    const marks = marksOf(s, node, s.nodeMarks);
    return (node.id === s.hovered ? 1e9 : 0) + (s.selected.has(node.id) ? 1e8 : 0) + (marks.has("evidence") ? 1e7 : 0)
      + (marks.has("path") ? 1e6 : 0) + (marks.has("new") ? 3e7 : 0) + (node.rank ?? 0);
  };
  const pruned = (n) => s.labels === "key" && n.id !== s.hovered && !s.selected.has(n.id) && marksOf(s, n, s.nodeMarks).has("ghost");
  const shown = [...s.rawNodes.values()].filter((n) => n.label && !isDim(s, n) && !pruned(n));
  const weights = new Map(shown.map((n) => [n.id, weight(n)]));
  s.order = shown.sort((a, b) => weights.get(b.id) - weights.get(a.id));
  return s.order;
}

function drawLabel(ctx, s, { node, body, scale, taken, hot, view }) {
  ctx.font = `${hot ? "600 " : ""}${12 / scale}px ${s.theme.font}`;
  const width = labelWidth(s, ctx, node.label, hot, scale), radius = (sizeOf(s, node) + (node.ring >= 0 ? ringGap(scale) + 3 : 0)) * scale;
  const sides = [node.side ?? "below", "right", "left", "below", "above"];
  for (const side of hot ? [sides.find((side) => within(labelBox(side, body.x * scale, body.y * scale, radius, width), view)) ?? sides[0]] : sides) {
    const place = labelBox(side, body.x * scale, body.y * scale, radius, width);
    if (!hot && (!within(place, view) || taken.some((t) => t.owner !== node.id && overlap(t, place)))) continue;
    const [x, y] = [place.x / scale, (place.y + place.h / 2) / scale];
    ctx.lineWidth = 3.5 / scale;
    ctx.strokeStyle = s.theme.back;
    ctx.strokeText(node.label, x, y);
    const ghost = marksOf(s, node, s.nodeMarks).has("ghost");
    ctx.fillStyle = ghost && !hot ? faded(s.theme.text, 0.55) : s.theme.text;
    ctx.fillText(node.label, x, y);
    taken.push(place);
    return true;
  }
  return false;
}

function labelWidth(s, ctx, label, hot, scale) {
  const key = (hot ? "b" : "n") + label;
  if (!s.widths.has(key)) s.widths.set(key, ctx.measureText(label).width * scale);
  return s.widths.get(key);
}

function labelBox(side, x, y, radius, w) {
  const gap = radius + 5, h = 14;
  if (side === "right") return { x: x + gap, y: y - h / 2, w, h };
  if (side === "left") return { x: x - gap - w, y: y - h / 2, w, h };
  return { x: x - w / 2, y: side === "above" ? y - gap - h + 2 : y + gap - 2, w, h };
}

function within(box, view) {
  return box.x >= view.x && box.y >= view.y && box.x + box.w <= view.x + view.w && box.y + box.h <= view.y + view.h;
}

function overlap(a, b) {
  return a.x < b.x + b.w + 4 && b.x < a.x + a.w + 4 && a.y < b.y + b.h && b.y < a.y + a.h;
}

// Rings, crosses, badges and locks that vis-network has no option for.
function drawMarks(ctx, s) {
  const scale = s.net.getScale();
  ctx.save();
  for (const node of s.rawNodes.values()) {
    const marks = marksOf(s, node, s.nodeMarks), body = s.net.body.nodes[node.id];
    if (!body || body.options.hidden || !(marks.size || node.ring >= 0)) continue;
    const at = { x: body.x, y: body.y, r: sizeOf(s, node) + ringGap(scale) }, alpha = isDim(s, node) ? 0.15 : 1;
    if (node.ring >= 0) share(ctx, at, node.ring, s.theme, alpha);
    if (marks.has("evidence")) ring(ctx, at, faded(s.theme.accent, alpha), Math.max(4, 3 / scale), []);
    else if (marks.has("new")) ring(ctx, at, faded(s.theme.accent, alpha), Math.max(1.5, 1.2 / scale), [4 / scale, 3 / scale]);
    if (marks.has("edited")) dot(ctx, { ...at, size: Math.max(4, 4.5 / scale) }, faded(s.theme.accent, alpha), s.theme.back);
    if (marks.has("rolled_back")) cross(ctx, at, faded(s.theme.text, 0.6 * alpha));
    if (marks.has("withheld")) lock(ctx, at, faded(s.theme.text, 0.8 * alpha));
  }
  ctx.restore();
}

function ringGap(scale) {
  return Math.max(5, 4 / scale);
}

function ring(ctx, { x, y, r }, colour, width, dash) {
  ctx.beginPath();
  ctx.setLineDash(dash);
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
  ctx.setLineDash([]);
}

// How much of something is there: a faint ring, and on it an arc from the top.
function share(ctx, { x, y, r }, part, theme, alpha) {
  ring(ctx, { x, y, r: r + 1 }, faded(theme.text, 0.18 * alpha), 4, []);
  ctx.beginPath();
  ctx.arc(x, y, r + 1, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * Math.min(part, 1));
  ctx.strokeStyle = faded(theme.accent, alpha);
  ctx.lineWidth = 4;
  ctx.stroke();
}

function dot(ctx, { x, y, r, size }, colour, back) {
  ctx.beginPath();
  ctx.arc(x + r * 0.7, y - r * 0.7, size, 0, 2 * Math.PI);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.strokeStyle = back;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

function cross(ctx, { x, y, r }, colour) {
  const d = r * 0.55;
  ctx.beginPath();
  ctx.moveTo(x - d, y - d); ctx.lineTo(x + d, y + d);
  ctx.moveTo(x - d, y + d); ctx.lineTo(x + d, y - d);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2;
  ctx.stroke();
}

function lock(ctx, { x, y }, colour) {
  ctx.fillStyle = colour;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.fillRect(x - 4, y - 1, 8, 6);
  ctx.beginPath();
  ctx.arc(x, y - 1, 2.8, Math.PI, 2 * Math.PI);
  ctx.stroke();
}

function drawAreas(ctx, s) {
  if (s.net === undefined) return;
  const scale = s.net.getScale();
  ctx.save();
  ctx.font = `600 ${12 / scale}px ${s.theme.font}`;
  ctx.textBaseline = "bottom";
  const narrow = s.areas.some((area) => area.short && ctx.measureText(area.label).width > area.width);
  for (const area of s.areas) {
    if (area.filled) {
      ctx.fillStyle = faded(s.theme.text, 0.035);
      ctx.beginPath();
      ctx.roundRect(area.x, area.y, area.width, area.height, 10);
      ctx.fill();
    }
    ctx.fillStyle = faded(s.theme.text, 0.6);
    ctx.textAlign = "center";
    ctx.fillText(narrow && area.short || area.label, area.x + area.width / 2, area.y - 5 / scale);
  }
  ctx.restore();
}
