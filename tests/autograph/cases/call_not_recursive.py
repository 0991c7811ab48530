# to_code: call_not_recursive, recursive=False
# calls: [(3,)]
def helper(x):
    return x + 1

def call_not_recursive(x):
    return helper(x)
# output
def tf__call_not_recursive(x):
    with ag__.FunctionScope('call_not_recursive', 'fscope', ag__.ConversionOptions(recursive=False, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.converted_call(helper, (x,), None, fscope)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
