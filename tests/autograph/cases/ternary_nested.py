# calls: [(3,), (0,), (-3,)]
def ternary_nested(x):
    return 1 if x > 0 else 0 if x == 0 else -1
# output
def tf__ternary_nested(x):
    with ag__.FunctionScope('ternary_nested', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.if_exp(x > 0, lambda: 1, lambda: ag__.if_exp(x == 0, lambda: 0, lambda: -1, 'x == 0'), 'x > 0')
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
