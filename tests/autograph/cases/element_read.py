# calls: [([5, 6, 7], 1)]
def element_read(x, i):
    a = x[0], x[-1], x[:2]
    return a, x[i], x[i:], x[i - 1 :: 2], (lambda k: x[k])(i)
# output
def tf__element_read(x, i):
    with ag__.FunctionScope('element_read', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        a = (x[0], x[-1], x[:2])
        try:
            do_return = True
            retval_ = (a, ag__.get_item(x, i), ag__.get_item(x, slice(i, None)), ag__.get_item(x, slice(i - 1, None, 2)), ag__.converted_call(ag__.autograph_artifact(lambda k: ag__.get_item(x, k)), (i,), None, fscope))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
