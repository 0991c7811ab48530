# calls: [(0,), (2,)]
def or_value(x):
    return x or 7
# output
def tf__or_value(x):
    with ag__.FunctionScope('or_value', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.or_(lambda: x, lambda: 7)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
