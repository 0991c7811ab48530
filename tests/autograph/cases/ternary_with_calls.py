# calls: [(3,), (-3,)]
def ternary_with_calls(x):
    return str(x) if bool(x > 0) else repr(x)
# output
def tf__ternary_with_calls(x):
    with ag__.FunctionScope('ternary_with_calls', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.if_exp(ag__.converted_call(bool, (x > 0,), None, fscope), lambda: ag__.converted_call(str, (x,), None, fscope), lambda: ag__.converted_call(repr, (x,), None, fscope), 'bool(x > 0)')
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
