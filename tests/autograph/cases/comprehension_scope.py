# calls: [([3, -1],), ([],)]
def comprehension_scope(items):
    i = 5
    if items:
        items = [i for i in items]
    return i, items
# output
def tf__comprehension_scope(items):
    with ag__.FunctionScope('comprehension_scope', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        i = 5

        def get_state():
            return (items,)

        def set_state(vars_):
            nonlocal items
            items, = vars_

        def if_body():
            nonlocal items
            items = ag__.list_comp(items, lambda items_1: [i for i in items_1], lambda into, items_1: into.each(items_1, lambda i: into.take(i)))

        def else_body():
            nonlocal items
        ag__.if_stmt(items, if_body, else_body, get_state, set_state, ('items',), 1)
        try:
            do_return = True
            retval_ = (i, items)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
