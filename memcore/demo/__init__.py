"""A small world to watch a state tree in: a shop with traps, a policy that errs, and their runs.

Nothing here needs a key or a network. Tasks are made from a seed, so a run can be repeated.
"""
