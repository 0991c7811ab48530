# calls: [(1, [2, 9], 3), (5, [2, 9], 3)]
def chained_call_middle(low, items, high):
    return low < items.pop(0) < high
# output
def tf__chained_call_middle(low, items, high):
    with ag__.FunctionScope('chained_call_middle', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = (lambda left, middle: ag__.and_(lambda: left < middle, lambda: middle < high))(low, ag__.converted_call(items.pop, (0,), None, fscope))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
