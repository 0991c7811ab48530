# calls: [(30,), (3,)]
def return_in_while(n):
    while n > 0:
        if n == 7:
            return n
        n -= 1
    return -1
# output
def tf__return_in_while(n):
    with ag__.FunctionScope('return_in_while', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_, n)

        def set_state(vars_):
            nonlocal do_return, retval_, n
            do_return, retval_, n = vars_

        def loop_body():
            nonlocal do_return, n, retval_

            def get_state_1():
                return (do_return, n, retval_)

            def set_state_1(vars_):
                nonlocal do_return, n, retval_
                do_return, n, retval_ = vars_

            def if_body():
                nonlocal do_return, n, retval_
                try:
                    do_return = True
                    retval_ = n
                except:
                    do_return = False
                    raise

            def else_body():
                nonlocal do_return, n, retval_
                n -= 1
            ag__.if_stmt(n == 7, if_body, else_body, get_state_1, set_state_1, ('do_return', 'n', 'retval_'), 3)

        def loop_test():
            return ag__.and_(lambda: ag__.not_(do_return), lambda: n > 0)
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('do_return', 'retval_', 'n'), {})

        def get_state_2():
            return (do_return, retval_)

        def set_state_2(vars_):
            nonlocal do_return, retval_
            do_return, retval_ = vars_

        def if_body_1():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = -1
            except:
                do_return = False
                raise

        def else_body_1():
            nonlocal do_return, retval_
        ag__.if_stmt(ag__.not_(do_return), if_body_1, else_body_1, get_state_2, set_state_2, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
