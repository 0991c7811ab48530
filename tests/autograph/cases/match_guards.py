# calls: [(0,), (1,), (2,), (-4,), (9,)]
def match_guards(n):
    match n:
        case 0 if n:
            kind = 'never'
        case 1 | 2 as small if small > 1:
            kind = small
        case negative if negative < 0:
            kind = -negative
        case _:
            kind = 'other'
    return kind
# output
def tf__match_guards(n):
    with ag__.FunctionScope('match_guards', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
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
            kind = 'never'

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
                small = n

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
                ag__.if_stmt(small > 1, if_body_2, else_body_2, get_state_2, set_state_2, ('matched',), 1)

            def else_body_1():
                nonlocal matched
            ag__.if_stmt(ag__.or_(lambda: n == 1, lambda: n == 2, test=True), if_body_1, else_body_1, get_state_1, set_state_1, ('matched',), 1)

            def get_state_3():
                return (kind,)

            def set_state_3(vars_):
                nonlocal kind
                kind, = vars_

            def if_body_3():
                nonlocal kind
                small = n
                kind = small

            def else_body_3():
                nonlocal kind
                negative = n

                def get_state_4():
                    return (kind,)

                def set_state_4(vars_):
                    nonlocal kind
                    kind, = vars_

                def if_body_4():
                    nonlocal kind
                    kind = -negative

                def else_body_4():
                    nonlocal kind
                    kind = 'other'
                ag__.if_stmt(negative < 0, if_body_4, else_body_4, get_state_4, set_state_4, ('kind',), 1)
            ag__.if_stmt(matched, if_body_3, else_body_3, get_state_3, set_state_3, ('kind',), 1)
        ag__.if_stmt(ag__.and_(lambda: n == 0, lambda: n, test=True), if_body, else_body, get_state, set_state, ('kind',), 1)
        try:
            do_return = True
            retval_ = kind
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
