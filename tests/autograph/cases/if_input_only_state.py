# calls: [(3, 4), (-3, 4)]
def if_input_only_state(x, step):
    y = 0
    if x > 0:
        x = x + step
        y = x
    return y
# output
def tf__if_input_only_state(x, step):
    with ag__.FunctionScope('if_input_only_state', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        y = 0

        def get_state():
            return (y, x)

        def set_state(vars_):
            nonlocal y, x
            y, x = vars_

        def if_body():
            nonlocal x, y
            x = x + step
            y = x

        def else_body():
            nonlocal x, y
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y', 'x'), 1)
        try:
            do_return = True
            retval_ = y
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
