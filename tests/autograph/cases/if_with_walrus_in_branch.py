# calls: [(3,), (-3,)]
def if_with_walrus_in_branch(x):
    y = 0
    if x > 0:
        x = (y := x + 1) * 2
    return x, y
# output
def tf__if_with_walrus_in_branch(x):
    with ag__.FunctionScope('if_with_walrus_in_branch', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        y = 0

        def get_state():
            return (x, y)

        def set_state(vars_):
            nonlocal x, y
            x, y = vars_

        def if_body():
            nonlocal x, y
            x = (y := (x + 1)) * 2

        def else_body():
            nonlocal x, y
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('x', 'y'), 2)
        try:
            do_return = True
            retval_ = (x, y)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
