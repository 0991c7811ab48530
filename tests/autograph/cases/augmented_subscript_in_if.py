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
            return (ag__.ldu(lambda: items[i], 'items[i]'),)

        def set_state(vars_):
            items[i], = vars_

        def if_body():
            items[i] += 5

        def else_body():
            pass
        ag__.if_stmt(items[0] > i, if_body, else_body, get_state, set_state, ('items[i]',), 1)
        try:
            do_return = True
            retval_ = items
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
