# calls: [([1, 2, 3], 1)]
CACHE = {}
def element_of_outer_variable(x, i):
    def remember(value):
        CACHE[i] = value
        x[i] = value
    def replace(value):
        nonlocal x
        x[i] = value
    remember(i)
    replace(i)
    return x
# output
def tf__element_of_outer_variable(x, i):
    with ag__.FunctionScope('element_of_outer_variable', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        @ag__.autograph_artifact
        def remember(value):
            with ag__.FunctionScope('remember', 'fscope_1', ag__.STD) as fscope_1:
                ag__.set_item(CACHE, i, value, 'CACHE')
                ag__.set_item(x, i, value, 'x')

        @ag__.autograph_artifact
        def replace(value):
            nonlocal x
            with ag__.FunctionScope('replace', 'fscope_2', ag__.STD) as fscope_2:
                x = ag__.put(value, ag__.place(x), i, lambda: x)
        ag__.converted_call(remember, (i,), None, fscope)
        ag__.converted_call(replace, (i,), None, fscope)
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
