# calls: [(1, [1]), (1, [2])]
def comparison_membership(a, items):
    return a in items, a not in items, a is None, a is not None
# output
def tf__comparison_membership(a, items):
    with ag__.FunctionScope('comparison_membership', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = (ag__.in_(a, items), ag__.not_in(a, items), ag__.is_(a, None), ag__.is_not(a, None))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
