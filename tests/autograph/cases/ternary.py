# calls: [(3,), (-3,)]
def ternary(x):
    return x if x > 0 else -x
# output
def tf__ternary(x):
    with ag__.FunctionScope('ternary', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.if_exp(x > 0, lambda: x, lambda: -x, 'x > 0')
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
