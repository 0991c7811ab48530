# calls: [([1, 2],), ([1, 9, 3],), ([],)]
def for_break_else(items):
    for item in items:
        if item == 9:
            found = True
            break
    else:
        found = False
    return found
# output
def tf__for_break_else(items):
    with ag__.FunctionScope('for_break_else', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        break_ = False
        found = ag__.Undefined('found')

        def get_state():
            return (break_, found)

        def set_state(vars_):
            nonlocal break_, found
            break_, found = vars_

        def loop_body(itr):
            nonlocal break_, found
            item = itr

            def get_state_1():
                return (break_, found)

            def set_state_1(vars_):
                nonlocal break_, found
                break_, found = vars_

            def if_body():
                nonlocal break_, found
                found = True
                break_ = True

            def else_body():
                nonlocal break_, found
            ag__.if_stmt(item == 9, if_body, else_body, get_state_1, set_state_1, ('break_', 'found'), 2)

        def extra_test():
            return ag__.not_(break_)
        ag__.for_stmt(items, extra_test, loop_body, get_state, set_state, ('break_', 'found'), {'iterate_names': 'item'})

        def get_state_2():
            return (found,)

        def set_state_2(vars_):
            nonlocal found
            found, = vars_

        def if_body_1():
            nonlocal found
            found = False

        def else_body_1():
            nonlocal found
        ag__.if_stmt(ag__.not_(break_), if_body_1, else_body_1, get_state_2, set_state_2, ('found',), 1)
        try:
            do_return = True
            retval_ = ag__.ld(found)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
