# calls: [(4,)]
def import_inside(x):
    import math
    from math import floor as down
    if x > 0:
        x = down(math.sqrt(x))
    return x
# output
def tf__import_inside(x):
    with ag__.FunctionScope('import_inside', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        import math
        from math import floor as down

        def get_state():
            return (x,)

        def set_state(vars_):
            nonlocal x
            x, = vars_

        def if_body():
            nonlocal x
            x = ag__.converted_call(down, (ag__.converted_call(math.sqrt, (x,), None, fscope),), None, fscope)

        def else_body():
            nonlocal x
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('x',), 1)
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
