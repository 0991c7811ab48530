# calls: [(3, 4)]
def return_tuple(a, b):
    return a * b, a + b
# output
def tf__return_tuple(a, b):
    with ag__.FunctionScope('return_tuple', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = (a * b, a + b)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
