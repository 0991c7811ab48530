# calls: [(1, [2, 3], 9), (5, [2, 3], 9)]
def chained_long(low, items, high):
    return low < items.pop(0) <= items.pop(0) < high != 4
# output
def tf__chained_long(low, items, high):
    with ag__.FunctionScope('chained_long', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = (lambda left, middle: ag__.and_(lambda: left < middle, lambda: (lambda left_1, middle_1: ag__.and_(lambda: left_1 <= middle_1, lambda: ag__.and_(lambda: middle_1 < high, lambda: high != 4)))(middle, ag__.converted_call(items.pop, (0,), None, fscope))))(low, ag__.converted_call(items.pop, (0,), None, fscope))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
