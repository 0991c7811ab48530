# calls: [(3,)]
def augmented_name(x):
    x += 1
    x *= x
    return x
# output
def tf__augmented_name(x):
    with ag__.FunctionScope('augmented_name', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        x += 1
        x *= x
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
