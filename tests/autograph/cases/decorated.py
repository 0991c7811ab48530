# to_code: decorated
# calls: [(3,)]
def mark(f):
    f.marked = True
    return f

@mark
def decorated(x: int, y: 'int' = 2) -> int:
    return x + y
# output
def tf__decorated(x: int, y: 'int'=2) -> int:
    with ag__.FunctionScope('decorated', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = x + y
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
