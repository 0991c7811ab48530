"""Which objects code can reach, what changes in them, and the way back: one table of kinds, one walk."""
