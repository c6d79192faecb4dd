// A companion without a face: lays marks over a canvas that is already drawn, without sending the graph again.
// In: {gid, nodes: {id: [mark]}, edges: {id: [mark]}, rest, add_nodes, add_edges, areas, token}.
// With the token "grow" it only adds nodes and edges, and leaves the marks as they are.

export default function ({ data }) {
  const G = (globalThis.__memcore ??= { inst: new Map(), log: [] });
  const grows = data.token === "grow", until = Date.now() + 15000;
  const order = (G.order ??= new Map()), mine = (order.get(data.gid) ?? 0) + 1;
  if (!grows) order.set(data.gid, mine);
  const lay = () => {
    if (!grows && order.get(data.gid) !== mine) return;     // later marks are on their way
    const s = G.inst.get(data.gid);
    if (!s?.root || !s.net) return void (Date.now() < until && setTimeout(lay, 25));
    G.overlay(s, grows ? { ...data, ...marksOn(s) } : data);
    if (grows) follow(s, data.add_nodes);
  };
  lay();
}

function marksOn(s) {
  const lists = (marks) => Object.fromEntries([...marks].map(([id, set]) => [id, [...set]]));
  return { nodes: lists(s.nodeMarks), edges: lists(s.edgeMarks), rest: s.rest };
}

// While a graph grows, the whole of it is kept in view, until the person moves the camera.
function follow(s, added) {
  const now = { ...s.net.getViewPosition(), scale: s.net.getScale() };
  const f = (s.follow?.layout === s.layout) ? s.follow : (s.follow = { layout: s.layout, at: now });
  f.left ||= Math.abs(now.scale / f.at.scale - 1) > 0.01 || Math.hypot(now.x - f.at.x, now.y - f.at.y) * now.scale > 2;
  if (f.left || added.every((n) => inView(s, n))) return;
  const places = Object.values(s.net.getPositions([...s.rawNodes.keys()]));
  const xs = places.map((p) => p.x), ys = places.map((p) => p.y), { clientWidth: width, clientHeight: height } = s.stage;
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.min(150, width * 0.14);
  const scale = Math.min((width - 2 * side) / Math.max(right - left, 1), (height - 90) / Math.max(bottom - top, 1), 1.2);
  s.net.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 - 12 / scale }, scale, animation: false });
  f.at = { ...s.net.getViewPosition(), scale: s.net.getScale() };
}

function inView(s, node) {
  const at = s.net.canvasToDOM({ x: node.x, y: node.y });
  return at.x > 20 && at.y > 40 && at.x < s.stage.clientWidth - 120 && at.y < s.stage.clientHeight - 20;
}
