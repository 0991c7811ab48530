# calls: [(['1', 'x', '7', '2'],), (['x'],)]
def try_in_loop_with_return(texts):
    failed = 0
    for text in texts:
        try:
            value = int(text)
            if value == 7:
                return value, failed
        except ValueError:
            failed += 1
        finally:
            print(text)
    return None, failed
# output
def tf__try_in_loop_with_return(texts):
    with ag__.FunctionScope('try_in_loop_with_return', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        failed = 0

        def get_state():
            return (do_return, failed, retval_)

        def set_state(vars_):
            nonlocal do_return, failed, retval_
            do_return, failed, retval_ = vars_

        def loop_body(itr):
            nonlocal do_return, failed, retval_
            text = itr

            def get_state_1():
                return (do_return, failed, retval_)

            def set_state_1(vars_):
                nonlocal do_return, failed, retval_
                do_return, failed, retval_ = vars_

            def try_body():
                nonlocal do_return, failed, retval_
                value = ag__.converted_call(int, (text,), None, fscope)

                def get_state_2():
                    return (do_return, retval_)

                def set_state_2(vars_):
                    nonlocal do_return, retval_
                    do_return, retval_ = vars_

                def if_body():
                    nonlocal do_return, retval_
                    try:
                        do_return = True
                        retval_ = (value, failed)
                    except:
                        do_return = False
                        raise

                def else_body():
                    nonlocal do_return, retval_
                ag__.if_stmt(value == 7, if_body, else_body, get_state_2, set_state_2, ('do_return', 'retval_'), 2)

            def except_body():
                nonlocal do_return, failed, retval_
                failed += 1

            def finally_body():
                nonlocal do_return, failed, retval_
                ag__.converted_call(print, (text,), None, fscope)
            ag__.try_stmt(try_body, ((lambda: ValueError, except_body, None),), None, finally_body, get_state_1, set_state_1, ('do_return', 'failed', 'retval_'), 3, ('do_return', 'retval_'))

        def extra_test():
            return ag__.not_(do_return)
        ag__.for_stmt(texts, extra_test, loop_body, get_state, set_state, ('do_return', 'failed', 'retval_'), {'iterate_names': 'text'})

        def get_state_3():
            return (do_return, retval_)

        def set_state_3(vars_):
            nonlocal do_return, retval_
            do_return, retval_ = vars_

        def if_body_1():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = (None, failed)
            except:
                do_return = False
                raise

        def else_body_1():
            nonlocal do_return, retval_
        ag__.if_stmt(ag__.not_(do_return), if_body_1, else_body_1, get_state_3, set_state_3, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
