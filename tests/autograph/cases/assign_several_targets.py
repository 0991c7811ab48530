# calls: [(3,)]
def assign_several_targets(x):
    a = b = x
    (c, [d, *e]) = a, [b, x, x]
    return a, b, c, d, e
# output
def tf__assign_several_targets(x):
    with ag__.FunctionScope('assign_several_targets', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        a = b = x
        c, [d, *e] = ag__.unpack((a, [b, x, x]), (None, (None, ...)))
        try:
            do_return = True
            retval_ = (a, b, c, d, e)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
