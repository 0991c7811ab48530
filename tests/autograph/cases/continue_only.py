# calls: [(3,)]
def continue_only(n):
    while n > 0:
        n -= 1
        continue
    return n
# output
def tf__continue_only(n):
    with ag__.FunctionScope('continue_only', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (n,)

        def set_state(vars_):
            nonlocal n
            n, = vars_

        def loop_body():
            nonlocal n
            n -= 1
            pass

        def loop_test():
            return n > 0
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('n',), {})
        try:
            do_return = True
            retval_ = n
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
