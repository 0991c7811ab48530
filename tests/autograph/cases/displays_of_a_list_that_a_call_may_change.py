# calls: [(3,), (-3,)]
def displays_of_a_list_that_a_call_may_change(x):
    def grow(a, x):
        a.append(x)
        return a

    a = [x]
    b = [a, grow(a, x), a]
    c = a, len(grow(a, x))
    d = {"p": a, "q": abs(x)}
    e = [a, x]
    f = x, abs(x)
    return b, c, d, e, f, [x, abs(x), x], (len(a), abs(x))
# output
def tf__displays_of_a_list_that_a_call_may_change(x):
    with ag__.FunctionScope('displays_of_a_list_that_a_call_may_change', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        @ag__.autograph_artifact
        def grow(a, x):
            with ag__.FunctionScope('grow', 'fscope_1', ag__.STD) as fscope_1:
                do_return_1 = False
                retval_1 = ag__.UndefinedReturnValue()
                ag__.converted_call(a.append, (x,), None, fscope_1)
                try:
                    do_return_1 = True
                    retval_1 = a
                except:
                    do_return_1 = False
                    raise
                return fscope_1.ret(retval_1, do_return_1)
        a = [x]
        b = ag__.displayed([a, ag__.converted_call(grow, (a, x), None, fscope), a])
        c = ag__.displayed((a, ag__.converted_call(len, (ag__.converted_call(grow, (a, x), None, fscope),), None, fscope)))
        d = {'p': a, 'q': ag__.converted_call(abs, (x,), None, fscope)}
        e = [a, x]
        f = (x, ag__.converted_call(abs, (x,), None, fscope))
        try:
            do_return = True
            retval_ = (b, c, d, e, f, [x, ag__.converted_call(abs, (x,), None, fscope), x], (ag__.converted_call(len, (a,), None, fscope), ag__.converted_call(abs, (x,), None, fscope)))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
