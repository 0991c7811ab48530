# calls: [(3,), (-3,)]
def nested_function_defaults(x):
    def inner(y, /, z=x if x > 0 else 0, *rest, k=abs(x), **more):
        return y, z, rest, k, more
    return inner(x), inner(1, 2, 3, k=4, m=5)
# output
def tf__nested_function_defaults(x):
    with ag__.FunctionScope('nested_function_defaults', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        @ag__.autograph_artifact
        def inner(y, /, z=ag__.if_exp(x > 0, lambda: x, lambda: 0, 'x > 0'), *rest, k=ag__.converted_call(abs, (x,), None, fscope), **more):
            with ag__.FunctionScope('inner', 'fscope_1', ag__.STD) as fscope_1:
                do_return_1 = False
                retval_1 = ag__.UndefinedReturnValue()
                try:
                    do_return_1 = True
                    retval_1 = (y, z, rest, k, more)
                except:
                    do_return_1 = False
                    raise
                return fscope_1.ret(retval_1, do_return_1)
        try:
            do_return = True
            retval_ = (ag__.converted_call(inner, (x,), None, fscope), ag__.converted_call(inner, (1, 2, 3), dict(k=4, m=5), fscope))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
