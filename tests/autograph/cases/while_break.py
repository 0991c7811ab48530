# calls: [(30,), (2,)]
def while_break(n):
    while n > 0:
        if n == 7:
            break
        n -= 1
    return n
# output
def tf__while_break(n):
    with ag__.FunctionScope('while_break', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        break_ = False

        def get_state():
            return (n, break_)

        def set_state(vars_):
            nonlocal n, break_
            n, break_ = vars_

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
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('n', 'break_'), {})
        try:
            do_return = True
            retval_ = n
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
