# calls: [(1, [2], {3: 4})]
def displays_of_sets_and_dicts(n, a, d):
    plain = {1, 2}, {"a": n}
    return {n, 2}, {*a, n}, {n: 1, 2: n}, {**d, n: 2, **d, "b": 3}, plain
# output
def tf__displays_of_sets_and_dicts(n, a, d):
    with ag__.FunctionScope('displays_of_sets_and_dicts', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        plain = ({1, 2}, {'a': n})
        try:
            do_return = True
            retval_ = (ag__.set_of([n, 2]), ag__.set_of(ag__.list_with([], a) + [n]), ag__.dict_of((n, 1), (2, n)), ag__.dict_with(ag__.dict_with(ag__.dict_with(ag__.dict_with({}, d), ag__.dict_of((n, 2))), d), {'b': 3}), plain)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
