# calls: [([0, 0, 0], 3)]
def subscript_key_changes_in_loop(items, n):
    i = 0
    while i < n:
        items[i] = i * i
        i += 1
    return items
# output
def tf__subscript_key_changes_in_loop(items, n):
    with ag__.FunctionScope('subscript_key_changes_in_loop', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        i = 0

        def get_state():
            return (ag__.container(items, 'items'), i)

        def set_state(vars_):
            nonlocal items, i
            items = ag__.rebound(items, vars_[0])
            i = vars_[1]

        def loop_body():
            nonlocal i, items
            items = ag__.set_item(items, i, i * i)
            i += 1

        def loop_test():
            return i < n
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('items', 'i'), {})
        try:
            do_return = True
            retval_ = items
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
