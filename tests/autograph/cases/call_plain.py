# calls: [(3,)]
def helper(x):
    return x + 1

def call_plain(x):
    return helper(x)
# output
def tf__call_plain(x):
    with ag__.FunctionScope('call_plain', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.converted_call(helper, (x,), None, fscope)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
