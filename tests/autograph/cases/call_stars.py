# calls: [((1, 2), {'c': 3})]
def helper(*args, **kwargs):
    return args, kwargs

def call_stars(args, more):
    return helper(0, *args, 5, *args, b=4, **more)
# output
def tf__call_stars(args, more):
    with ag__.FunctionScope('call_stars', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.converted_call(helper, (0,) + tuple(args) + (5,) + tuple(args), dict(b=4, **more), fscope)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
