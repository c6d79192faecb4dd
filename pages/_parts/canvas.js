// The graph canvas: one living vis-network per `gid`, patched on every rerun, never drawn anew.
// In: {gid, height, nodes, edges, areas, kinds, edge_kinds, total, labels, key_labels, layout, fit, focus, focus_token,
// matches, connects}.
// Out: states "selection" {nodes, edges} and "hidden_kinds"; trigger "event" {type: "open" | "moved" | "connect", ...}.
// Positions that a person dragged, camera, dimmed kinds and label mode outlive the element (leaving the page).

const G = (globalThis.__memcore ??= { inst: new Map(), log: [] });
const OPTIONS = { autoResize: true, physics: { enabled: false }, layout: { improvedLayout: false },
  nodes: { labelHighlightBold: false, scaling: { label: { enabled: false } } },
  edges: { smooth: false, arrows: { to: { enabled: true, scaleFactor: 0.35 } }, hoverWidth: 0.5, selectionWidth: 1 },
  interaction: { hover: true, multiselect: true, tooltipDelay: 180, keyboard: false, navigationButtons: false,
    selectConnectedEdges: true, hoverConnectedEdges: false, zoomSpeed: 0.6 } };

function whenVis() {
  if (globalThis.vis?.Network) return Promise.resolve(globalThis.vis);
  const began = Date.now(), limit = globalThis.__memcoreWait ?? 15000;
  return new Promise((resolve, reject) => {
    const look = () => globalThis.vis?.Network ? resolve(globalThis.vis)
      : Date.now() - began > limit ? reject(new Error("vis-network did not load")) : setTimeout(look, 15);
    look();
  });
}

export default async function (component) {
  const root = component.parentElement.querySelector(".mc");
  try {
    const vis = await whenVis(), before = G.inst.get(component.data.gid);
    const s = before?.root === root ? before : mount(vis, root, component, before);
    if (s === before) patch(s, component);
    obey(s, component.data);
    return () => unmount(s);
  } catch (error) {
    G.log.push({ failed: String(error) });
    root.textContent = "The graph could not be drawn. Reload the page; the table holds the same memories.";
    return undefined;
  }
}

function mount(vis, root, component, before) {
  const began = performance.now(), data = component.data;
  const s = { root, component, connects: data.connects === true, gid: data.gid, height: data.height ?? 560, pos: before?.pos ?? {}, view: before?.view,
    hidden: before?.hidden ?? new Set(), labels: before?.labels ?? data.labels ?? "key", mounts: (before?.mounts ?? 0) + 1,
    selected: before?.selected ?? new Set(), fitted: before?.fitted, layout: before?.layout ?? data.layout,
    rest: before?.rest ?? "", restMarks: before?.restMarks ?? NONE, nodeMarks: before?.nodeMarks ?? new Map(),
    edgeMarks: before?.edgeMarks ?? new Map(), focused: before?.focused, reported: before?.reported, seq: before?.seq ?? 0,
    kept: new Set(), lead: null, rawNodes: new Map(), rawEdges: new Map(), styles: new Map(), widths: new Map(), leave: [], hovered: null };
  if (before?.net) before.net.destroy();
  G.inst.set(data.gid, s);
  if (s.layout !== data.layout) { s.pos = {}; s.view = undefined; s.layout = data.layout; }
  take(s, data);
  buildChrome(s);
  s.theme = readTheme(root);
  s.nodes = new vis.DataSet();
  s.edges = new vis.DataSet();
  patchItems(s, data);
  s.net = new vis.Network(s.netElement, { nodes: s.nodes, edges: s.edges }, OPTIONS);
  s.netElement.firstElementChild.tabIndex = -1;             // keys are heard on the whole, which has a name
  s.net.on("beforeDrawing", (ctx) => drawAreas(ctx, s));
  s.net.on("afterDrawing", (ctx) => { drawMarks(ctx, s); drawLabels(ctx, s); drawLine(ctx, s); remember(s); });
  s.net.once("afterDrawing", () => { s.firstDraw = performance.now() - began; s.drawnAt = performance.now(); });
  listen(s);
  listenKeys(s);
  listenBand(s);
  listenConnect(s);
  if (s.view) s.net.moveTo({ ...s.view, animation: false });
  else fit(s);
  s.selected = new Set([...s.selected].filter((id) => s.rawNodes.has(id)));
  s.net.selectNodes([...s.selected]);
  s.fitted = data.fit;
  paint(s);
  return s;
}

