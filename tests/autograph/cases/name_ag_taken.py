# calls: [(3,), (-3,)]
def name_ag_taken(ag__):
    if ag__ > 0:
        ag__ = 1
    return ag__
# output
def tf__name_ag_taken(ag__):
    with ag_1.FunctionScope('name_ag_taken', 'fscope', ag_1.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag_1.UndefinedReturnValue()

        def get_state():
            return (ag__,)

        def set_state(vars_):
            nonlocal ag__
            ag__, = vars_

        def if_body():
            nonlocal ag__
            ag__ = 1

        def else_body():
            nonlocal ag__
        ag_1.if_stmt(ag__ > 0, if_body, else_body, get_state, set_state, ('ag__',), 1)
        try:
            do_return = True
            retval_ = ag__
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
