# calls: [(3,), (-3,)]
def two_ifs_in_a_row(x):
    if x > 0:
        x = x - 1
    if x < 0:
        x = x + 1
    return x
# output
def tf__two_ifs_in_a_row(x):
    with ag__.FunctionScope('two_ifs_in_a_row', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (x,)

        def set_state(vars_):
            nonlocal x
            x, = vars_

        def if_body():
            nonlocal x
            x = x - 1

        def else_body():
            nonlocal x
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('x',), 1)

        def get_state_1():
            return (x,)

        def set_state_1(vars_):
            nonlocal x
            x, = vars_

        def if_body_1():
            nonlocal x
            x = x + 1

        def else_body_1():
            nonlocal x
        ag__.if_stmt(x < 0, if_body_1, else_body_1, get_state_1, set_state_1, ('x',), 1)
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
