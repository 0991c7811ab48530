# calls: [(3,), (-3,)]
def times(n):
    def decorate(f):
        return lambda x: f(x) * n
    return decorate

def nested_decorator_with_arguments(x):
    @times(2 if x > 0 else 3)
    def inner(y):
        return y + 1
    return inner(x)
# output
def tf__nested_decorator_with_arguments(x):
    with ag__.FunctionScope('nested_decorator_with_arguments', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        @ag__.converted_call(times, (ag__.if_exp(x > 0, lambda: 2, lambda: 3, 'x > 0'),), None, fscope)
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
