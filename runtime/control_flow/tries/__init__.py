"""`try`, `raise` and `with`: handlers, what they see, and what is cleaned up."""
