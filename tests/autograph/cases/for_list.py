# calls: [([1, 2],), ([],)]
def for_list(items):
    total = 0
    for item in items:
        total = total + item
    return total
# output
def tf__for_list(items):
    with ag__.FunctionScope('for_list', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
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
            total = total + item
        ag__.for_stmt(items, None, loop_body, get_state, set_state, ('total',), {'iterate_names': 'item'})
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
