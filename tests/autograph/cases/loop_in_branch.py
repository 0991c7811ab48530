# calls: [(3,), (-3,)]
def loop_in_branch(n):
    total = 0
    if n > 0:
        for i in range(n):
            total += i
    else:
        while n < 0:
            n += 1
            total -= 1
    return total
# output
def tf__loop_in_branch(n):
    with ag__.FunctionScope('loop_in_branch', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        total = 0

        def get_state():
            return (total, n)

        def set_state(vars_):
            nonlocal total, n
            total, n = vars_

        def if_body():
            nonlocal n, total

            def get_state_1():
                return (total,)

            def set_state_1(vars_):
                nonlocal total
                total, = vars_

            def loop_body(itr):
                nonlocal total
                i = itr
                total += i
            ag__.for_stmt(ag__.converted_call(range, (n,), None, fscope), None, loop_body, get_state_1, set_state_1, ('total',), {'iterate_names': 'i'})

        def else_body():
            nonlocal n, total

            def get_state_2():
                return (total, n)

            def set_state_2(vars_):
                nonlocal total, n
                total, n = vars_

            def loop_body_1():
                nonlocal n, total
                n += 1
                total -= 1

            def loop_test():
                return n < 0
            ag__.while_stmt(loop_test, loop_body_1, get_state_2, set_state_2, ('total', 'n'), {})
        ag__.if_stmt(n > 0, if_body, else_body, get_state, set_state, ('total', 'n'), 1)
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
