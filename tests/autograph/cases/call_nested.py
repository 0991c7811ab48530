# calls: [(3,)]
def helper(x):
    return x + 1

def call_nested(x):
    return helper(helper(x)) + helper(x=helper(x))
# output
def tf__call_nested(x):
    with ag__.FunctionScope('call_nested', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.converted_call(helper, (ag__.converted_call(helper, (x,), None, fscope),), None, fscope) + ag__.converted_call(helper, (), dict(x=ag__.converted_call(helper, (x,), None, fscope)), fscope)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
