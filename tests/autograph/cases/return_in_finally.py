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
            try:

                def get_state():
                    return ()

                def set_state(vars_):
                    pass

                def if_body():
                    raise ValueError

                def else_body():
                    pass
                ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, (), 0)
            finally:
                try:
                    do_return = True
                    retval_ = x
                except:
                    do_return = False
                    raise
                finally_.jumped = do_return

        def get_state_1():
            return (do_return_1, retval_1)

        def set_state_1(vars_):
            nonlocal do_return_1, retval_1
            do_return_1, retval_1 = vars_

        def if_body_1():
            nonlocal do_return_1, retval_1
            do_return_1 = True
            retval_1 = retval_

        def else_body_1():
            nonlocal do_return_1, retval_1
        ag__.if_stmt(do_return, if_body_1, else_body_1, get_state_1, set_state_1, ('do_return_1', 'retval_1'), 2)
        return fscope.ret(retval_1, do_return_1)
