# to_code: make(4)
# calls: [(3,), (-3,)]
def make(step):
    def closure(x):
        if x > 0:
            x = x + step
        return x
    return closure
# output
def tf__closure(x):
    with ag__.FunctionScope('closure', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (x,)

        def set_state(vars_):
            nonlocal x
            x, = vars_

        def if_body():
            nonlocal x
            x = x + step

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
