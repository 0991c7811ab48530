# calls: [(3,), (-3,)]
def return_in_finally(x):
    try:
        if x > 0:
            raise ValueError
    finally:
        return x
# output
# UnsupportedSyntaxError: return_in_finally.py:7: 'return' in a 'finally' block cannot be converted: it would silently drop the exception or the return value that is on its way. Move the 'return' behind the 'try' statement.
