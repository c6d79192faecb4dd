// A companion without a face: lays marks over a canvas that is already drawn, without sending the graph again.
// In: {gid, nodes: {id: [mark]}, edges: {id: [mark]}, rest, add_nodes, add_edges, areas, token}.

export default function ({ data }) {
  const G = (globalThis.__memcore ??= { inst: new Map(), log: [] });
  const order = (G.order ??= new Map()), mine = (order.get(data.gid) ?? 0) + 1;
  order.set(data.gid, mine);
  const until = Date.now() + 15000;
  const lay = () => {
    if (order.get(data.gid) !== mine) return;               // a later overlay is on its way
    const s = G.inst.get(data.gid);
    if (s?.root && s.net) G.overlay(s, data);
    else if (Date.now() < until) setTimeout(lay, 25);
  };
  lay();
}
