# calls: [(3,), (-3,)]
def if_two_outputs_sorted(x):
    zeta = alpha = 0
    if x > 0:
        zeta, alpha = x, 1
    return alpha, zeta
# output
def tf__if_two_outputs_sorted(x):
    with ag__.FunctionScope('if_two_outputs_sorted', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        zeta = alpha = 0

        def get_state():
            return (alpha, zeta)

        def set_state(vars_):
            nonlocal alpha, zeta
            alpha, zeta = vars_

        def if_body():
            nonlocal alpha, zeta
            zeta, alpha = (x, 1)

        def else_body():
            nonlocal alpha, zeta
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('alpha', 'zeta'), 2)
        try:
            do_return = True
            retval_ = (alpha, zeta)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
