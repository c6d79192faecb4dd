"""A shop in which a later part must fit an earlier one, under a budget, and the best-looking may be a trap.

A task asks for one part of each of several slots, in order. Each part after the first `needs` the type that
an earlier one `gives`; that they fit is told at the checkout only. The best-rated part of the first slot is a
trap in most tasks: what fits it later is hardly to be had, or costs too much. Choosing a part empties what
was chosen after it, and the checkout is final.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import NamedTuple

THEMES: dict[str, tuple[str, ...]] = {
    "a touring bicycle": ("frame", "fork", "wheel", "brake", "rack", "lamp"),
    "a darkroom": ("enlarger", "lens", "easel", "timer", "tank", "safelight"),
    "a weather station": ("mast", "mount", "logger", "gauge", "vane", "antenna"),
    "a pottery": ("kiln", "shelf", "wheelhead", "bat", "pump", "sieve"),
}
TYPES = ("M8", "M10", "M12")
QUALITIES = ("waterproof", "dimmable", "foldable", "frostproof")
_NAMES = """
    Alba Borea Cento Dunja Ebro Fjord Gusto Haven Istra Jura Kito Lumen Mira Nerin Ostro Pavo Quill
    Ronda Selva Tarn Ursa Velo Wren Xeno Yara Zephyr Amber Brisk Cove Delta Ember Flint Grove Heron
    Iris Juno Kelp Larch Moss Nova Onyx Pike Quartz Reed Sable Thorn Umber Vesta Willow Yarrow
"""
PRAISE = (
    "Owners praise how little care it wants through a long season outdoors.",
    "Comes with a spare set of screws, a sheet of instructions and a cloth bag.",
    "Made in small numbers by a workshop that repairs what it sells.",
    "A magazine called it the quiet favourite of people who do this every day.",
    "Delivered in a box of recycled card, within four working days.",
)
OFFERS = 7


class Offer(NamedTuple):
    """A part that can be bought. `needs` is "" in the first slot."""

    name: str
    price: int
    rating: float
    needs: str
    gives: str
    quality: str
    praise: str


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be bought. `fits[slot]` is the earlier slot whose type a part of this slot needs."""

    seed: int
    theme: str
    slots: tuple[str, ...]
    fits: dict[str, str]
    offers: dict[str, tuple[Offer, ...]]
    budget: int
    must: tuple[str, str]

    @property
    def text(self) -> str:
        """The task as the agent is given it."""
        fitting = " ".join(f"The {slot} has to fit the {other}." for slot, other in self.fits.items())
        return (
            f"Buy the parts of {self.theme}, in this order: {', '.join(self.slots)}. {fitting} "
            f"The {self.must[0]} must be {self.must[1]}. Spend at most {self.budget}."
        )


def make_task(seed: int) -> Task:
    """The task of a seed. One way through it is always open: it sets the budget."""
    rng = random.Random(seed)
    theme = rng.choice(list(THEMES))
    slots = THEMES[theme][: rng.randint(4, 6)]
    fits = {slot: slots[0] if i == 1 else rng.choice(slots[:i]) for i, slot in enumerate(slots) if i}
    must = (slots[-1], rng.choice(QUALITIES))
    names = iter(rng.sample(_NAMES.split(), OFFERS * len(slots)))
    types = {slot: rng.choice(TYPES) for slot in slots}
    trap = rng.choice([t for t in TYPES if t != types[slots[0]]]) if rng.random() < 0.6 else ""
    offers: dict[str, tuple[Offer, ...]] = {}
    cost = 0
    for slot in slots:
        made = [_offer(rng, next(names)) for _ in range(OFFERS)]
        way = made[0]._replace(
            needs=types[fits[slot]] if slot in fits else "", gives=types[slot], quality=must[1]
        )
        others = [_in_slot(rng, o, slot == slots[0]) for o in made[1:]]
        if trap and slot == slots[0]:
            others = _baited(others, trap)
        elif trap and fits[slot] == slots[0]:
            others = _scarce(others, trap)
        offers[slot] = tuple(rng.sample([way, *others], OFFERS))
        cost += way.price
    return Task(seed, theme, slots, fits, offers, round(cost * rng.uniform(1.1, 1.5)), must)


