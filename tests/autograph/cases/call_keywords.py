# calls: [(3,)]
def helper(x, y=2, *, z=3):
    return x, y, z

def call_keywords(x):
    return helper(x, y=x, z=1)
# output
def tf__call_keywords(x):
    with ag__.FunctionScope('call_keywords', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.converted_call(helper, (x,), dict(y=x, z=1), fscope)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
