# calls: [((1, 2), (1, (2, 3)), [1, 2, 3])]
def unpack_value(pair, nested, values):
    a, b = pair
    c, (d, e) = nested
    f, *g = values
    h, i = b, a
    return a, b, c, d, e, f, g, h, i
# output
def tf__unpack_value(pair, nested, values):
    with ag__.FunctionScope('unpack_value', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        a, b = ag__.unpack(pair, 2)
        c, (d, e) = ag__.unpack(nested, (None, 2))
        f, *g = ag__.unpack(values, (None, ...))
        h, i = (b, a)
        try:
            do_return = True
            retval_ = (a, b, c, d, e, f, g, h, i)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
