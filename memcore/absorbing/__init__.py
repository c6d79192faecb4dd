"""RecMem on a stored memory: turns become units, decisions become records, and what it costs is counted."""
