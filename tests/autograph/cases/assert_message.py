# calls: [(3,), (-3,)]
def assert_message(x):
    assert x > 0, f'{x} is not positive'
    return x
# output
def tf__assert_message(x):
    with ag__.FunctionScope('assert_message', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        ag__.assert_stmt(x > 0, lambda: ag__.format_string(ag__.format_value(x), ' is not positive'))
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
