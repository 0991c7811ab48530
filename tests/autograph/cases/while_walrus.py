# calls: [([0, 2, 3],), ([0],)]
def while_walrus(items):
    total = 0
    while (item := items.pop()) > 0:
        total += item
    return total, item
# output
def tf__while_walrus(items):
    with ag__.FunctionScope('while_walrus', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        total = 0
        item = ag__.Undefined('item')

        def get_state():
            return (item, total)

        def set_state(vars_):
            nonlocal item, total
            item, total = vars_

        def loop_body():
            nonlocal item, total
            total += item

        def loop_test():
            nonlocal item
            return (item := ag__.converted_call(items.pop, (), None, fscope)) > 0
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('item', 'total'), {})
        try:
            do_return = True
            retval_ = (total, item)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
