# calls: [(3,)]
from contextlib import nullcontext

def with_statement(x):
    with nullcontext(x) as a, nullcontext(a + 1) as b:
        if a < b:
            x = b
    return x
# output
def tf__with_statement(x):
    with ag__.FunctionScope('with_statement', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        with ag__.passing(nullcontext(x)) as a, ag__.passing(nullcontext(a + 1)) as b:

            def get_state():
                return (x,)

            def set_state(vars_):
                nonlocal x
                x, = vars_

            def if_body():
                nonlocal x
                x = b

            def else_body():
                nonlocal x
            ag__.if_stmt(a < b, if_body, else_body, get_state, set_state, ('x',), 1)
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
