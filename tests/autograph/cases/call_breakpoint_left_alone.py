# calls: [(3,)]
import pdb

def call_breakpoint_left_alone(x):
    if x > 100:
        pdb.set_trace()
        breakpoint()
    return x
# output
def tf__call_breakpoint_left_alone(x):
    with ag__.FunctionScope('call_breakpoint_left_alone', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return ()

        def set_state(vars_):
            pass

        def if_body():
            pdb.set_trace()
            breakpoint()

        def else_body():
            pass
        ag__.if_stmt(x > 100, if_body, else_body, get_state, set_state, (), 0)
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
