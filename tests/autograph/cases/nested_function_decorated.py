# calls: [(3,)]
def twice(f):
    def apply(x):
        return f(f(x))
    return apply

def nested_function_decorated(x):
    @twice
    def inner(y):
        return y + 1
    return inner(x)
# output
def tf__nested_function_decorated(x):
    with ag__.FunctionScope('nested_function_decorated', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        @twice
        @ag__.autograph_artifact
        def inner(y):
            with ag__.FunctionScope('inner', 'fscope_1', ag__.STD) as fscope_1:
                do_return_1 = False
                retval_1 = ag__.UndefinedReturnValue()
                try:
                    do_return_1 = True
                    retval_1 = y + 1
                except:
                    do_return_1 = False
                    raise
                return fscope_1.ret(retval_1, do_return_1)
        try:
            do_return = True
            retval_ = ag__.converted_call(inner, (x,), None, fscope)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
