// Connecting: while it is switched on (button, or key C) or Alt is held, a drag leads a line from a node, and dropping it
// on another one reports {type: "connect", from, to}. The page decides what that means.

function listenConnect(s) {
  let line = null;
  const at = (event) => { const box = s.stage.getBoundingClientRect(); return { x: event.clientX - box.left, y: event.clientY - box.top }; };
  const onDown = (event) => {
    const from = !event.button && !event.shiftKey && (s.connecting || event.altKey) ? s.net.getNodeAt(at(event)) : null;
    if (!from) return;
    stop(event);
    hideTip(s);
    line = { from, to: at(event) };
    s.line = line;
    s.netElement.setPointerCapture(event.pointerId);
  };
  const onMove = (event) => {
    if (!line) return;
    stop(event);
    line.to = at(event);
    s.hovered = s.net.getNodeAt(line.to) ?? null;
    s.order = null;
    s.net.redraw();
  };
  const onUp = (event) => {
    if (!line) return;
    stop(event);
    const { from } = line, to = s.net.getNodeAt(at(event));
    line = s.line = s.hovered = null;
    hideTip(s);
    s.net.redraw();
    if (to && to !== from) send(s, { type: "connect", from, to });
  };
  const onCancel = () => { line = s.line = null; s.net?.redraw(); };
  for (const [name, act] of [["pointerdown", onDown], ["pointermove", onMove], ["pointerup", onUp], ["pointercancel", onCancel]]) {
    s.netElement.addEventListener(name, act, true);
    s.leave.push(() => s.netElement.removeEventListener(name, act, true));
  }
}

// Hides the tooltip while vis-network does not see the pointer move; it shows again when the pointer is back.
function hideTip(s) {
  const hover = s.net?.interactionHandler;
  if (!hover) return;
  clearTimeout(hover.popupTimer);
  hover.popup?.hide();
  hover.popupObj = undefined;
}

function stop(event) {
  event.stopPropagation();
  event.preventDefault();
}

function connect(s, on = !s.connecting) {
  if (!s.connectButton) return;
  s.connecting = on;
  s.connectButton.setAttribute("aria-pressed", String(on));
  s.stage.toggleAttribute("data-connecting", on);
  s.live.textContent = on ? "Drag from a cue to a memory to connect them." : "Connecting is off.";
}

function drawLine(ctx, s) {
  if (!s.line) return;
  const from = s.net.getPosition(s.line.from), to = s.net.DOMtoCanvas(s.line.to), scale = s.net.getScale();
  ctx.save();
  ctx.strokeStyle = s.theme.accent;
  ctx.lineWidth = 2 / scale;
  ctx.setLineDash([6 / scale, 4 / scale]);
  ctx.beginPath();
  ctx.moveTo(from.x, from.y);
  ctx.lineTo(to.x, to.y);
  ctx.stroke();
  ctx.restore();
}
