# calls: [(3,), (0,)]
def for_nested_break_inner(n):
    count = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            count += 1
    return count
# output
def tf__for_nested_break_inner(n):
    with ag__.FunctionScope('for_nested_break_inner', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        count = 0

        def get_state():
            return (count,)

        def set_state(vars_):
            nonlocal count
            count, = vars_

        def loop_body(itr):
            nonlocal count
            i = itr
            break_ = False

            def get_state_1():
                return (count, break_)

            def set_state_1(vars_):
                nonlocal count, break_
                count, break_ = vars_

            def loop_body_1(itr_1):
                nonlocal break_, count
                j = itr_1

                def get_state_2():
                    return (break_, count)

                def set_state_2(vars_):
                    nonlocal break_, count
                    break_, count = vars_

                def if_body():
                    nonlocal break_, count
                    break_ = True

                def else_body():
                    nonlocal break_, count
                    count += 1
                ag__.if_stmt(j > i, if_body, else_body, get_state_2, set_state_2, ('break_', 'count'), 2)

            def extra_test():
                return ag__.not_(break_)
            ag__.for_stmt(ag__.converted_call(range, (n,), None, fscope), extra_test, loop_body_1, get_state_1, set_state_1, ('count', 'break_'), {'iterate_names': 'j'})
        ag__.for_stmt(ag__.converted_call(range, (n,), None, fscope), None, loop_body, get_state, set_state, ('count',), {'iterate_names': 'i'})
        try:
            do_return = True
            retval_ = count
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
