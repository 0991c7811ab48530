# calls: [([1, 2],), ([],)]
def for_target_used_after(items):
    for item in items:
        pass
    return item
# output
def tf__for_target_used_after(items):
    with ag__.FunctionScope('for_target_used_after', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        item = ag__.Undefined('item')

        def get_state():
            return (item,)

        def set_state(vars_):
            nonlocal item
            item, = vars_

        def loop_body(itr):
            nonlocal item
            item = itr
            pass
        ag__.for_stmt(items, None, loop_body, get_state, set_state, ('item',), {'iterate_names': 'item'})
        try:
            do_return = True
            retval_ = ag__.ld(item)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
