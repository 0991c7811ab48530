# calls: [(9,), (0,)]
def while_true(n):
    while True:
        n -= 1
        if n < 0:
            break
    return n
# output
def tf__while_true(n):
    with ag__.FunctionScope('while_true', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
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
            n -= 1

            def get_state_1():
                return (break_,)

            def set_state_1(vars_):
                nonlocal break_
                break_, = vars_

            def if_body():
                nonlocal break_
                break_ = True

            def else_body():
                nonlocal break_
            ag__.if_stmt(n < 0, if_body, else_body, get_state_1, set_state_1, ('break_',), 1)

        def loop_test():
            return ag__.not_(break_)
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('n', 'break_'), {})
        try:
            do_return = True
            retval_ = n
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
