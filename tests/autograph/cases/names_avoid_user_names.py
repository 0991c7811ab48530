# calls: [(3,), (-3,)]
def names_avoid_user_names(x):
    get_state = 1
    if_body = 2
    do_return = 3
    if x > 0:
        get_state = x
        return get_state
    return if_body + do_return
# output
def tf__names_avoid_user_names(x):
    with ag__.FunctionScope('names_avoid_user_names', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return_1 = False
        retval_ = ag__.UndefinedReturnValue()
        get_state = 1
        if_body = 2
        do_return = 3

        def get_state_1():
            return (do_return_1, retval_)

        def set_state(vars_):
            nonlocal do_return_1, retval_
            do_return_1, retval_ = vars_

        def if_body_1():
            nonlocal do_return_1, retval_
            get_state = x
            try:
                do_return_1 = True
                retval_ = get_state
            except:
                do_return_1 = False
                raise

        def else_body():
            nonlocal do_return_1, retval_
            try:
                do_return_1 = True
                retval_ = if_body + do_return
            except:
                do_return_1 = False
                raise
        ag__.if_stmt(x > 0, if_body_1, else_body, get_state_1, set_state, ('do_return_1', 'retval_'), 2)
        return fscope.ret(retval_, do_return_1)
