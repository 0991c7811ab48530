# calls: [([[1], [2, 7]],), ([],)]
def return_in_nested_loops(rows):
    for row in rows:
        for item in row:
            if item == 7:
                return row
    return None
# output
def tf__return_in_nested_loops(rows):
    with ag__.FunctionScope('return_in_nested_loops', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_)

        def set_state(vars_):
            nonlocal do_return, retval_
            do_return, retval_ = vars_

        def loop_body(itr):
            nonlocal do_return, retval_
            row = itr

            def get_state_1():
                return (do_return, retval_)

            def set_state_1(vars_):
                nonlocal do_return, retval_
                do_return, retval_ = vars_

            def loop_body_1(itr_1):
                nonlocal do_return, retval_
                item = itr_1

                def get_state_2():
                    return (do_return, retval_)

                def set_state_2(vars_):
                    nonlocal do_return, retval_
                    do_return, retval_ = vars_

                def if_body():
                    nonlocal do_return, retval_
                    try:
                        do_return = True
                        retval_ = row
                    except:
                        do_return = False
                        raise

                def else_body():
                    nonlocal do_return, retval_
                ag__.if_stmt(item == 7, if_body, else_body, get_state_2, set_state_2, ('do_return', 'retval_'), 2)

            def extra_test():
                return ag__.not_(do_return)
            ag__.for_stmt(row, extra_test, loop_body_1, get_state_1, set_state_1, ('do_return', 'retval_'), {'iterate_names': 'item'})

        def extra_test_1():
            return ag__.not_(do_return)
        ag__.for_stmt(rows, extra_test_1, loop_body, get_state, set_state, ('do_return', 'retval_'), {'iterate_names': 'row'})

        def get_state_3():
            return (do_return, retval_)

        def set_state_3(vars_):
            nonlocal do_return, retval_
            do_return, retval_ = vars_

        def if_body_1():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = None
            except:
                do_return = False
                raise

        def else_body_1():
            nonlocal do_return, retval_
        ag__.if_stmt(ag__.not_(do_return), if_body_1, else_body_1, get_state_3, set_state_3, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
