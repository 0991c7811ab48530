# calls: [(3,), (0,), (-3,)]
def if_elif_else(x):
    if x > 0:
        sign = 1
    elif x == 0:
        sign = 0
    else:
        sign = -1
    return sign
# output
def tf__if_elif_else(x):
    with ag__.FunctionScope('if_elif_else', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        sign = ag__.Undefined('sign')

        def get_state():
            return (sign,)

        def set_state(vars_):
            nonlocal sign
            sign, = vars_

        def if_body():
            nonlocal sign
            sign = 1

        def else_body():
            nonlocal sign

            def get_state_1():
                return (sign,)

            def set_state_1(vars_):
                nonlocal sign
                sign, = vars_

            def if_body_1():
                nonlocal sign
                sign = 0

            def else_body_1():
                nonlocal sign
                sign = -1
            ag__.if_stmt(x == 0, if_body_1, else_body_1, get_state_1, set_state_1, ('sign',), 1)
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('sign',), 1)
        try:
            do_return = True
            retval_ = sign
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
