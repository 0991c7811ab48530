# calls: [(3,), (-3,)]
def annotated_assignment_in_if(x):
    y: int = 0
    if x > 0:
        y: int = x
    z: str
    return y
# output
def tf__annotated_assignment_in_if(x):
    with ag__.FunctionScope('annotated_assignment_in_if', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        y: int = 0

        def get_state():
            return (y,)

        def set_state(vars_):
            nonlocal y
            y, = vars_

        def if_body():
            nonlocal y
            y = x

        def else_body():
            nonlocal y
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',), 1)
        z: str
        try:
            do_return = True
            retval_ = y
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
