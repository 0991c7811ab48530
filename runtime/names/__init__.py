"""What a name that a module does not have may stand for."""
