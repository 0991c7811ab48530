# calls: [('3',), ('x',)]
def try_except_else_finally(text):
    try:
        value = int(text)
    except ValueError as error:
        if error.args:
            value = -1
    else:
        value += 1
    finally:
        print('done')
    return value
# output
def tf__try_except_else_finally(text):
    with ag__.FunctionScope('try_except_else_finally', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        value = ag__.Undefined('value')

        def get_state():
            return (value,)

        def set_state(vars_):
            nonlocal value
            value, = vars_

        def try_body():
            nonlocal value
            value = ag__.converted_call(int, (text,), None, fscope)

        def except_body(error):
            nonlocal value
            try:

                def get_state_1():
                    return (value,)

                def set_state_1(vars_):
                    nonlocal value
                    value, = vars_

                def if_body():
                    nonlocal value
                    value = -1

                def else_body():
                    nonlocal value
                ag__.if_stmt(error.args, if_body, else_body, get_state_1, set_state_1, ('value',), 1)
            finally:
                error = None

        def else_body_1():
            nonlocal value
            value += 1

        def finally_body():
            nonlocal value
            ag__.converted_call(print, ('done',), None, fscope)
        ag__.try_stmt(try_body, ((lambda: ValueError, except_body, 'error'),), else_body_1, finally_body, get_state, set_state, ('value',), 1)
        try:
            do_return = True
            retval_ = ag__.ld(value)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
