# calls: [(30,), (2,)]
def while_break_else(n):
    while n > 0:
        if n == 7:
            break
        n -= 1
    else:
        n = -1
    return n
# output
def tf__while_break_else(n):
    with ag__.FunctionScope('while_break_else', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        break_ = False

        def get_state():
            return (break_, n)

        def set_state(vars_):
            nonlocal break_, n
            break_, n = vars_

        def loop_body():
            nonlocal break_, n

            def get_state_1():
                return (break_, n)

            def set_state_1(vars_):
                nonlocal break_, n
                break_, n = vars_

            def if_body():
                nonlocal break_, n
                break_ = True

            def else_body():
                nonlocal break_, n
                n -= 1
            ag__.if_stmt(n == 7, if_body, else_body, get_state_1, set_state_1, ('break_', 'n'), 2)

        def loop_test():
            return ag__.and_(lambda: ag__.not_(break_), lambda: n > 0)
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('break_', 'n'), {})

        def get_state_2():
            return (n,)

        def set_state_2(vars_):
            nonlocal n
            n, = vars_

        def if_body_1():
            nonlocal n
            n = -1

        def else_body_1():
            nonlocal n
        ag__.if_stmt(ag__.not_(break_), if_body_1, else_body_1, get_state_2, set_state_2, ('n',), 1)
        try:
            do_return = True
            retval_ = n
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
