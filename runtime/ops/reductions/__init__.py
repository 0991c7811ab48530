"""Operations along axes: sums, orders, positions, counts, segments."""
