# calls: [(3,)]
def fstring(x):
    return f'{abs(x)!r:>{x + 1}} {x} {{literal}}\t'
# output
def tf__fstring(x):
    with ag__.FunctionScope('fstring', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.format_string(ag__.format_value(ag__.converted_call(abs, (x,), None, fscope), 'r', ag__.format_string('>', ag__.format_value(x + 1))), ' ', ag__.format_value(x), ' {literal}\t')
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
