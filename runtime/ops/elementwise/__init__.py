"""Operations element by element, with broadcasting."""
