# calls: [(3,), (-3,)]
def if_else(x):
    if x > 0:
        y = x
    else:
        y = -x
    return y
# output
def tf__if_else(x):
    with ag__.FunctionScope('if_else', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        y = ag__.Undefined('y')

        def get_state():
            return (y,)

        def set_state(vars_):
            nonlocal y
            y, = vars_

        def if_body():
            nonlocal y
            y = x

        def else_body():
            nonlocal y
            y = -x
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',), 1)
        try:
            do_return = True
            retval_ = y
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
