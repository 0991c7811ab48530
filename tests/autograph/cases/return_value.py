# calls: [(3,)]
def return_value(x):
    return x + 1
# output
def tf__return_value(x):
    with ag__.FunctionScope('return_value', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = x + 1
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
