# calls: [(0,), ((1, 2),), ('s',)]
def match_statement(value):
    match value:
        case 0:
            kind = 'zero'
        case (a, b) if a < b:
            kind = a + b
        case _:
            kind = 'other'
    return kind
# output
def tf__match_statement(value):
    with ag__.FunctionScope('match_statement', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        match value:
            case 0:
                kind = 'zero'
            case [a, b] if a < b:
                kind = a + b
            case _:
                kind = 'other'
        try:
            do_return = True
            retval_ = kind
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
