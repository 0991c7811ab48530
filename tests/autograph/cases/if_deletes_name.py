# calls: [(3,), (-3,)]
def if_deletes_name(x):
    y = 1
    if x > 0:
        del y
        y = 2
    return y
# output
def tf__if_deletes_name(x):
    with ag__.FunctionScope('if_deletes_name', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        y = 1

        def get_state():
            return (y,)

        def set_state(vars_):
            nonlocal y
            y, = vars_

        def if_body():
            nonlocal y
            y = ag__.Undefined('y')
            y = 2

        def else_body():
            nonlocal y
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',), 1)
        try:
            do_return = True
            retval_ = y
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
