# calls: [([(1, 2, 3)],), ([],)]
def for_starred_target(rows):
    total = 0
    for first, *rest in rows:
        total += first + len(rest)
    return total
# output
def tf__for_starred_target(rows):
    with ag__.FunctionScope('for_starred_target', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
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
            first, *rest = ag__.unpack(itr, (None, ...))
            total += first + ag__.converted_call(len, (rest,), None, fscope)
        ag__.for_stmt(rows, None, loop_body, get_state, set_state, ('total',), {'iterate_names': '(first, *rest)'})
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
