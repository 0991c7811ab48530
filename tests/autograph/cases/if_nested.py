# calls: [(1, 2), (1, -2), (-1, 2)]
def if_nested(x, y):
    if x > 0:
        if y > 0:
            x = y
        else:
            y = x
    return x, y
# output
def tf__if_nested(x, y):
    with ag__.FunctionScope('if_nested', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (x, y)

        def set_state(vars_):
            nonlocal x, y
            x, y = vars_

        def if_body():
            nonlocal x, y

            def get_state_1():
                return (x, y)

            def set_state_1(vars_):
                nonlocal x, y
                x, y = vars_

            def if_body_1():
                nonlocal x, y
                x = y

            def else_body_1():
                nonlocal x, y
                y = x
            ag__.if_stmt(y > 0, if_body_1, else_body_1, get_state_1, set_state_1, ('x', 'y'), 2)

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
