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
        try:
            value = ag__.converted_call(int, (text,), None, fscope)
        except ValueError as error:

            def get_state():
                return (value,)

            def set_state(vars_):
                nonlocal value
                value, = vars_

            def if_body():
                nonlocal value
                value = -1

            def else_body():
                nonlocal value
            ag__.if_stmt(error.args, if_body, else_body, get_state, set_state, ('value',), 1)
        else:
            value += 1
        finally:
            ag__.converted_call(print, ('done',), None, fscope)
        try:
            do_return = True
            retval_ = ag__.ld(value)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
