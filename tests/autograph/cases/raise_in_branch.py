# calls: [(3,), (-3,)]
def raise_in_branch(x):
    if x < 0:
        raise ValueError(f'{x} is negative')
    return x
# output
def tf__raise_in_branch(x):
    with ag__.FunctionScope('raise_in_branch', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return ()

        def set_state(vars_):
            pass

        def if_body():
            raise ag__.converted_call(ValueError, (ag__.format_string(ag__.format_value(x), ' is negative'),), None, fscope)

        def else_body():
            pass
        ag__.if_stmt(x < 0, if_body, else_body, get_state, set_state, (), 0)
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
