# calls: [(3,), (-3,)]
counter = 0

def global_state(x):
    global counter
    if x > 0:
        counter += x
    return counter
# output
def tf__global_state(x):
    global counter
    with ag__.FunctionScope('global_state', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (ag__.ldu(lambda: counter, 'counter'),)

        def set_state(vars_):
            global counter
            counter, = vars_

        def if_body():
            global counter
            counter = ag__.update(counter, '+=', x)

        def else_body():
            global counter
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('counter',), 1)
        try:
            do_return = True
            retval_ = counter
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
