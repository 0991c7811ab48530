# calls: [((1, 2, 3),), ([0, 0],), ({'a': 1, 'b': 2},), (3.5,), (None,), ('s',)]
def match_structure(value):
    match value:
        case [0, second] | [second, 0]:
            return second
        case [first, *rest]:
            return first, rest
        case {'a': 0 | 1 as a, **others}:
            return a, others
        case float(x) | complex(real=x):
            return x
        case None | True:
            return 'one of two'
# output
def tf__match_structure(value):
    with ag__.FunctionScope('match_structure', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_)

        def set_state(vars_):
            nonlocal do_return, retval_
            do_return, retval_ = vars_

        def if_body():
            nonlocal do_return, retval_
            second = case_['second']
            try:
                do_return = True
                retval_ = second
            except:
                do_return = False
                raise

        def else_body():
            nonlocal do_return, retval_

            def get_state_1():
                return (do_return, retval_)

            def set_state_1(vars_):
                nonlocal do_return, retval_
                do_return, retval_ = vars_

            def if_body_1():
                nonlocal do_return, retval_
                first = case_1['first']
                rest = case_1['rest']
                try:
                    do_return = True
                    retval_ = (first, rest)
                except:
                    do_return = False
                    raise

            def else_body_1():
                nonlocal do_return, retval_

                def get_state_2():
                    return (do_return, retval_)

                def set_state_2(vars_):
                    nonlocal do_return, retval_
                    do_return, retval_ = vars_

                def if_body_2():
                    nonlocal do_return, retval_
                    a = case_2['a']
                    others = case_2['others']
                    try:
                        do_return = True
                        retval_ = (a, others)
                    except:
                        do_return = False
                        raise

                def else_body_2():
                    nonlocal do_return, retval_

                    def get_state_3():
                        return (do_return, retval_)

                    def set_state_3(vars_):
                        nonlocal do_return, retval_
                        do_return, retval_ = vars_

                    def if_body_3():
                        nonlocal do_return, retval_
                        x = case_3['x']
                        try:
                            do_return = True
                            retval_ = x
                        except:
                            do_return = False
                            raise

                    def else_body_3():
                        nonlocal do_return, retval_

                        def get_state_4():
                            return (do_return, retval_)

                        def set_state_4(vars_):
                            nonlocal do_return, retval_
                            do_return, retval_ = vars_

                        def if_body_4():
                            nonlocal do_return, retval_
                            try:
                                do_return = True
                                retval_ = 'one of two'
                            except:
                                do_return = False
                                raise

                        def else_body_4():
                            nonlocal do_return, retval_
                        ag__.if_stmt(ag__.or_(lambda: ag__.is_(value, None), lambda: ag__.is_singleton(value, True), test=True), if_body_4, else_body_4, get_state_4, set_state_4, ('do_return', 'retval_'), 2)
                    ag__.if_stmt((case_3 := ag__.match_case(value, ag__.pattern.alternatives(ag__.pattern.instance(lambda: float, (ag__.pattern.capture('x'),)), ag__.pattern.instance(lambda: complex, (), {'real': ag__.pattern.capture('x')})))).test, if_body_3, else_body_3, get_state_3, set_state_3, ('do_return', 'retval_'), 2)
                ag__.if_stmt((case_2 := ag__.match_case(value, ag__.pattern.mapping(lambda: ('a',), (ag__.pattern.named(ag__.pattern.alternatives(ag__.pattern.constant(0), ag__.pattern.constant(1)), 'a'),), 'others'))).test, if_body_2, else_body_2, get_state_2, set_state_2, ('do_return', 'retval_'), 2)
            ag__.if_stmt((case_1 := ag__.match_case(value, ag__.pattern.sequence(ag__.pattern.capture('first'), ag__.pattern.rest('rest')))).test, if_body_1, else_body_1, get_state_1, set_state_1, ('do_return', 'retval_'), 2)
        ag__.if_stmt((case_ := ag__.match_case(value, ag__.pattern.alternatives(ag__.pattern.sequence(ag__.pattern.constant(0), ag__.pattern.capture('second')), ag__.pattern.sequence(ag__.pattern.capture('second'), ag__.pattern.constant(0))))).test, if_body, else_body, get_state, set_state, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
