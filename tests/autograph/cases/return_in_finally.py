# calls: [(3,), (-3,)]
def return_in_finally(x):
    try:
        if x > 0:
            raise ValueError
    finally:
        return x
# output
def tf__return_in_finally(x):
    with ag__.FunctionScope('return_in_finally', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return_1 = False
        retval_1 = ag__.UndefinedReturnValue()
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        with ag__.FinallyScope() as finally_:

            def get_state():
                return (do_return, ag__.ldu(lambda: finally_.jumped, 'finally_.jumped'), retval_)

            def set_state(vars_):
                nonlocal do_return, retval_
                do_return, finally_.jumped, retval_ = vars_

            def try_body():
                nonlocal do_return, retval_

                def get_state_1():
                    return ()

                def set_state_1(vars_):
                    pass

                def if_body():
                    raise ValueError

                def else_body():
                    pass
                ag__.if_stmt(x > 0, if_body, else_body, get_state_1, set_state_1, (), 0)

            def finally_body():
                nonlocal do_return, retval_
                try:
                    do_return = True
                    retval_ = x
                except:
                    do_return = False
                    raise
                finally_.jumped = do_return
            ag__.try_stmt(try_body, (), None, finally_body, get_state, set_state, ('do_return', 'finally_.jumped', 'retval_'), 3)

        def get_state_2():
            return (do_return_1, retval_1)

        def set_state_2(vars_):
            nonlocal do_return_1, retval_1
            do_return_1, retval_1 = vars_

        def if_body_1():
            nonlocal do_return_1, retval_1
            do_return_1 = True
            retval_1 = retval_

        def else_body_1():
            nonlocal do_return_1, retval_1
        ag__.if_stmt(do_return, if_body_1, else_body_1, get_state_2, set_state_2, ('do_return_1', 'retval_1'), 2)
        return fscope.ret(retval_1, do_return_1)
