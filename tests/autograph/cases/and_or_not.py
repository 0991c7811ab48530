# calls: [(1, 2, 3), (1, 0, 0), (0, 0, 5)]
def and_or_not(a, b, c):
    return a and b or not c
# output
def tf__and_or_not(a, b, c):
    with ag__.FunctionScope('and_or_not', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.or_(lambda: ag__.and_(lambda: a, lambda: b), lambda: ag__.not_(c))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
