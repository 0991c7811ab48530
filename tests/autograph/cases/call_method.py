# calls: [([3, 1],)]
def call_method(items):
    items.sort()
    return items
# output
def tf__call_method(items):
    with ag__.FunctionScope('call_method', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        ag__.converted_call(items.sort, (), None, fscope)
        try:
            do_return = True
            retval_ = items
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
