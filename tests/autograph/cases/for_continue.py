# calls: [([1, -3, 2],), ([],)]
def for_continue(items):
    total = 0
    for item in items:
        if item < 0:
            continue
        total += item
    return total
# output
def tf__for_continue(items):
    with ag__.FunctionScope('for_continue', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        total = 0

        def get_state():
            return (total,)

        def set_state(vars_):
            nonlocal total
            total, = vars_

        def loop_body(itr):
            nonlocal total
            item = itr

            def get_state_1():
                return (total,)

            def set_state_1(vars_):
                nonlocal total
                total, = vars_

            def if_body():
                nonlocal total
                pass

            def else_body():
                nonlocal total
                total += item
            ag__.if_stmt(item < 0, if_body, else_body, get_state_1, set_state_1, ('total',), 1)
        ag__.for_stmt(items, None, loop_body, get_state, set_state, ('total',), {'iterate_names': 'item'})
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
