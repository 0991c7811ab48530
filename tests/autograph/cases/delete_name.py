# calls: [(3,)]
def delete_name(x):
    y = x
    del y
    return x
# output
def tf__delete_name(x):
    with ag__.FunctionScope('delete_name', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        y = x
        y = ag__.Undefined('y')
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
