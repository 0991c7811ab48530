# calls: [(3,), (-3,)]
def lambda_inside_function(x):
    f = lambda y, k=x: y and not k
    return f(x), (lambda: f(0))()
# output
def tf__lambda_inside_function(x):
    with ag__.FunctionScope('lambda_inside_function', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        f = ag__.autograph_artifact(lambda y, k=x: ag__.and_(lambda: y, lambda: ag__.not_(k)))
        try:
            do_return = True
            retval_ = (ag__.converted_call(f, (x,), None, fscope), ag__.converted_call(ag__.autograph_artifact(lambda: ag__.converted_call(f, (0,), None, fscope)), (), None, fscope))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
