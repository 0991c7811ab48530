"""State that outlives a call: Variables, Modules, and the scopes in which they and operations are made."""
