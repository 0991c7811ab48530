# calls: [(1, 2, 3), (3, 2, 1)]
def chained_names(a, b, c):
    return a < b < c
# output
def tf__chained_names(a, b, c):
    with ag__.FunctionScope('chained_names', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.and_(lambda: a < b, lambda: b < c)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
