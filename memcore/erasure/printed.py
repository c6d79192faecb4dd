"""A receipt as a page to print: plain HTML, everything escaped, nothing loaded from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape

from memcore.erasure.check import Again, Check
from memcore.erasure.receipt import HASHES, TOMBSTONES, Receipt, not_proved
from memcore.erasure.spelling import SHORTEST

WHAT = {
    "erase": "erased",
    "redact": "kept, with words replaced by a mark",
    "rebuild": "made again from what remains",
    "blank": "kept, with some words taken out",
    "strip": "changes whose earlier versions were taken out",
}
STATUS = {
    "underway": "This erasure is under way, or was interrupted: the store completes it when next opened.",
    "completed": "This erasure was interrupted and completed when the store was next opened. It was verified "
    "by ids and hashes; nobody had the words any more, so they were not looked for on disk.",
    "verified": "Everything that was to go is gone: no check found anything.",
    "found": "A check found something that is not known to be gone: look at it below, and erase again what "
    "is left.",
}
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:46rem;margin:2rem auto;"
    "padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;"
    "text-align:left;padding:.3rem .6rem .3rem 0;vertical-align:top}code{font-size:13px}"
    "@media print{body{margin:0}}"
)


def page(receipt: Receipt) -> str:
    """The whole page."""
    facts = [
        ("Receipt", receipt.id),
        ("Memory", receipt.scope),
        ("Asked for by", receipt.author),
        ("Reason", receipt.reason or "none given"),
        ("Begun", _moment(receipt.started)),
        ("Verified", _moment(receipt.ended) if receipt.ended else "not yet"),
        ("Verified last", _moment(receipt.verified) if receipt.verified else "not yet"),
    ]
    counts = [
        (WHAT.get(what, what), kind, f"{number:,}")
        for what, of in receipt.counts.items()
        for kind, number in of.items()
    ]
    steps = [(name, f"{seconds:.2f} s") for name, seconds in receipt.steps]
    return "".join(
        (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            f"<title>Receipt of an erasure</title><style>{_STYLE}</style></head><body>",
            f"<h1>Receipt of an erasure</h1><p>{escape(STATUS[receipt.status])}</p>",
            _table((), facts),
            "<h2>What was done</h2>",
            _table(("What", "Kind", "Number"), counts),
            _said(receipt),
            "<h2>Steps</h2>" if steps else "",
            _table(("Step", "Time"), steps),
            "<h2>Checks</h2>" if receipt.checks else "",
            _checks(receipt.checks),
            "".join(_again(again) for again in receipt.again),
            "<h2>What this does not prove</h2><ul>",
            "".join(f"<li>{escape(line)}</li>" for line in not_proved(receipt)),
            f"</ul><h2>Hashes</h2><p>{escape(HASHES)} {escape(TOMBSTONES)}</p>",
            f"<p><code>{len(receipt.gone.hashes):,} texts, {len(receipt.gone.ids):,} records</code></p>",
            "</body></html>",
        )
    )


def verified_again(again: Again) -> str:
    """What was looked for when a receipt was verified again, in one sentence."""
    if not again.words:
        return "By ids and hashes only: no word was given, so the disk was not looked through."
    said = f"By ids and hashes, and with {again.words:,} word{'s' if again.words > 1 else ''} given."
    if not again.too_short:
        return said
    are = "is" if again.too_short == 1 else "are"
    return (
        f"{said} {again.too_short:,} of them {are} too short to be looked for in every byte on disk "
        f"(under {SHORTEST} bytes): looked for as whole words in every text."
    )


def _again(again: Again) -> str:
    head = f"<h3>Verified again {_moment(again.when)}</h3><p>{escape(verified_again(again))}</p>"
    return head + _checks(again.checks)


def _checks(checks: Sequence[Check]) -> str:
    rows = [
        (c.name, c.says, f"{c.looked:,}", "nothing" if c.ok else f"{c.found:,}: {', '.join(c.where)}")
        for c in checks
    ]
    return _table(("Check", "What was asked", "Looked at", "Found"), rows)


def _moment(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M:%S} UTC"


def _said(receipt: Receipt) -> str:
    lines = [f"{receipt.undo_lost:,} earlier versions can no longer be brought back by undoing."]
    if receipt.elsewhere:
        lines.append(f"{receipt.elsewhere:,} of the texts also stand in records that remain.")
    if receipt.held_back:
        lines.append(f"{receipt.held_back:,} sources are kept out of later imports.")
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = ["<tr>" + "".join(f"<td>{escape(str(c))}</td>" for c in row) + "</tr>" for row in rows]
    if not cells:
        return ""
    top = "<tr>" + "".join(f"<th>{escape(h)}</th>" for h in head) + "</tr>" if head else ""
    return f"<table>{top}{''.join(cells)}</table>"
