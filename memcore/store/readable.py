# pyright: basic
"""What every part of a scope reads with: the table of its records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from memcore.records import Record
from memcore.store.rows import KINDS, columns_of, from_rows
from memcore.store.tables import Table

_R = TypeVar("_R", bound=Record)


class Readable:
    """A `Scope`, as far as its parts need to know it."""

    items: Table

    def _all(
        self,
        record_class: type[_R],
        where: str = "",
        order: Sequence[str] = (),
        part: slice = slice(None),
    ) -> list[_R]:
        """The records of one kind that fit, ordered by these columns, or a part of them. No more columns are
        read than they need."""
        kind = KINDS[record_class]
        columns = dict.fromkeys([*columns_of(self.items.schema, kind), *order])
        also = f" AND ({where})" if where else ""
        rows = self.items.read(list(columns), f"kind = '{kind}'{also}")
        if order:
            rows = rows.sort_by([(column, "ascending") for column in order])
        return [r for r in from_rows(rows[part]) if isinstance(r, record_class)]
