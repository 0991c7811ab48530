def generator_refused(n):
    for i in range(n):
        yield i
# output
# UnsupportedSyntaxError: generator_refused.py:1: 'generator_refused' (a generator function) cannot be converted: its body does not run when it is called. Call it from a function that is converted, or mark it with @autograph.do_not_convert.
