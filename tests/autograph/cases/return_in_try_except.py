# calls: [('3',), ('x',)]
def return_in_try_except(text):
    try:
        return int(text)
    except ValueError:
        return None
# output
def tf__return_in_try_except(text):
    with ag__.FunctionScope('return_in_try_except', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            try:
                do_return = True
                retval_ = ag__.converted_call(int, (text,), None, fscope)
            except:
                do_return = False
                raise
        except ValueError:
            try:
                do_return = True
                retval_ = None
            except:
                do_return = False
                raise
        return fscope.ret(retval_, do_return)
