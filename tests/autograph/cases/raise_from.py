# calls: [('x',)]
def raise_from(text):
    try:
        return int(text)
    except ValueError as error:
        raise KeyError(text) from error
# output
def tf__raise_from(text):
    with ag__.FunctionScope('raise_from', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_)

        def set_state(vars_):
            nonlocal do_return, retval_
            do_return, retval_ = vars_

        def try_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = ag__.converted_call(int, (text,), None, fscope)
            except:
                do_return = False
                raise

        def except_body(error):
            nonlocal do_return, retval_
            try:
                raise ag__.converted_call(KeyError, (text,), None, fscope) from error
            finally:
                error = None
        ag__.try_stmt(try_body, ((lambda: ValueError, except_body, 'error'),), None, None, get_state, set_state, ('do_return', 'retval_'), 2, ('do_return', 'retval_'))
        return fscope.ret(retval_, do_return)