function unmount(s) {
  s.leave.forEach((undo) => undo());
  s.net.destroy();
  s.net = undefined;
  s.root = null;
}

function take(s, data) {
  s.kinds = data.kinds;
  s.edgeKinds = data.edge_kinds;
  s.areas = data.areas ?? [];
  s.total = data.total ?? 0;
  s.keyLabels = data.key_labels ?? 40;
  s.matches = Array.isArray(data.matches) ? data.matches : [];
}

function patch(s, component) {
  const began = performance.now(), data = component.data;
  s.component = component;
  take(s, data);
  if (s.height !== data.height) s.stage.style.height = `${(s.height = data.height)}px`;
  const moved = s.layout !== data.layout;
  if (moved) s.pos = {};
  s.layout = data.layout;
  const done = patchItems(s, data, moved);
  hideTip(s);                                               // it would go on telling what its node said before
  paint(s);
  s.net.redraw();
  G.log.push({ gid: s.gid, ...done, ms: performance.now() - began });
}

// Brings the data sets to what is wanted with as few changes as can be. Standing nodes keep their place.
function patchItems(s, data, moved = false) {
  const nodes = data.nodes.map((n) => listed(n, NODE_KEYS)), edges = data.edges.map((e) => listed(e, EDGE_KEYS));
  const gone = (raw, items) => { const stay = new Set(items.map((i) => i.id)); return [...raw.keys()].filter((id) => !stay.has(id)); };
  const oldNodes = gone(s.rawNodes, nodes), oldEdges = gone(s.rawEdges, edges);
  forget(s.rawEdges, s.edges, s.styles, oldEdges);
  forget(s.rawNodes, s.nodes, s.styles, oldNodes);
  const done = addItems(s, nodes, edges, moved);
  for (const id of oldNodes) s.selected.delete(id);
  return { ...done, removed: oldNodes.length + oldEdges.length };
}

function forget(raw, dataset, styles, ids) {
  for (const id of ids) { raw.delete(id); styles.delete(id); }
  if (ids.length) dataset.remove(ids);
}

function addItems(s, nodes, edges, moved = false) {
  const added = { nodes: [], edges: [] }, changed = { nodes: [], edges: [] };
  let shifted = 0;
  for (const n of nodes) {
    const old = s.rawNodes.get(n.id);
    s.rawNodes.set(n.id, n);
    const place = s.pos[n.id] ?? { x: n.x ?? 0, y: n.y ?? 0 }, shift = !old || (moved && stands(s, n.id, place) === false);
    if (!old) added.nodes.push(n.id);
    else if (shift) shifted++;
    if (shift || old.title !== n.title) changed.nodes.push({ id: n.id, ...(shift ? place : {}), title: n.title ? textNode(n.title) : undefined });
  }
  for (const e of edges) {
    const old = s.rawEdges.get(e.id);
    s.rawEdges.set(e.id, e);
    if (!old) added.edges.push(e.id);
    if (!old || old.title !== e.title) changed.edges.push({ id: e.id, from: e.from, to: e.to, title: e.title ? textNode(e.title) : undefined });
  }
  s.order = null;
  const style = (raw, make, kind, items) => items.map((i) => { const { key, style } = styled(s, raw.get(i.id), make); s.styles.set(i.id, key); return { ...i, ...style }; });
  if (changed.nodes.length) s.nodes.update(style(s.rawNodes, nodeStyle, "n", changed.nodes));
  if (changed.edges.length) s.edges.update(style(s.rawEdges, edgeStyle, "e", changed.edges));
  return { added: added.nodes.length + added.edges.length, shifted, ...restyle(s, true) };
}

// With another layout, only what stands elsewhere is moved.
function stands(s, id, place) {
  const body = s.net?.body.nodes[id];
  return Boolean(body) && Math.abs(body.x - place.x) < 0.5 && Math.abs(body.y - place.y) < 0.5;
}

function styled(s, item, make) {
  const style = make(s, item);
  return { key: JSON.stringify(style), style };
}

// Brings colours, rings and opacity up to date: only of items whose look changed.
function restyle(s, quiet = false) {
  const began = performance.now();
  const stale = (raw, make) => [...raw.values()].flatMap((item) => {
    const { key, style } = styled(s, item, make);
    if (s.styles.get(item.id) === key) return [];
    s.styles.set(item.id, key);
    return [{ id: item.id, ...style }];
  });
  const nodes = stale(s.rawNodes, nodeStyle), edges = stale(s.rawEdges, edgeStyle);
  if (nodes.length) s.nodes.update(nodes);
  if (edges.length) s.edges.update(edges);
  s.order = null;
  if (!quiet) { paint(s); s.net.redraw(); }
  return { restyled: nodes.length + edges.length, restyleMs: performance.now() - began };
}

