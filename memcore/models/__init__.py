"""Models at work in a store: which does what, who does the work of a run, and what it would cost."""
