# calls: [(3,)]
def docstring_kept(x):
    """The first line stays first."""
    return x
# output
def tf__docstring_kept(x):
    """The first line stays first."""
    with ag__.FunctionScope('docstring_kept', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
