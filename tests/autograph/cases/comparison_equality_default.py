# calls: [(1, 1), (1, 2)]
def comparison_equality_default(a, b):
    return a == b, a != b
# output
def tf__comparison_equality_default(a, b):
    with ag__.FunctionScope('comparison_equality_default', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = (a == b, a != b)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
