# calls: [(9,), (0,)]
def while_continue(n):
    odd = 0
    while n > 0:
        n -= 1
        if n % 2 == 0:
            continue
        odd += n
    return odd
# output
def tf__while_continue(n):
    with ag__.FunctionScope('while_continue', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        odd = 0

        def get_state():
            return (odd, n)

        def set_state(vars_):
            nonlocal odd, n
            odd, n = vars_

        def loop_body():
            nonlocal n, odd
            n -= 1

            def get_state_1():
                return (odd,)

            def set_state_1(vars_):
                nonlocal odd
                odd, = vars_

            def if_body():
                nonlocal odd
                pass

            def else_body():
                nonlocal odd
                odd += n
            ag__.if_stmt(n % 2 == 0, if_body, else_body, get_state_1, set_state_1, ('odd',), 1)

        def loop_test():
            return n > 0
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('odd', 'n'), {})
        try:
            do_return = True
            retval_ = odd
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