function paint(s) {
  paintLegend(s);
  paintCounts(s);
  say(s, s.rawNodes.size ? "" : "Nothing to draw here yet.");
  s.root.setAttribute("aria-label", `Graph of ${s.rawNodes.size} nodes. Press question mark for keys. The table shows the same.`);
}

// Called by the overlay component: marks are replaced as a whole, nodes and edges can be added.
function overlay(s, data) {
  const began = performance.now();
  const sets = (given) => new Map(Object.entries(given ?? {}).map(([id, marks]) => [id, new Set(marks.filter((m) => MARKS.has(m)))]));
  s.nodeMarks = sets(data.nodes);
  s.edgeMarks = sets(data.edges);
  s.rest = MARKS.has(data.rest) ? data.rest : "";
  s.restMarks = s.rest ? new Set([s.rest]) : NONE;
  const fresh = (items, keys, raw) => (items ?? []).map((i) => listed(i, keys)).filter((i) => !raw.has(i.id));
  const added = addItems(s, fresh(data.add_nodes, NODE_KEYS, s.rawNodes), fresh(data.add_edges, EDGE_KEYS, s.rawEdges));
  if (data.areas) s.areas = data.areas;
  paint(s);
  s.net.redraw();
  G.log.push({ gid: s.gid, overlay: data.token ?? "", ...added, ms: performance.now() - began });
}
G.overlay = overlay;

// One-off wishes of the page: fit when its token changes, select nodes when others are named.
function obey(s, data) {
  if (data.fit !== s.fitted) { s.fitted = data.fit; fit(s); }
  const asked = data.focus ?? [], wish = [data.focus_token ?? "", ...asked].join(" ");
  if (wish === (s.focused ?? "")) return;
  s.focused = wish;
  const nodes = asked.filter((id) => s.rawNodes.has(id));
  if (asked.length && !nodes.length) return;
  select(s, nodes);
  if (nodes.length) bringIntoView(s, nodes[0]);
}

function remember(s) {
  if (!s.root || s.stage.clientWidth === 0) return;        // while leaving, the canvas is 0 px wide and the camera meaningless
  s.view = { position: s.net.getViewPosition(), scale: s.net.getScale() };
}

function send(s, event) {
  s.component.setTriggerValue("event", { ...event, seq: ++s.seq });
}

function select(s, nodes, edges = []) {
  s.net.setSelection({ nodes, edges }, { highlightEdges: nodes.length > 0 });
  report(s, nodes, edges);
}

function report(s, nodes, edges) {
  const key = JSON.stringify([nodes, edges]);
  s.selected = new Set(nodes);
  s.order = null;
  s.net.redraw();
  paintCounts(s);
  if (key === (s.reported ?? "[[],[]]")) return;
  s.reported = key;
  s.component.setStateValue("selection", { nodes, edges });
}

function listen(s) {
  s.net.on("click", (p) => {
    if (p.event?.srcEvent?.shiftKey) return;
    s.kept.clear();
    report(s, p.nodes, p.nodes.length ? [] : p.edges);
  });
  s.net.on("doubleClick", (p) => { if (p.nodes.length) send(s, { type: "open", id: p.nodes[0] }); });
  s.net.on("dragEnd", (p) => {
    if (!p.nodes.length) return;                            // panning is the camera's alone: no rerun
    const moved = s.net.getPositions(p.nodes);
    Object.assign(s.pos, moved);
    report(s, s.net.getSelectedNodes(), []);
    send(s, { type: "moved", pos: moved });
  });
  s.net.on("hoverNode", (p) => { s.hovered = p.node; s.order = null; s.net.redraw(); });
  s.net.on("blurNode", () => { s.hovered = null; s.order = null; s.net.redraw(); });
  s.netElement.addEventListener("pointerleave", () => hideTip(s));
  const onTheme = (event) => { if (event.target === s.root) { s.theme = readTheme(s.root); restyle(s); } };
  s.root.addEventListener("transitionend", onTheme);        // the text colour changed: another theme
  s.leave.push(() => s.root.removeEventListener("transitionend", onTheme));
}
