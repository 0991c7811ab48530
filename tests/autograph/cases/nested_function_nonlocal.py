# calls: [(3,)]
def nested_function_nonlocal(n):
    count = 0

    def bump(by=1):
        nonlocal count
        count += by

    for i in range(n):
        bump()
    bump(by=10)
    return count
# output
def tf__nested_function_nonlocal(n):
    with ag__.FunctionScope('nested_function_nonlocal', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        count = 0

        @ag__.autograph_artifact
        def bump(by=1):
            nonlocal count
            with ag__.FunctionScope('bump', 'fscope_1', ag__.STD) as fscope_1:
                count = ag__.update(count, '+=', by)

        def get_state():
            return ()

        def set_state(vars_):
            pass

        def loop_body(itr):
            i = itr
            ag__.converted_call(bump, (), None, fscope)
        ag__.for_stmt(ag__.converted_call(range, (n,), None, fscope), None, loop_body, get_state, set_state, (), {'iterate_names': 'i'})
        ag__.converted_call(bump, (), dict(by=10), fscope)
        try:
            do_return = True
            retval_ = count
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
