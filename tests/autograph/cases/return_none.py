# calls: [(3,)]
def return_none(x):
    return
# output
def tf__return_none(x):
    with ag__.FunctionScope('return_none', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = None
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
