# calls: [(1, 2, 3), (1, 0, 3)]
def and_many_operands(a, b, c):
    return a and b and c
# output
def tf__and_many_operands(a, b, c):
    with ag__.FunctionScope('and_many_operands', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.and_(lambda: a, lambda: ag__.and_(lambda: b, lambda: c))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
