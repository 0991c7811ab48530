# calls: [(3, 2), (0, 1)]
def while_nested(n, m):
    count = 0
    while n > 0:
        n -= 1
        k = m
        while k > 0:
            k -= 1
            count += 1
    return count
# output
def tf__while_nested(n, m):
    with ag__.FunctionScope('while_nested', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        count = 0

        def get_state():
            return (count, n)

        def set_state(vars_):
            nonlocal count, n
            count, n = vars_

        def loop_body():
            nonlocal count, n
            n -= 1
            k = m

            def get_state_1():
                return (count, k)

            def set_state_1(vars_):
                nonlocal count, k
                count, k = vars_

            def loop_body_1():
                nonlocal count, k
                k -= 1
                count += 1

            def loop_test_1():
                return k > 0
            ag__.while_stmt(loop_test_1, loop_body_1, get_state_1, set_state_1, ('count', 'k'), {})

        def loop_test():
            return n > 0
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('count', 'n'), {})
        try:
            do_return = True
            retval_ = count
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
