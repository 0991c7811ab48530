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
            return (ag__.container(table, 'table'), ag__.ldu(lambda: table['a'], "table['a']"), ag__.ldu(lambda: ag__.item(table, key), 'table[key]'))

        def set_state(vars_):
            nonlocal table
            table = ag__.rebound(table, vars_[0])
            table['a'] = vars_[1]
            ag__.put_item(table, key, vars_[2])

        def if_body():
            nonlocal table
            table['a'] = 1
            table = ag__.set_item(table, key, 2)

        def else_body():
            nonlocal table
        ag__.if_stmt(table['a'] > 0, if_body, else_body, get_state, set_state, ('table', "table['a']", 'table[key]'), 3)
        try:
            do_return = True
            retval_ = table
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
