# calls: [([(1, (2, 3))],), ([],)]
def for_tuple_target(pairs):
    total = 0
    for a, (b, c) in pairs:
        total += a * b - c
    return total
# output
def tf__for_tuple_target(pairs):
    with ag__.FunctionScope('for_tuple_target', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
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
            a, (b, c) = ag__.unpack(itr, (None, 2))
            total += a * b - c
        ag__.for_stmt(pairs, None, loop_body, get_state, set_state, ('total',), {'iterate_names': '(a, (b, c))'})
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
