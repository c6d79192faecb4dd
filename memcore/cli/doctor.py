"""`memcore doctor`: what a crash can leave in a store, and its repair."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from memcore.cli.emit import Emit


def doctor(folder: str, args: argparse.Namespace, emit: Emit) -> int:
    """What is wrong in the store, or what was repaired; 1 where something serious is left."""
    from memcore.store import Store
    from memcore.store.doctor import examine, repair

    store = Store.open(folder, embedder=None, create=False)
    found = repair(store) if args.repair else examine(store)
    for finding in found:
        verb = "repaired" if args.repair and finding.repairable else "found"
        where = f" in {finding.scope}" if finding.scope else ""
        line = f"{verb}: {finding.count:,} {finding.problem.replace('_', ' ')}{where}"
        emit({**asdict(finding), "repairable": finding.repairable}, [line])
    serious = [f for f in found if not f.harmless and not (args.repair and f.repairable)]
    if not serious:
        emit(None, ["The store is consistent."])
    return int(bool(serious))
