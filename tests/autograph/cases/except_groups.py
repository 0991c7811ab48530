# calls: [(0,), (1,), (2,)]
def except_groups(n):
    kind = 'none'
    try:
        if n:
            raise ExceptionGroup('several', [ValueError(n)] if n > 1 else [TypeError(n)])
    except* ValueError as group:
        kind = len(group.exceptions)
    except* TypeError:
        kind = 'type'
    return kind
# output
def tf__except_groups(n):
    with ag__.FunctionScope('except_groups', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        kind = 'none'
        start = ag__.start_of_try()
        try:

            def get_state():
                return ()

            def set_state(vars_):
                pass

            def if_body():
                raise ag__.converted_call(ExceptionGroup, ('several', ag__.if_exp(n > 1, lambda: [ag__.converted_call(ValueError, (n,), None, fscope)], lambda: [ag__.converted_call(TypeError, (n,), None, fscope)], 'n > 1')), None, fscope)

            def else_body():
                pass
            ag__.if_stmt(n, if_body, else_body, get_state, set_state, (), 0)
            ag__.end_of_try(start)
        except* ValueError as group:
            ag__.end_of_try(start)
            kind = ag__.converted_call(len, (group.exceptions,), None, fscope)
        except* TypeError:
            ag__.end_of_try(start)
            kind = 'type'
        try:
            do_return = True
            retval_ = kind
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