def _offer(rng: random.Random, name: str) -> Offer:
    rating = round(rng.uniform(3.0, 4.8), 1)
    price = round(rng.uniform(20, 70) + 20 * (rating - 3))
    return Offer(
        name, price, rating, rng.choice(TYPES), rng.choice(TYPES), rng.choice(QUALITIES), rng.choice(PRAISE)
    )


def _in_slot(rng: random.Random, offer: Offer, first: bool) -> Offer:
    return offer._replace(needs="") if first else offer


def _baited(offers: list[Offer], trap: str) -> list[Offer]:
    """The best-rated part of the first slot gives the type that hardly anything fits."""
    return [offers[0]._replace(rating=4.9, gives=trap), *offers[1:]]


def _scarce(offers: list[Offer], trap: str) -> list[Offer]:
    """What fits the trap costs three times as much."""
    return [o._replace(price=3 * o.price) if o.needs == trap else o for o in offers]


@dataclass
class Shop:
    """One visit. `act` takes `look SLOT`, `choose SLOT NAME` and `checkout`; anything else is an error."""

    task: Task
    basket: dict[str, Offer] = field(default_factory=dict[str, Offer])
    closed: bool = False
    success: bool = False

    def act(self, action: str) -> str:
        """What the shop answers."""
        verb, _, rest = action.partition(" ")
        slot, _, name = rest.partition(" ")
        if self.closed:
            return "error: the shop is closed"
        if verb == "look" and slot in self.task.offers:
            return "\n".join(_shelf(o, slot, self.task) for o in self.task.offers[slot])
        if verb == "choose":
            return self._choose(slot, name)
        return self._checkout() if verb == "checkout" else f"error: nobody here understands {verb}"

    def _choose(self, slot: str, name: str) -> str:
        offer = next((o for o in self.task.offers.get(slot, ()) if o.name == name), None)
        if offer is None:
            return f"error: there is no {slot} {name}"
        slots = self.task.slots
        kept = slots[: slots.index(slot)]
        self.basket = {s: o for s, o in self.basket.items() if s in kept} | {slot: offer}
        after = slots[slots.index(slot) + 1 :]
        total = sum(o.price for o in self.basket.values())
        return (
            f"{name} is in the basket. {_types(offer, slot, self.task)}. {offer.quality}. total: {total}. "
            f"next: {after[0] if after else 'checkout'}."
        )

    def _checkout(self) -> str:
        self.closed = True
        wrong = list(_wrong(self.basket, self.task))
        self.success = not wrong
        return f"error: the order is refused: {wrong[0]}" if wrong else "The order is accepted."


def _shelf(offer: Offer, slot: str, task: Task) -> str:
    return (
        f"{offer.name} | price {offer.price} | rating {offer.rating} | {_types(offer, slot, task)} | "
        f"{offer.quality} | {offer.praise}"
    )


def _types(offer: Offer, slot: str, task: Task) -> str:
    gives = f"gives {slot} type: {offer.gives}"
    return f"needs {task.fits[slot]} type: {offer.needs}; {gives}" if slot in task.fits else gives


def _wrong(basket: dict[str, Offer], task: Task) -> list[str]:
    missing = [f"no {slot} was chosen" for slot in task.slots if slot not in basket]
    if missing:
        return missing
    misfits = [
        f"the {slot} does not fit the {other}"
        for slot, other in task.fits.items()
        if basket[slot].needs != basket[other].gives
    ]
    slot, quality = task.must
    if basket[slot].quality != quality:
        misfits.append(f"the {slot} is not {quality}")
    if sum(o.price for o in basket.values()) > task.budget:
        misfits.append("it costs more than was allowed")
    return misfits
