// Keyboard and the rubber band. Keys act only while the canvas has the focus, "/" wherever nobody types.

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function typing() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return Boolean(at && (at.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(at.tagName)));
}

function listenKeys(s) {
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing()) return;
    if (onButton(s, event) || !pressed(s, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onSlash = (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing()) return;
    const box = searchBox();
    if (box) { event.preventDefault(); box.focus(); box.select(); }
  };
  const onEnter = (event) => {
    if (event.key !== "Enter" || event.isComposing || event.target !== searchBox()) return;
    if (s.searched === event.target.value) nextMatch(s, event.shiftKey ? -1 : 1);
    s.searched = event.target.value;
  };
  s.root.addEventListener("keydown", onKey);
  document.addEventListener("keydown", onSlash);
  document.addEventListener("keydown", onEnter);
  s.searched = searchBox()?.value;
  s.leave.push(() => s.root.removeEventListener("keydown", onKey), () => document.removeEventListener("keydown", onSlash),
    () => document.removeEventListener("keydown", onEnter));
}

function searchBox() {
  return document.querySelector('.stMain [class*="st-key-"][class*="-search"] input')
    ?? document.querySelector('section[data-testid="stMain"] input[type="text"], .stMain input[type="text"], main input[type="text"]');
}

// The first Enter searches; the next ones walk through what was found.
function nextMatch(s, step) {
  const found = s.matches.filter((id) => s.rawNodes.has(id));
  if (!found.length) return;
  const [from] = s.selected, at = found.indexOf(from);
  const next = found[at < 0 ? (step > 0 ? 0 : found.length - 1) : (at + step + found.length) % found.length];
  select(s, [next]);
  bringIntoView(s, next);
  s.live.textContent = s.rawNodes.get(next).label ?? "";
}

// Enter and Space on a focused button belong to the button.
function onButton(s, event) {
  return s.root.getRootNode().activeElement?.tagName === "BUTTON" && ["Enter", " "].includes(event.key);
}

function pressed(s, key) {
  const act = { f: () => fit(s), F: () => fit(s), "+": () => zoom(s, 1.3), "=": () => zoom(s, 1.3), "-": () => zoom(s, 1 / 1.3),
    "?": () => toggleHelp(s), c: s.connects ? () => connect(s) : null, " ": () => keep(s), Escape: () => escape(s), Enter: () => openSelected(s) }[key];
  if (act) act();
  else if (STEPS[key]) walk(s, ...STEPS[key]);
  return Boolean(act || STEPS[key]);
}

function escape(s) {
  if (s.help.hasAttribute("data-open")) toggleHelp(s, false);
  else if (s.connecting) connect(s, false);
  else { s.kept.clear(); select(s, []); }
}

function openSelected(s) {
  const [id] = s.selected;
  if (id) send(s, { type: "open", id });
}

// Space keeps a node selected while one walks on to others, so that several can be selected by key.
function keep(s) {
  const at = s.lead ?? [...s.selected].at(-1);
  if (!at) return;
  s.kept.has(at) ? s.kept.delete(at) : s.kept.add(at);
  s.live.textContent = s.kept.has(at) ? "Kept selected." : "No longer kept.";
}

// To the nearest connected node in that direction; where no edge leads there, to the nearest node at all.
function walk(s, dx, dy) {
  const here = s.net.getPositions(), from = s.selected.has(s.lead) ? s.lead : [...s.selected][0];
  const visible = [...s.rawNodes.keys()].filter((id) => !s.net.body.nodes[id]?.options.hidden);
  const start = from && here[from] ? here[from] : s.net.getViewPosition();
  const near = new Set(from ? s.net.getConnectedNodes(from) : visible);
  const next = nearest(visible.filter((id) => near.has(id)), here, start, from ? [dx, dy] : null)
    ?? nearest(visible.filter((id) => id !== from), here, start, [dx, dy]);
  if (!next) return;
  select(s, [...new Set([...s.kept].filter((id) => s.rawNodes.has(id))), next].filter((id, i, all) => all.lastIndexOf(id) === i));
  s.lead = next;
  bringIntoView(s, next);
  s.live.textContent = s.rawNodes.get(next).label ?? "";
}

function nearest(ids, here, start, direction) {
  let best = null, least = Infinity;
  for (const id of ids) {
    const x = here[id].x - start.x, y = here[id].y - start.y, far = Math.hypot(x, y);
    const along = direction ? x * direction[0] + y * direction[1] : far;
    if (far > 0 && along < far * 0.5) continue;            // outside a cone of 60 degrees to either side
    const cost = direction ? 2 * far - along : far;
    if (cost < least && (far > 0 || !direction)) [best, least] = [id, cost];
  }
  return best;
}

function bringIntoView(s, id) {
  const at = s.net.canvasToDOM(s.net.getPosition(id)), box = s.stage.getBoundingClientRect();
  if (at.x > 30 && at.y > 30 && at.x < box.width - 30 && at.y < box.height - 30) return;
  s.net.moveTo({ position: s.net.getPosition(id), animation: calm() ? false : { duration: 200 } });
}

// Shift: a click adds or removes one node, a drag selects all nodes in a rectangle.
function listenBand(s) {
  let from = null, band = null;
  const at = (event) => { const box = s.stage.getBoundingClientRect(); return { x: event.clientX - box.left, y: event.clientY - box.top }; };
  const onDown = (event) => {
    s.root.focus({ preventScroll: true });
    if (!event.shiftKey || event.button) return;
    event.stopPropagation();
    event.preventDefault();
    from = at(event);
    band = make("div", { class: "mc-band" });
    s.stage.append(band);
    s.netElement.setPointerCapture(event.pointerId);
  };
  const onMove = (event) => {
    if (!from) return;
    event.stopPropagation();
    const to = at(event);
    Object.assign(band.style, { left: `${Math.min(from.x, to.x)}px`, top: `${Math.min(from.y, to.y)}px`,
      width: `${Math.abs(to.x - from.x)}px`, height: `${Math.abs(to.y - from.y)}px` });
  };
  const onUp = (event) => {
    if (!from) return;
    event.stopPropagation();
    const to = at(event);
    band.remove();
    if (Math.hypot(to.x - from.x, to.y - from.y) < 5) toggleSelected(s, s.net.getNodeAt(to));
    else select(s, inside(s, s.net.DOMtoCanvas(from), s.net.DOMtoCanvas(to)));
    from = null;
  };
  for (const [name, act] of [["pointerdown", onDown], ["pointermove", onMove], ["pointerup", onUp]]) {
    s.netElement.addEventListener(name, act, true);
    s.leave.push(() => s.netElement.removeEventListener(name, act, true));
  }
}

function inside(s, a, b) {
  return Object.entries(s.net.getPositions([...s.rawNodes.keys()])).filter(([id, p]) => !s.net.body.nodes[id].options.hidden
    && (p.x - a.x) * (p.x - b.x) <= 0 && (p.y - a.y) * (p.y - b.y) <= 0).map(([id]) => id);
}

function toggleSelected(s, id) {
  if (!id) return;
  const chosen = new Set(s.selected);
  chosen.has(id) ? chosen.delete(id) : chosen.add(id);
  select(s, [...chosen]);
}
