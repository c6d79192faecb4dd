"""What is loaded once and stays is taken out of the sight of Python's collector of garbage."""

import gc


def settle() -> None:
    """Tell the collector that what is loaded by now stays: it walks a few hundred thousand objects less,
    each time that a long import or a page makes it look."""
    gc.collect()
    gc.freeze()
