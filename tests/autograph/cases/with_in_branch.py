# calls: [(3,), (-3,)]
from contextlib import nullcontext

def with_in_branch(x):
    if x > 0:
        with nullcontext(x) as a:
            y = a + 1
        x = y
    return x
# output
def tf__with_in_branch(x):
    with ag__.FunctionScope('with_in_branch', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (x,)

        def set_state(vars_):
            nonlocal x
            x, = vars_

        def if_body():
            nonlocal x
            with ag__.passing(nullcontext(x)) as a:
                y = a + 1
            x = y

        def else_body():
            nonlocal x
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('x',), 1)
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
