# calls: [(3,)]
def fstring(x):
    return f'{x if x > 0 else -x:>{x + 1}} {abs(x)!r} {{literal}}\t'
# output
def tf__fstring(x):
    with ag__.FunctionScope('fstring', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = f"{ag__.if_exp(x > 0, lambda: x, lambda: -x, 'x > 0'):>{x + 1}} {ag__.converted_call(abs, (x,), None, fscope)!r} {{literal}}\t"
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
