"""Bringing files in: conversations, agent runs, what of them is new, and what rules do when it is done."""
