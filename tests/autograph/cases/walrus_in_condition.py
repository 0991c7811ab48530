# calls: [(3,), (-3,)]
def walrus_in_condition(x):
    if (y := x * 2) > 0:
        x = y
    return x, y
# output
def tf__walrus_in_condition(x):
    with ag__.FunctionScope('walrus_in_condition', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (x,)

        def set_state(vars_):
            nonlocal x
            x, = vars_

        def if_body():
            nonlocal x
            x = y

        def else_body():
            nonlocal x
        ag__.if_stmt((y := (x * 2)) > 0, if_body, else_body, get_state, set_state, ('x',), 1)
        try:
            do_return = True
            retval_ = (x, y)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
