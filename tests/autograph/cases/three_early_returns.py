# calls: [(1,), (2,), (3,), (4,)]
def three_early_returns(x):
    if x == 1:
        return 'one'
    if x == 2:
        return 'two'
    if x == 3:
        return 'three'
    return 'many'
# output
def tf__three_early_returns(x):
    with ag__.FunctionScope('three_early_returns', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_)

        def set_state(vars_):
            nonlocal do_return, retval_
            do_return, retval_ = vars_

        def if_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = 'one'
            except:
                do_return = False
                raise

        def else_body():
            nonlocal do_return, retval_

            def get_state_1():
                return (do_return, retval_)

            def set_state_1(vars_):
                nonlocal do_return, retval_
                do_return, retval_ = vars_

            def if_body_1():
                nonlocal do_return, retval_
                try:
                    do_return = True
                    retval_ = 'two'
                except:
                    do_return = False
                    raise

            def else_body_1():
                nonlocal do_return, retval_

                def get_state_2():
                    return (do_return, retval_)

                def set_state_2(vars_):
                    nonlocal do_return, retval_
                    do_return, retval_ = vars_

                def if_body_2():
                    nonlocal do_return, retval_
                    try:
                        do_return = True
                        retval_ = 'three'
                    except:
                        do_return = False
                        raise

                def else_body_2():
                    nonlocal do_return, retval_
                    try:
                        do_return = True
                        retval_ = 'many'
                    except:
                        do_return = False
                        raise
                ag__.if_stmt(x == 3, if_body_2, else_body_2, get_state_2, set_state_2, ('do_return', 'retval_'), 2)
            ag__.if_stmt(x == 2, if_body_1, else_body_1, get_state_1, set_state_1, ('do_return', 'retval_'), 2)
        ag__.if_stmt(x == 1, if_body, else_body, get_state, set_state, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
