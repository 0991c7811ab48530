# calls: [(5,)]
def unreached_after_while_true(n):
    while True:
        n -= 1
        if n == 0:
            return 'done'
# output
def tf__unreached_after_while_true(n):
    with ag__.FunctionScope('unreached_after_while_true', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_, n)

        def set_state(vars_):
            nonlocal do_return, retval_, n
            do_return, retval_, n = vars_

        def loop_body():
            nonlocal do_return, n, retval_
            n -= 1

            def get_state_1():
                return (do_return, retval_)

            def set_state_1(vars_):
                nonlocal do_return, retval_
                do_return, retval_ = vars_

            def if_body():
                nonlocal do_return, retval_
                try:
                    do_return = True
                    retval_ = 'done'
                except:
                    do_return = False
                    raise

            def else_body():
                nonlocal do_return, retval_
            ag__.if_stmt(n == 0, if_body, else_body, get_state_1, set_state_1, ('do_return', 'retval_'), 2)

        def loop_test():
            return ag__.not_(do_return)
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('do_return', 'retval_', 'n'), {})
        return fscope.ret(retval_, True)
