# calls: [([1, 2, 3, 4], 1), ([1, 2, 3], -1)]
def delete_element(items, i):
    del items[i]
    del items[0], items[i:]
    return items
# output
def tf__delete_element(items, i):
    with ag__.FunctionScope('delete_element', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        ag__.del_item(items, i)
        del items[0]
        ag__.del_item(items, slice(i, None))
        try:
            do_return = True
            retval_ = items
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
