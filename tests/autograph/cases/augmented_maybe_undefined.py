# calls: [(3,), (-3,)]
def augmented_maybe_undefined(x):
    if x > 0:
        y = 1
    y += x
    return y
# output
def tf__augmented_maybe_undefined(x):
    with ag__.FunctionScope('augmented_maybe_undefined', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
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
            y = 1

        def else_body():
            nonlocal y
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',), 1)
        y = ag__.ld(y)
        y += x
        try:
            do_return = True
            retval_ = y
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
