# calls: [([1, 2], 1), ([1, 2], 0)]
def augmented_subscript_in_if(items, i):
    if items[0] > i:
        items[i] += 5
    return items
# output
def tf__augmented_subscript_in_if(items, i):
    with ag__.FunctionScope('augmented_subscript_in_if', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (ag__.container(items, 'items'), ag__.ldu(lambda: ag__.item(items, i), 'items[i]'))

        def set_state(vars_):
            nonlocal items
            items = ag__.rebound(items, vars_[0])
            ag__.put_item(items, i, vars_[1])

        def if_body():
            nonlocal items
            items = ag__.update_item(items, i, ag__.get_item(items, i), '+=', 5)

        def else_body():
            nonlocal items
        ag__.if_stmt(items[0] > i, if_body, else_body, get_state, set_state, ('items', 'items[i]'), 2)
        try:
            do_return = True
            retval_ = items
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
