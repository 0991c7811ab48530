"""Values that may be None or undefined."""
