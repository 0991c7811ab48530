# calls: [([3, 2, 0, 5],)]
def while_test_with_effects(items):
    total = 0
    while items.pop():
        total += 1
    return total
# output
def tf__while_test_with_effects(items):
    with ag__.FunctionScope('while_test_with_effects', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        total = 0

        def get_state():
            return (total,)

        def set_state(vars_):
            nonlocal total
            total, = vars_

        def loop_body():
            nonlocal total
            total += 1

        def loop_test():
            return ag__.converted_call(items.pop, (), None, fscope)
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('total',), {})
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
