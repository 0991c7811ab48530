# calls: [([1, 2, 3],), ([],)]
def branch_in_loop_with_state(items):
    best = None
    for item in items:
        if best is None or item > best:
            best = item
    return best
# output
def tf__branch_in_loop_with_state(items):
    with ag__.FunctionScope('branch_in_loop_with_state', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        best = None

        def get_state():
            return (best,)

        def set_state(vars_):
            nonlocal best
            best, = vars_

        def loop_body(itr):
            nonlocal best
            item = itr

            def get_state_1():
                return (best,)

            def set_state_1(vars_):
                nonlocal best
                best, = vars_

            def if_body():
                nonlocal best
                best = item

            def else_body():
                nonlocal best
            ag__.if_stmt(ag__.or_(lambda: ag__.is_(best, None), lambda: item > best), if_body, else_body, get_state_1, set_state_1, ('best',), 1)
        ag__.for_stmt(items, None, loop_body, get_state, set_state, ('best',), {'iterate_names': 'item'})
        try:
            do_return = True
            retval_ = best
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
