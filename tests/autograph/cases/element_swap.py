# calls: [([1, 2, 3], 0, 2)]
def element_swap(x, i, j):
    x[i], x[j] = x[j], x[i]
    a = x[0] = b, x[1] = [i, j]
    return x, a, b
# output
def tf__element_swap(x, i, j):
    with ag__.FunctionScope('element_swap', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        target, target_1 = (ag__.get_item(x, j), ag__.get_item(x, i))
        x = ag__.set_item(x, i, target)
        x = ag__.set_item(x, j, target_1)
        del target, target_1
        value = [i, j]
        a = value
        x = ag__.set_item(x, 0, value)
        b, target_2 = ag__.unpack(value, 2)
        x = ag__.set_item(x, 1, target_2)
        del target_2
        del value
        try:
            do_return = True
            retval_ = (x, a, b)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
