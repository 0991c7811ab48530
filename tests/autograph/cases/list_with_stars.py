# calls: [([1, 2], (3,))]
def list_with_stars(a, b):
    first = [*a]
    second = [0, *a, 5, *b, *a]
    return first, second, [*a, *[*b, 1]]
# output
def tf__list_with_stars(a, b):
    with ag__.FunctionScope('list_with_stars', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        first = ag__.list_with([], a)
        second = ag__.list_with(ag__.list_with(ag__.list_with([0], a) + [5], b), a)
        try:
            do_return = True
            retval_ = (first, second, ag__.list_with(ag__.list_with([], a), ag__.list_with([], b) + [1]))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
