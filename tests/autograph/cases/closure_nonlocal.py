# to_code: make()
# calls: [(3,), (-3,)]
def make():
    total = 0
    def closure_nonlocal(x):
        nonlocal total
        if x > 0:
            total += x
        return total
    return closure_nonlocal
# output
def tf__closure_nonlocal(x):
    nonlocal total
    with ag__.FunctionScope('closure_nonlocal', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (ag__.ldu(lambda: total, 'total'),)

        def set_state(vars_):
            nonlocal total
            total, = vars_

        def if_body():
            nonlocal total
            total = ag__.update(total, '+=', x)

        def else_body():
            nonlocal total
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('total',), 1)
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
