# calls: [({'a': 3}, 'a'), ({'a': -3}, 'a')]
def if_subscript_state(table, key):
    if table['a'] > 0:
        table['a'] = 1
        table[key] = 2
    return table
# output
def tf__if_subscript_state(table, key):
    with ag__.FunctionScope('if_subscript_state', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (ag__.ldu(lambda: table['a'], "table['a']"), ag__.ldu(lambda: table[key], 'table[key]'))

        def set_state(vars_):
            table['a'], table[key] = vars_

        def if_body():
            table['a'] = 1
            table[key] = 2

        def else_body():
            pass
        ag__.if_stmt(table['a'] > 0, if_body, else_body, get_state, set_state, ("table['a']", 'table[key]'), 2)
        try:
            do_return = True
            retval_ = table
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
