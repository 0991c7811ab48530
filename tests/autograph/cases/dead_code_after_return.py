# calls: [(3,)]
def dead_code_after_return(x):
    return x
    if x > 0:
        x = 1
    return -x
# output
def tf__dead_code_after_return(x):
    with ag__.FunctionScope('dead_code_after_return', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
