# calls: [(5,), (0,)]
def continue_in_while_with_else(n):
    total = 0
    while n > 0:
        n -= 1
        if n == 2:
            continue
        if n == 4:
            total += 10
        total += n
    else:
        total = -total
    return total
# output
def tf__continue_in_while_with_else(n):
    with ag__.FunctionScope('continue_in_while_with_else', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        total = 0

        def get_state():
            return (total, n)

        def set_state(vars_):
            nonlocal total, n
            total, n = vars_

        def loop_body():
            nonlocal n, total
            n -= 1

            def get_state_1():
                return (total,)

            def set_state_1(vars_):
                nonlocal total
                total, = vars_

            def if_body():
                nonlocal total
                pass

            def else_body():
                nonlocal total

                def get_state_2():
                    return (total,)

                def set_state_2(vars_):
                    nonlocal total
                    total, = vars_

                def if_body_1():
                    nonlocal total
                    total += 10

                def else_body_1():
                    nonlocal total
                ag__.if_stmt(n == 4, if_body_1, else_body_1, get_state_2, set_state_2, ('total',), 1)
                total += n
            ag__.if_stmt(n == 2, if_body, else_body, get_state_1, set_state_1, ('total',), 1)

        def loop_test():
            return n > 0
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('total', 'n'), {})
        total = -total
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
