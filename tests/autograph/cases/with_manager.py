# calls: [(3,), (-3,)]
from contextlib import suppress

def with_manager(x):
    y = 0
    with suppress(ValueError) as entered, suppress(KeyError):
        y = 1
        if x > 0:
            raise ValueError(entered)
        return y
    return x + y
# output
def tf__with_manager(x):
    with ag__.FunctionScope('with_manager', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        y = 0

        def get_state():
            return (do_return, retval_, y)

        def set_state(vars_):
            nonlocal do_return, retval_, y
            do_return, retval_, y = vars_

        def with_body(entered_1):
            nonlocal do_return, retval_, y
            entered = entered_1
            try:

                def get_state_1():
                    return (do_return, retval_, y)

                def set_state_1(vars_):
                    nonlocal do_return, retval_, y
                    do_return, retval_, y = vars_

                def with_body_1(entered_2):
                    nonlocal do_return, retval_, y
                    y = 1

                    def get_state_2():
                        return ()

                    def set_state_2(vars_):
                        pass

                    def if_body():
                        raise ag__.converted_call(ValueError, (entered,), None, fscope)

                    def else_body():
                        pass
                    ag__.if_stmt(x > 0, if_body, else_body, get_state_2, set_state_2, (), 0)
                    try:
                        do_return = True
                        retval_ = y
                    except:
                        do_return = False
                        raise
                ag__.with_stmt(suppress(KeyError), with_body_1, get_state_1, set_state_1, ('do_return', 'retval_', 'y'), 3, fscope, ('do_return', 'retval_'))
            except:
                do_return = False
                retval_ = ag__.UndefinedReturnValue()
                raise
        ag__.with_stmt(suppress(ValueError), with_body, get_state, set_state, ('do_return', 'retval_', 'y'), 3, fscope, ('do_return', 'retval_'))

        def get_state_3():
            return (do_return, retval_)

        def set_state_3(vars_):
            nonlocal do_return, retval_
            do_return, retval_ = vars_

        def if_body_1():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = x + y
            except:
                do_return = False
                raise

        def else_body_1():
            nonlocal do_return, retval_
        ag__.if_stmt(ag__.not_(do_return), if_body_1, else_body_1, get_state_3, set_state_3, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
