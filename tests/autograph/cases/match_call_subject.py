# calls: [(1,), (2,), (30,)]
def match_call_subject(n):
    match divmod(n, 2):
        case 0, 1:
            r = 'one'
        case q, 0:
            r = q
    return r
# output
def tf__match_call_subject(n):
    with ag__.FunctionScope('match_call_subject', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        subject = ag__.converted_call(divmod, (n, 2), None, fscope)
        r = ag__.Undefined('r')

        def get_state():
            return (r,)

        def set_state(vars_):
            nonlocal r
            r, = vars_

        def if_body():
            nonlocal r
            r = 'one'

        def else_body():
            nonlocal r

            def get_state_1():
                return (r,)

            def set_state_1(vars_):
                nonlocal r
                r, = vars_

            def if_body_1():
                nonlocal r
                q = case_1['q']
                r = q

            def else_body_1():
                nonlocal r
            ag__.if_stmt((case_1 := ag__.match_case(subject, ag__.pattern.sequence(ag__.pattern.capture('q'), ag__.pattern.constant(0)))).test, if_body_1, else_body_1, get_state_1, set_state_1, ('r',), 1)
        ag__.if_stmt((case_ := ag__.match_case(subject, ag__.pattern.sequence(ag__.pattern.constant(0), ag__.pattern.constant(1)))).test, if_body, else_body, get_state, set_state, ('r',), 1)
        try:
            do_return = True
            retval_ = ag__.ld(r)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
