# calls: [(3,), (0,)]
def while_else(n):
    while n > 1:
        n -= 2
    else:
        n = -n
    return n
# output
def tf__while_else(n):
    with ag__.FunctionScope('while_else', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (n,)

        def set_state(vars_):
            nonlocal n
            n, = vars_

        def loop_body():
            nonlocal n
            n -= 2

        def loop_test():
            return n > 1
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('n',), {})
        n = -n
        try:
            do_return = True
            retval_ = n
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
