async def async_refused(x):
    if x:
        return 1
# output
# UnsupportedSyntaxError: async_refused.py:1: 'async_refused' (an async function) cannot be converted: its body does not run when it is called. Call it from a function that is converted, or mark it with @autograph.do_not_convert.
