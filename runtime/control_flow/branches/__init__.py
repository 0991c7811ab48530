"""`if` and the ternary: branches are traced from the same state, and what they leave is joined."""
