# calls: [([0, 0],)]
import contextlib
def element_with_target(x):
    manager = contextlib.nullcontext(3)
    with manager as x[0], manager as y:
        pass
    x[1] = y
    return x
# output
def tf__element_with_target(x):
    with ag__.FunctionScope('element_with_target', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        manager = ag__.converted_call(contextlib.nullcontext, (3,), None, fscope)
        y = ag__.Undefined('y')

        def get_state():
            return (ag__.container(x, 'x'), ag__.ldu(lambda: ag__.item(x, 0), 'x[0]'), y)

        def set_state(vars_):
            nonlocal x, y
            x = ag__.rebound(x, vars_[0])
            ag__.put_item(x, 0, vars_[1])
            y = vars_[2]

        def with_body(entered):
            nonlocal x, y
            x = ag__.set_item(x, 0, entered)

            def get_state_1():
                return (y,)

            def set_state_1(vars_):
                nonlocal y
                y, = vars_

            def with_body_1(entered_1):
                nonlocal y
                y = entered_1
                pass
            ag__.with_stmt(manager, with_body_1, get_state_1, set_state_1, ('y',), 1, fscope)
        ag__.with_stmt(manager, with_body, get_state, set_state, ('x', 'x[0]', 'y'), 3, fscope)
        x = ag__.set_item(x, 1, ag__.ld(y))
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
