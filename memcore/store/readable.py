# pyright: basic
"""What every part of a scope reads with: the table of its records."""

from __future__ import annotations

import pyarrow as pa

from memcore.store.rows import read_columns
from memcore.store.tables import Table


class Readable:
    """A `Scope`, as far as its parts need to know it."""

    items: Table

    def _rows(self, where: str, *more: str) -> pa.Table:
        columns = read_columns(self.items.schema)
        return self.items.read(list(dict.fromkeys([*columns, *more])), where)
