# calls: [(3,)]
def yield_in_inner_function(n):
    def count():
        for i in range(n):
            yield i
    return list(count())
# output
def tf__yield_in_inner_function(n):
    with ag__.FunctionScope('yield_in_inner_function', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def count():
            for i in range(n):
                yield i
        try:
            do_return = True
            retval_ = ag__.converted_call(list, (ag__.converted_call(count, (), None, fscope),), None, fscope)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
