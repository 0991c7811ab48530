# calls: [(['1', 'x', '3'],)]
def continue_in_except(texts):
    total = 0
    for text in texts:
        try:
            value = int(text)
        except ValueError:
            continue
        total += value
    return total
# output
def tf__continue_in_except(texts):
    with ag__.FunctionScope('continue_in_except', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        total = 0
        value = ag__.Undefined('value')

        def get_state():
            return (total, value)

        def set_state(vars_):
            nonlocal total, value
            total, value = vars_

        def loop_body(itr):
            nonlocal total, value
            text = itr
            continue_ = False

            def get_state_1():
                return (continue_, value)

            def set_state_1(vars_):
                nonlocal continue_, value
                continue_, value = vars_

            def try_body():
                nonlocal continue_, value
                value = ag__.converted_call(int, (text,), None, fscope)

            def except_body():
                nonlocal continue_, value
                continue_ = True
            ag__.try_stmt(try_body, ((lambda: ValueError, except_body, None),), None, None, get_state_1, set_state_1, ('continue_', 'value'), 2)

            def get_state_2():
                return (total,)

            def set_state_2(vars_):
                nonlocal total
                total, = vars_

            def if_body():
                nonlocal total
                total += ag__.ld(value)

            def else_body():
                nonlocal total
            ag__.if_stmt(ag__.not_(continue_), if_body, else_body, get_state_2, set_state_2, ('total',), 1)
        ag__.for_stmt(texts, None, loop_body, get_state, set_state, ('total', 'value'), {'iterate_names': 'text'})
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
