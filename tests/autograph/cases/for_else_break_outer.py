# calls: [([[1, 2], [3, 0], [4]],), ([[0]],)]
def for_else_break_outer(rows):
    seen = []
    for row in rows:
        for item in row:
            if item == 0:
                break
            seen.append(item)
        else:
            continue
        break
    return seen
# output
def tf__for_else_break_outer(rows):
    with ag__.FunctionScope('for_else_break_outer', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        seen = []
        break_1 = False

        def get_state():
            return (break_1,)

        def set_state(vars_):
            nonlocal break_1
            break_1, = vars_

        def loop_body(itr):
            nonlocal break_1
            row = itr
            continue_ = False
            break_ = False

            def get_state_1():
                return (break_,)

            def set_state_1(vars_):
                nonlocal break_
                break_, = vars_

            def loop_body_1(itr_1):
                nonlocal break_
                item = itr_1

                def get_state_2():
                    return (break_,)

                def set_state_2(vars_):
                    nonlocal break_
                    break_, = vars_

                def if_body():
                    nonlocal break_
                    break_ = True

                def else_body():
                    nonlocal break_
                    ag__.converted_call(seen.append, (item,), None, fscope)
                ag__.if_stmt(item == 0, if_body, else_body, get_state_2, set_state_2, ('break_',), 1)

            def extra_test():
                return ag__.not_(break_)
            ag__.for_stmt(row, extra_test, loop_body_1, get_state_1, set_state_1, ('break_',), {'iterate_names': 'item'})

            def get_state_3():
                return (continue_,)

            def set_state_3(vars_):
                nonlocal continue_
                continue_, = vars_

            def if_body_1():
                nonlocal continue_
                continue_ = True

            def else_body_1():
                nonlocal continue_
            ag__.if_stmt(ag__.not_(break_), if_body_1, else_body_1, get_state_3, set_state_3, ('continue_',), 1)

            def get_state_4():
                return (break_1,)

            def set_state_4(vars_):
                nonlocal break_1
                break_1, = vars_

            def if_body_2():
                nonlocal break_1
                break_1 = True

            def else_body_2():
                nonlocal break_1
            ag__.if_stmt(ag__.not_(continue_), if_body_2, else_body_2, get_state_4, set_state_4, ('break_1',), 1)

        def extra_test_1():
            return ag__.not_(break_1)
        ag__.for_stmt(rows, extra_test_1, loop_body, get_state, set_state, ('break_1',), {'iterate_names': 'row'})
        try:
            do_return = True
            retval_ = seen
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
