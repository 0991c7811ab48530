# calls: [(5,)]
def recursion(n):
    if n < 2:
        return 1
    return n * recursion(n - 1)
# output
def tf__recursion(n):
    with ag__.FunctionScope('recursion', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_)

        def set_state(vars_):
            nonlocal do_return, retval_
            do_return, retval_ = vars_

        def if_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = 1
            except:
                do_return = False
                raise

        def else_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = n * ag__.converted_call(recursion, (n - 1,), None, fscope)
            except:
                do_return = False
                raise
        ag__.if_stmt(n < 2, if_body, else_body, get_state, set_state, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
