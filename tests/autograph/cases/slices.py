# calls: [([1, 2, 3],)]
def slices(items):
    items[1:2] = [7, 8]
    return items[::2], items[-1], items[1:][0]
# output
def tf__slices(items):
    with ag__.FunctionScope('slices', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        items = ag__.set_item(items, slice(1, 2), [7, 8])
        try:
            do_return = True
            retval_ = (items[::2], items[-1], items[1:][0])
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
