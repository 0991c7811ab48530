"""Operations on whole arrays: new ones, their shapes, elements by position, arrays put together."""
