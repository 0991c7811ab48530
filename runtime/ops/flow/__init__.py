"""Operations that graphs are made of: constants, control flow, state, exceptions, calls of Python."""
