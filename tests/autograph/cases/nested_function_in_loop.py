# calls: [(3,)]
def nested_function_in_loop(n):
    thunks = []
    for i in range(n):
        def thunk():
            return i
        thunks.append(thunk)
    return [thunk() for thunk in thunks]
# output
def tf__nested_function_in_loop(n):
    with ag__.FunctionScope('nested_function_in_loop', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        thunks = []
        i = ag__.Undefined('i')

        def get_state():
            return (i,)

        def set_state(vars_):
            nonlocal i
            i, = vars_

        def loop_body(itr):
            nonlocal i
            i = itr

            @ag__.autograph_artifact
            def thunk():
                with ag__.FunctionScope('thunk', 'fscope_1', ag__.STD) as fscope_1:
                    do_return_1 = False
                    retval_1 = ag__.UndefinedReturnValue()
                    try:
                        do_return_1 = True
                        retval_1 = ag__.ld_free(i)
                    except:
                        do_return_1 = False
                        raise
                    return fscope_1.ret(retval_1, do_return_1)
            ag__.converted_call(thunks.append, (thunk,), None, fscope)
        ag__.for_stmt(ag__.converted_call(range, (n,), None, fscope), None, loop_body, get_state, set_state, ('i',), {'iterate_names': 'i'})
        try:
            do_return = True
            retval_ = ag__.list_comp(thunks, lambda items: [ag__.converted_call(thunk, (), None, fscope) for thunk in items], lambda into, items: into.each(items, lambda thunk: into.take(ag__.converted_call(thunk, (), None, fscope))))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
