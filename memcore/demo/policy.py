"""A scripted shopper that reads nothing but its memory's state, and errs as agents do.

It takes the best-rated part that it believes to fit and that it can pay, without looking ahead, so that it
walks into traps. It overlooks what a part needs in some slots, always in the same ones, unless a hint or a
note speaks of that slot: without hints it makes the same mistake again. Of a long state it reads the end
only, so that what was chosen long ago is lost on it where nothing sums it up. A dead end that it sees, it
leaves by going back. Everything it knows it reads from the text, by patterns.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from memcore.agent_memory import Move
from memcore.demo.shop import Offer, Task

READ_CHARS = 4_000  # of what was done; the hints are read as a whole
TRIES = 3  # of a slot that cannot be gone back to
SLIPS = 0.2  # share of the slots in which it overlooks what a part needs

_OFFER = re.compile(
    r"^(?P<name>\w+) \| price (?P<price>\d+) \| rating (?P<rating>[\d.]+) \| "
    r"(?:needs [\w ]+ type: (?P<needs>\w+); )?gives [\w ]+ type: (?P<gives>\w+) \| (?P<quality>\w+) \|",
    re.M,
)
_STEP = re.compile(r"^\[step (\d+)\] (.*)$", re.M)
_POINTS = re.compile(r"(?:go back to|Finished up to) step ([\d, ]+) \(")
_TOTAL = re.compile(r"total: (\d+)")
_NEXT = re.compile(r"next: (\w+)")
_CHOSEN = re.compile(r"choose (\w+) (\w+)|(\w+): chose (\w+)")


@dataclass(frozen=True, slots=True)
class Seen:
    """The text of a state as the shopper reads it.

    `done` is the end of what was done, `raw` that of it which is not summed up, `hints` all hints.
    `points` are the boundaries, `flawed` the last summary where it is marked as failed.
    """

    done: str
    raw: str
    hints: str
    points: tuple[int, ...]
    flawed: str
    may_go_back: bool


def read(text: str) -> Seen:
    """What the shopper takes in of a state."""
    before, _, hints = text.partition("Hints:\n")
    done, _, raw = before.partition("Since then:\n")
    points = _POINTS.search(text)
    lines = done.strip().splitlines()
    failed = bool(lines) and lines[-1].startswith("  failed:")
    return Seen(
        before[-READ_CHARS:],
        raw[-READ_CHARS:],
        hints,
        tuple(int(n) for n in points[1].split(",")) if points else (0,),
        "\n".join(lines[-2:]) if failed else "",
        "You can go back" in text and "not possible" not in hints,
    )


@dataclass(frozen=True, slots=True)
class Shopper:
    """The policy for one task. `decide` maps a state's text to the next move, and remembers nothing."""

    task: Task

    def decide(self, text: str) -> Move:
        """Look at the next slot's offers, choose one, declare the slot done; at the end the checkout."""
        seen = read(text)
        steps = _STEP.findall(seen.raw)
        number, action = (int(steps[-1][0]), steps[-1][1]) if steps else (seen.points[-1], "")
        if action == "checkout":
            return Move("finish")
        if number == seen.points[-1]:
            slot = self._next_slot(seen)
            return Move("act", "checkout" if slot == "checkout" else f"look {slot}")
        verb, _, rest = action.partition(" ")
        if verb == "choose":
            slot, _, name = rest.partition(" ")
            return Move("done", f"{slot}: chose {name}. {seen.raw.rsplit(action, 1)[1].strip()}")
        return self._choose(rest, seen)

    def _next_slot(self, seen: Seen) -> str:
        """The slot that the last word of the shop names; the one just done a few times more if it failed."""
        if seen.flawed:
            again = seen.flawed.split("] ", 1)[1].split(":", 1)[0]
            if seen.done.count(f"{again}: chose") < TRIES:
                return again
        named = _NEXT.findall(seen.done)
        return named[-1] if named and seen.points[-1] else self.task.slots[0]

    def _choose(self, slot: str, seen: Seen) -> Move:
        offers = [_offer(found) for found in _OFFER.finditer(seen.raw.rsplit(f"look {slot}", 1)[-1])]
        again = seen.done if seen.flawed else ""
        tried = {b or d for a, b, c, d in _CHOSEN.findall(f"{seen.hints}\n{again}") if (a or c) == slot}
        left = [o for o in offers if o.name not in tried]
        careful = slot in seen.hints or bool(seen.flawed)
        fitting = [o for o in left if self._fits(o, slot, seen)]
        payable = [
            o for o in (fitting if careful or not self._slips(slot) else left) if self._pays(o, slot, seen)
        ]
        if not payable and seen.may_go_back and len(seen.points) > 1:
            return self._dead_end(slot, seen, fitting)
        best = max(payable or fitting or left or offers, key=lambda o: (o.rating, o.name))
        return Move("act", f"choose {slot} {best.name}")

    def _dead_end(self, slot: str, seen: Seen, fitting: list[Offer]) -> Move:
        """Back to before the part that this one has to fit."""
        other = self.task.slots.index(self.task.fits[slot])
        why = "what fits costs too much" if fitting else "nothing that fits is left"
        return Move("back", f"{slot}: {why}", seen.points[min(other, len(seen.points) - 2)])

    def _fits(self, offer: Offer, slot: str, seen: Seen) -> bool:
        """As far as it can see: a type that it does not see named, it does not ask for."""
        must, quality = self.task.must
        if slot == must and offer.quality != quality:
            return False
        given = re.findall(rf"gives {self.task.fits.get(slot)} type: (\w+)", f"{seen.hints}\n{seen.done}")
        return not given or offer.needs == given[-1]

    def _pays(self, offer: Offer, slot: str, seen: Seen) -> bool:
        totals = _TOTAL.findall(seen.done) if slot != self.task.slots[0] else []
        return offer.price + (int(totals[-1]) if totals else 0) <= self.task.budget

    def _slips(self, slot: str) -> bool:
        return random.Random(f"{self.task.seed} {slot}").random() < SLIPS


def _offer(found: re.Match[str]) -> Offer:
    return Offer(
        found["name"],
        int(found["price"]),
        float(found["rating"]),
        found["needs"] or "",
        found["gives"],
        found["quality"],
        "",
    )
