# calls: [(3,), (-3,)]
def if_local_to_branch(x):
    if x > 0:
        half = x // 2
        x = half + 1
    return x
# output
def tf__if_local_to_branch(x):
    with ag__.FunctionScope('if_local_to_branch', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (x,)

        def set_state(vars_):
            nonlocal x
            x, = vars_

        def if_body():
            nonlocal x
            half = x // 2
            x = half + 1

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
