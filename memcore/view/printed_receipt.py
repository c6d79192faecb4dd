"""A receipt of an erasure as a page to print: plain HTML, everything escaped, nothing loaded from anywhere.

It says what the page Privacy says, in the same sentences, and by which id the receipt can be verified again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from memcore.erasure.check import Check
from memcore.erasure.receipt import HASHES, TOMBSTONES, Receipt, not_proved
from memcore.view.naming import counted
from memcore.view.privacy_receipt import again, asked_by, checks, done, reason, status, steps
from memcore.view.times import instant

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:46rem;margin:2rem auto;"
    "padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;"
    "text-align:left;padding:.3rem .6rem .3rem 0;vertical-align:top}code{font-size:13px}"
    "@media print{body{margin:0}}"
)


def page(receipt: Receipt, memory: str, zone: str = "") -> str:
    """The whole page; `memory` is what the memory is called, times are told in this zone."""
    facts = [
        ("Receipt", receipt.id),
        ("Memory", memory),
        ("Asked for by", asked_by(receipt)),
        ("Reason", reason(receipt)),
        ("Started", instant(receipt.started, zone, seconds=True)),
        ("Ended", instant(receipt.ended, zone, seconds=True) if receipt.ended else "not yet"),
        ("Last verified", instant(receipt.verified, zone, seconds=True) if receipt.verified else "not yet"),
    ]
    took = [(name, f"{seconds:.2f} s") for name, seconds in steps(receipt)]
    hashes, ids = (len(of) for of in (receipt.gone.hashes, receipt.gone.ids))
    return "".join(
        (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            f"<title>Receipt of an erasure</title><style>{_STYLE}</style></head><body>",
            f"<h1>Receipt of an erasure</h1><p>{escape(status(receipt))}</p>",
            _table((), facts),
            "<p>It can be verified again on the page Privacy, or with ",
            f"<code>memcore erase verify {escape(receipt.id)}</code>.</p>",
            f"<h2>What was done</h2>{_list(done(receipt, zone))}",
            "<h2>Steps</h2>" if took else "",
            _table(("Step", "Time"), took),
            "<h2>Checks</h2>" if receipt.checks else "",
            _checks(receipt.checks),
            *(f"<h3>{escape(says)}</h3>{_checks(of.checks)}" for says, of in again(receipt, zone)),
            f"<h2>What this does not prove</h2>{_list(not_proved(receipt))}",
            f"<h2>Hashes</h2><p>{escape(HASHES)} {escape(TOMBSTONES)}</p>",
            f"<p>It holds the hashes of {counted(hashes, 'text')} and the ids of {counted(ids, 'record')}.",
            "</p></body></html>",
        )
    )


def _checks(made: Sequence[Check]) -> str:
    rows = [(line.name, line.says, f"{line.looked:,}", line.found) for line in checks(made)]
    return _table(("Check", "What was asked", "Looked at", "Found"), rows)


def _list(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = ["<tr>" + "".join(f"<td>{escape(str(c))}</td>" for c in row) + "</tr>" for row in rows]
    if not cells:
        return ""
    top = "<tr>" + "".join(f"<th>{escape(h)}</th>" for h in head) + "</tr>" if head else ""
    return f"<table>{top}{''.join(cells)}</table>"
