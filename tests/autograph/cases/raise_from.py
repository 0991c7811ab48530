# calls: [('x',)]
def raise_from(text):
    try:
        return int(text)
    except ValueError as error:
        raise KeyError(text) from error
# output
def tf__raise_from(text):
    with ag__.FunctionScope('raise_from', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            try:
                do_return = True
                retval_ = ag__.converted_call(int, (text,), None, fscope)
            except:
                do_return = False
                raise
        except ValueError as error:
            raise ag__.converted_call(KeyError, (text,), None, fscope) from error
        return fscope.ret(retval_, do_return)
