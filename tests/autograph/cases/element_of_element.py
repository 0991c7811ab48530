# calls: [([[1], [2]], 1)]
def element_of_element(x, i):
    x[i][0] = i
    x[i][0] -= x[0][0]
    return x
# output
def tf__element_of_element(x, i):
    with ag__.FunctionScope('element_of_element', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        x = ag__.put(i, ag__.place(x).item(i), 0)
        x = ag__.place(x).item(i).read(0).update('-=', x[0][0])
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
