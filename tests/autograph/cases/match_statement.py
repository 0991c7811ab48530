# calls: [(0,), ((1, 2),), ('s',)]
def match_statement(value):
    match value:
        case 0:
            kind = 'zero'
        case (a, b) if a < b:
            kind = a + b
        case _:
            kind = 'other'
    return kind
# output
def tf__match_statement(value):
    with ag__.FunctionScope('match_statement', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        kind = ag__.Undefined('kind')

        def get_state():
            return (kind,)

        def set_state(vars_):
            nonlocal kind
            kind, = vars_

        def if_body():
            nonlocal kind
            kind = 'zero'

        def else_body():
            nonlocal kind
            matched = False

            def get_state_1():
                return (matched,)

            def set_state_1(vars_):
                nonlocal matched
                matched, = vars_

            def if_body_1():
                nonlocal matched
                a = case_['a']
                b = case_['b']

                def get_state_2():
                    return (matched,)

                def set_state_2(vars_):
                    nonlocal matched
                    matched, = vars_

                def if_body_2():
                    nonlocal matched
                    matched = True

                def else_body_2():
                    nonlocal matched
                ag__.if_stmt(a < b, if_body_2, else_body_2, get_state_2, set_state_2, ('matched',), 1)

            def else_body_1():
                nonlocal matched
            ag__.if_stmt((case_ := ag__.match_case(value, ag__.pattern.sequence(ag__.pattern.capture('a'), ag__.pattern.capture('b')))).test, if_body_1, else_body_1, get_state_1, set_state_1, ('matched',), 1)

            def get_state_3():
                return (kind,)

            def set_state_3(vars_):
                nonlocal kind
                kind, = vars_

            def if_body_3():
                nonlocal kind
                a = case_['a']
                b = case_['b']
                kind = a + b

            def else_body_3():
                nonlocal kind
                kind = 'other'
            ag__.if_stmt(matched, if_body_3, else_body_3, get_state_3, set_state_3, ('kind',), 1)
        ag__.if_stmt(value == 0, if_body, else_body, get_state, set_state, ('kind',), 1)
        try:
            do_return = True
            retval_ = kind
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
