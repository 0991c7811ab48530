# calls: [([0, 1, 5, 2, 9, 3],), ([],), ([4],)]
def match_in_loop(items):
    total = 0
    for item in items:
        match item:
            case 0:
                continue
            case 9:
                break
            case x:
                total += x
    return total
# output
def tf__match_in_loop(items):
    with ag__.FunctionScope('match_in_loop', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        total = 0
        break_ = False

        def get_state():
            return (total, break_)

        def set_state(vars_):
            nonlocal total, break_
            total, break_ = vars_

        def loop_body(itr):
            nonlocal break_, total
            item = itr

            def get_state_1():
                return (break_, total)

            def set_state_1(vars_):
                nonlocal break_, total
                break_, total = vars_

            def if_body():
                nonlocal break_, total
                pass

            def else_body():
                nonlocal break_, total

                def get_state_2():
                    return (break_, total)

                def set_state_2(vars_):
                    nonlocal break_, total
                    break_, total = vars_

                def if_body_1():
                    nonlocal break_, total
                    break_ = True

                def else_body_1():
                    nonlocal break_, total
                    x = item
                    total += x
                ag__.if_stmt(item == 9, if_body_1, else_body_1, get_state_2, set_state_2, ('break_', 'total'), 2)
            ag__.if_stmt(item == 0, if_body, else_body, get_state_1, set_state_1, ('break_', 'total'), 2)

        def extra_test():
            return ag__.not_(break_)
        ag__.for_stmt(items, extra_test, loop_body, get_state, set_state, ('total', 'break_'), {'iterate_names': 'item'})
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
